/**
 * Provides the HAL format, which is JSON with links. HAL documents are written by the interpreter, because creating links
 * requires the whole route tree.
 */
import type { Codec } from '../../codec/codec.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { BodyFormat } from '../body-format.ts'
import { readJson } from '../json/json-rules.ts'
import { jsonFormat } from './json.ts'
import * as t from 'io-ts'

/** Creates the format for HAL documents. The codec describes the values without links. */
export const halFormat = (codec: Codec): BodyFormat => ({
  ...jsonFormat(codec),
  isTextual: false,
  accepts: (value) => codec.is(unwrapHal(value)),
  // a client may send links back, but they are not members of the value
  reader: (options) => readJson(codec, options, options, omitReservedMembers),
})

/** The member names that are reserved by HAL. */
export const reservedMembers: ReadonlyArray<string> = ['_links', '_embedded']

/** Whether an encoded value has a member with a name that is reserved by HAL. */
export const hasReservedMember = (encoded: unknown): boolean =>
  typeof encoded === 'object' &&
  encoded !== null &&
  reservedMembers.some((name) => Object.hasOwn(encoded, name))

/** Creates the error for a value that cannot be sent as HAL. */
export const reservedMemberError = (): TypeError =>
  new TypeError(
    `invalid HAL value: expected an object without a member named ${reservedMembers.join(' or ')}`,
  )

/** Removes the members with reserved names from a received value. */
const omitReservedMembers = (value: unknown): unknown =>
  t.UnknownRecord.is(value) && hasReservedMember(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !reservedMembers.includes(name)))
    : value
