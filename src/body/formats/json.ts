/**
 * Formats for JSON: for values that a codec encodes, for text that is already JSON, for problem documents, and for streams of values. Reading a problem document
 * ignores invalid members, because other services define their own.
 */
import * as t from 'io-ts'
import { declaredCodecs } from '../../codec/structure/undeclared-members.ts'
import { valueKinds } from '../../codec/structure/uninhabited.ts'
import { omitInvalidMembers } from '../../endpoint/problem.ts'
import { isError } from '../../http/platform-value.ts'
import type { Codec } from '../../codec/codec.ts'
import type { BodyFormat } from '../body-format.ts'
import { streamedBody, wholeBody, writeString, stringKinds } from '../body-format.ts'
import { readJson, writeJson } from '../json/json-rules.ts'
import { readText } from '../decode-body.ts'
import type { Format } from '../../endpoint/representation.ts'
import { jsonElements } from '../stream/stream-format.ts'

/** Creates the format for JSON values described by a codec. */
export const jsonFormat = (codec: Codec): BodyFormat => ({
  ...wholeBody,
  codec,
  accepts: codec.is,
  kinds: () => valueKinds(codec),
  reader: (options) => readJson(codec, options, options),
  writer: (options) => writeJson(codec, options, options.json, options.visibility),
})

/** The format for JSON text that is neither parsed nor validated. */
export const rawJsonFormat: BodyFormat = {
  ...wholeBody,
  accepts: (value) => typeof value === 'string',
  kinds: () => stringKinds,
  reader: () => readText(undefined),
  writer: () => writeString,
}

/** Creates the format for problem documents described by a codec. */
export const problemFormat = (codec: Codec): BodyFormat => ({
  ...jsonFormat(codec),
  accepts: (value) => hasOnlyDeclaredMembers(codec, value) && codec.is(value),
  reader: (options) => readJson(codec, options, options, omitInvalidMembers),
})

/**
 * Whether a value is an object without undeclared members, and not an error. All members of a problem document are optional, so
 * without this check any object, such as the response of another service, would be a problem document.
 */
const hasOnlyDeclaredMembers = (codec: Codec, value: unknown): boolean =>
  t.UnknownRecord.is(value) &&
  !isError(value) &&
  Object.keys(value).every((name) => declaredCodecs(name)(codec).length > 0)

/** Creates the format for a stream of JSON values. */
export const jsonStreamFormat = ({ codec, framing }: JsonStream): BodyFormat => ({
  ...streamedBody,
  codec,
  stream: jsonElements({ _tag: 'Json', codec }, framing),
})

type JsonStream = Extract<Format, { readonly _tag: 'JsonStream' }>
