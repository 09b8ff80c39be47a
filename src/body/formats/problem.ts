/** The format of problem documents. Reading ignores invalid members, because other services define their own. */
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { declaredCodecs } from '../../codec/structure/undeclared-members.ts'
import { problemMembers } from '../../endpoint/problem.ts'
import type { BodyFormat } from '../body-format.ts'
import { jsonFormat, jsonReaders } from './json.ts'
import { isError as isErrorObject } from '../../http/platform-value.ts'

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
  !isErrorObject(value) &&
  Object.keys(value).every((name) => declaredCodecs(name)(codec).length > 0)

/** Omits members of the wrong type (RFC 9457, 3.1). Validation errors of an unknown form are omitted individually. */
const omitInvalidMembers = (parsed: unknown): unknown => {
  if (!t.UnknownRecord.is(parsed)) return parsed
  const { errors } = parsed
  const document = Array.isArray(errors) ? { ...parsed, errors: errors.filter(isError) } : parsed
  return Object.fromEntries(
    Object.entries(document).filter(([name, value]) => isValid(name, value)),
  )
}

const isError = (value: unknown): boolean => problemMembers.errors.type.is(value)

const members: ReadonlyMap<string, Codec> = new Map(Object.entries(problemMembers))

const isValid = (name: string, value: unknown): boolean => members.get(name)?.is(value) ?? true
