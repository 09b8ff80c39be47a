/** Formats for JSON: one for values that a codec encodes, and one for text that is already JSON. */
import type { Codec } from '../../codec/codec.ts'
import type { BodyFormat } from '../body-format.ts'
import { readJson, writeJson } from '../json/json-rules.ts'
import { readText } from '../read-text.ts'
import { wholeBody, writeString } from './whole-body.ts'

/** Creates the format for JSON values described by a codec. */
export const jsonFormat = (codec: Codec): BodyFormat => ({
  ...wholeBody,
  codec,
  charsets: 'ascii',
  accepts: codec.is,
  reader: (options) => readJson(codec, options, options),
  writer: (options) => writeJson(codec, options, options.json, options.visibility),
})

/** The format for JSON text that is neither parsed nor validated. */
export const rawJsonFormat: BodyFormat = {
  ...wholeBody,
  charsets: 'ascii',
  accepts: (value) => typeof value === 'string',
  reader: () => readText(undefined),
  writer: () => writeString,
}
