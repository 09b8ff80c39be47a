/** Books, as the library knows them. */
import * as t from 'io-ts'
import { atLeast, int, lengthBetween, matching, optional, string } from 'espalier'

/** An ISBN of thirteen digits. */
export const Isbn = matching(/^\d{13}$/)(string)

/** What can be said of a book by whoever brings it. */
export const Description = t.intersection([
  t.type({
    title: lengthBetween(1, 200)(string),
    author: lengthBetween(1, 200)(string),
    published: int,
    copies: atLeast(0)(int),
  }),
  t.partial({ tags: t.readonlyArray(t.string), note: optional(t.string) }),
])
export type Description = t.TypeOf<typeof Description>

export const Book = t.intersection([t.type({ isbn: Isbn }), Description])
export type Book = t.TypeOf<typeof Book>

/** What went wrong, for clients that want to react to it. */
export const NoSuchBook = t.type({ _tag: t.literal('NoSuchBook'), isbn: t.string })
export type NoSuchBook = t.TypeOf<typeof NoSuchBook>

export const AlreadyThere = t.type({ _tag: t.literal('AlreadyThere'), isbn: t.string })
export type AlreadyThere = t.TypeOf<typeof AlreadyThere>
