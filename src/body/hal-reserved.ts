/** The member names that HAL reserves (draft-kelly-json-hal, section 4.1). */
import * as t from 'io-ts'

export const reservedMembers: ReadonlyArray<string> = ['_links', '_embedded']

export const hasReservedMember = (encoded: unknown): boolean =>
  typeof encoded === 'object' &&
  encoded !== null &&
  reservedMembers.some((name) => Object.hasOwn(encoded, name))

/** Creates the error of a value that cannot be sent in HAL. */
export const reservedMemberError = (): TypeError =>
  new TypeError(
    `invalid HAL value: expected an object without the members ${reservedMembers.join(' and ')}`,
  )

/** Removes the members that HAL adds to an entity from a received value. */
export const omitReservedMembers = (sent: unknown): unknown =>
  t.UnknownRecord.is(sent) && hasReservedMember(sent)
    ? Object.fromEntries(Object.entries(sent).filter(([name]) => !reservedMembers.includes(name)))
    : sent
