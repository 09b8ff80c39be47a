/** JSON: values of a codec, and text that is JSON already. */
import type { Codec } from '../../codec/codec.ts'
import type { BodyFormat } from '../body-format.ts'
import { readJson } from '../json/read-json.ts'
import { writeJson } from '../json/write-json.ts'
import { readText } from '../text/read-text.ts'
import { wholeBody, writeString } from './whole-body.ts'

export const jsonFormat = (codec: Codec): BodyFormat => ({
  ...wholeBody,
  codec,
  charsets: 'ascii',
  accepts: codec.is,
  reader: (options) => readJson(codec, options, options),
  writer: (options) => writeJson(codec, options, options.json, options.visibility),
})

export const rawJsonFormat: BodyFormat = {
  ...wholeBody,
  charsets: 'ascii',
  accepts: (value) => typeof value === 'string',
  reader: () => readText(undefined),
  writer: () => writeString,
}
