/** Formats for JSON: one for values that a codec encodes, and one for text that is already JSON. */
import type { Codec } from '../../codec/codec.ts'
import type { BodyFormat } from '../body-format.ts'
import type { TransformJson } from '../json/plain-json.ts'
import { readJson, writeJson } from '../json/json-rules.ts'
import { readJsonInSteps } from '../read-in-steps.ts'
import { readText } from '../read-text.ts'
import { wholeBody, writeString } from './whole-body.ts'

/** Creates the format for JSON values described by a codec. */
export const jsonFormat = (codec: Codec): BodyFormat => ({
  ...wholeBody,
  codec,
  accepts: codec.is,
  ...jsonReaders(codec),
  writer: (options) => writeJson(codec, options, options.json, options.visibility),
})

/** Returns the readers for JSON bodies described by a codec. `transform` converts the parsed value before it is decoded. */
export const jsonReaders = (
  codec: Codec,
  transform?: TransformJson,
): Pick<BodyFormat, 'reader' | 'steppedReader'> => ({
  reader: (options) => readJson(codec, options, options, transform),
  steppedReader: (options) => readJsonInSteps(codec, options, options, transform),
})

/** The format for JSON text that is neither parsed nor validated. */
export const rawJsonFormat: BodyFormat = {
  ...wholeBody,
  accepts: (value) => typeof value === 'string',
  reader: () => readText(undefined),
  writer: () => writeString,
}
