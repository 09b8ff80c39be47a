/**
 * Provides the HAL format, which is JSON with links. HAL documents are written by the interpreter, because creating links
 * requires the whole route tree.
 */
import type { Codec } from '../../codec/codec.ts'
import { children, isListOrSet, unwrap } from '../../codec/codec-structure.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { HalFormat } from '../../endpoint/representation.ts'
import type { BodyFormat } from '../body-format.ts'
import { readJson } from '../json/json-rules.ts'
import { jsonFormat } from './json.ts'
import * as t from 'io-ts'
import { identity } from 'fp-ts/lib/function.js'

/** Creates the format for HAL documents. The codec describes the values without links. */
export const halFormat = ({ codec, collection }: HalFormat): BodyFormat => ({
  ...jsonFormat(codec),
  isTextual: false,
  accepts: (value) => codec.is(unwrapHal(value)),
  reader: (options) =>
    readJson(
      codec,
      options,
      options,
      isCollection(codec)
        ? (document) => elementsIn(document, collection)
        : options.keepsLinks
          ? identity
          : omitReservedMembers,
    ),
})

const isCollection = (codec: Codec): boolean => {
  const inner = unwrap(codec)
  const candidates = inner._tag === 'UnionType' ? children(inner).map(unwrap) : [inner]
  return candidates.some(isListOrSet)
}

/**
 * Returns the elements in a document for a collection: the member of `_embedded` that is named after the declared relation. If there
 * is no such member, returns the only member, because services can use a different relation. Returns an empty list for a HAL document
 * without `_embedded`, and any other document unchanged.
 */
const elementsIn = (document: unknown, relation: string): unknown => {
  if (!t.UnknownRecord.is(document)) return document
  const { _embedded: embedded } = document
  if (!t.UnknownRecord.is(embedded)) return '_links' in document ? [] : document
  const declared = Object.hasOwn(embedded, relation) ? embedded[relation] : undefined
  if (declared !== undefined) return declared
  const [only, ...others] = Object.values(embedded)
  return others.length === 0 && only !== undefined ? only : document
}

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

/** Removes the members with reserved names from a received value. A client may send links back. */
const omitReservedMembers = (value: unknown): unknown =>
  t.UnknownRecord.is(value) && hasReservedMember(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !reservedMembers.includes(name)))
    : value
