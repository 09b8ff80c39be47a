/** The names that HAL keeps for itself (draft-kelly-json-hal, section 4.1). */
import * as t from 'io-ts'

export const reservedMembers: ReadonlyArray<string> = ['_links', '_embedded']

export const hasReservedMember = (encoded: unknown): boolean =>
  typeof encoded === 'object' &&
  encoded !== null &&
  reservedMembers.some((name) => Object.hasOwn(encoded, name))

/** What an application cannot send. */
export const reservedMemberError = (): TypeError =>
  new TypeError(`what is sent in HAL is an object without ${reservedMembers.join(' and ')}`)

/** What a client has sent, without what HAL adds to an entity. */
export const omitReservedMembers = (sent: unknown): unknown =>
  t.UnknownRecord.is(sent) && hasReservedMember(sent)
    ? Object.fromEntries(Object.entries(sent).filter(([name]) => !reservedMembers.includes(name)))
    : sent
