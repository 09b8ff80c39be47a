/** HAL: JSON with links. A server writes them with the links of the tree, in the interpreter. */
import type { Codec } from '../../codec/codec.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { BodyFormat } from '../body-format.ts'
import { omitReservedMembers } from '../hal-reserved.ts'
import { readJson } from '../json/read-json.ts'
import { jsonFormat } from './json.ts'

export const halFormat = (codec: Codec): BodyFormat => ({
  ...jsonFormat(codec),
  isTextual: false,
  accepts: (value) => codec.is(unwrapHal(value)),
  // links that a client sends back are not members of the value
  reader: (options) => readJson(codec, options, options, omitReservedMembers),
})
