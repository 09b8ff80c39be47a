/** The format of problem documents. Reading ignores invalid members, because other services define their own. */
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { declaredCodecs } from '../../codec/structure/undeclared-members.ts'
import type { BodyFormat } from '../body-format.ts'
import { omitInvalidMembers } from '../../endpoint/problem.ts'
import { jsonFormat, jsonReaders } from './json.ts'
import { isError } from '../../http/platform-value.ts'

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
