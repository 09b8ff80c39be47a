/** The names that HAL keeps for itself (draft-kelly-json-hal, section 4.1). */
import * as t from 'io-ts'

export const reserved: ReadonlyArray<string> = ['_links', '_embedded']

export const hasReserved = (encoded: unknown): boolean =>
  typeof encoded === 'object' &&
  encoded !== null &&
  reserved.some((name) => Object.hasOwn(encoded, name))

/** What an application cannot send. */
export const unfit = (): TypeError =>
  new TypeError(`what is sent in HAL is an object without ${reserved.join(' and ')}`)

/** What a client has sent, without what HAL adds to an entity. */
export const withoutReserved = (sent: unknown): unknown =>
  t.UnknownRecord.is(sent) && hasReserved(sent)
    ? Object.fromEntries(Object.entries(sent).filter(([name]) => !reserved.includes(name)))
    : sent
