/**
 * Formats for JSON: for values that a codec encodes, for text that is already JSON, and for problem documents. Reading a problem document
 * ignores invalid members, because other services define their own.
 */
import * as t from 'io-ts'
import { declaredCodecs } from '../../codec/structure/undeclared-members.ts'
import { valueKinds } from '../../codec/structure/uninhabited.ts'
import { omitInvalidMembers } from '../../endpoint/problem.ts'
import { isError } from '../../http/platform-value.ts'
import type { Codec } from '../../codec/codec.ts'
import type { BodyFormat } from '../body-format.ts'
import type { TransformJson } from '../plain-readers.ts'
import type { JsonReadSettings } from '../json/json-rules.ts'
import { jsonReader, readJson, writeJson } from '../json/json-rules.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { BodyOptions } from '../body-plan.ts'
import type { ReadBodyInSteps } from '../read-body.ts'
import { identity } from 'fp-ts/lib/function.js'
import { readText } from '../read-text.ts'
import { decodeBodyInSteps, stringKinds, wholeBody, writeString } from './whole-body.ts'

/** Creates the format for JSON values described by a codec. */
export const jsonFormat = (codec: Codec): BodyFormat => ({
  ...wholeBody,
  codec,
  accepts: codec.is,
  kinds: () => valueKinds(codec),
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

/** Creates a function that reads a large JSON body. The body is parsed in one step and decoded in further steps. */
const readJsonInSteps = (
  codec: Codec,
  settings: JsonReadSettings,
  options: Pick<BodyOptions, 'json' | 'visibility'>,
  transform: TransformJson = identity,
): ReadBodyInSteps => {
  const { compiled, parse } = jsonReader(codec, settings, options, transform)
  return function* (bytes, contentType) {
    const value = parse(bytes, contentType)
    if (E.isLeft(value)) return value
    yield
    return yield* decodeBodyInSteps(compiled, value.right)
  }
}

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
  ...jsonReaders(codec, omitInvalidMembers),
})

/**
 * Whether a value is an object without undeclared members, and not an error. All members of a problem document are optional, so
 * without this check any object, such as the response of another service, would be a problem document.
 */
const hasOnlyDeclaredMembers = (codec: Codec, value: unknown): boolean =>
  t.UnknownRecord.is(value) &&
  !isError(value) &&
  Object.keys(value).every((name) => declaredCodecs(name)(codec).length > 0)
