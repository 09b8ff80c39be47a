/** Books: one codec for JSON, XML, HAL, links and views. */
import * as t from 'io-ts'
import {
  atLeast,
  decimal,
  inView,
  int,
  lengthBetween,
  matching,
  optional,
  string,
  view,
} from 'espalier'
import { linkId } from 'espalier/links'
import { xmlAttribute, xmlElementWrapper } from 'espalier/xml'

/** The views of a book: for the public, and for librarians. */
export const Public = view('Public')
export const Internal = view('Internal', Public)

/** An ISBN of 13 digits. */
export const Isbn = matching(/^\d{13}$/)(string)

/** The data of a book without its ISBN. */
export const Description = t.intersection(
  [
    t.type({
      title: lengthBetween(1, 200)(string),
      author: lengthBetween(1, 200)(string),
      published: int,
      copies: atLeast(0)(int),
    }),
    t.partial({
      tags: xmlElementWrapper('tags', 'tag')(t.readonlyArray(t.string)),
      price: optional(decimal),
      note: inView(Internal)(optional(t.string)),
    }),
  ],
  'Description',
)
export type Description = t.TypeOf<typeof Description>

export const Book = t.intersection(
  [t.type({ isbn: linkId(xmlAttribute()(Isbn)) }), Description],
  'Book',
)
export type Book = t.TypeOf<typeof Book>

export const Books = xmlElementWrapper('books', 'book')(t.readonlyArray(Book))

/** Errors that clients can distinguish by their tags. */
export const NoSuchBook = t.type({ _tag: t.literal('NoSuchBook'), isbn: t.string })
export type NoSuchBook = t.TypeOf<typeof NoSuchBook>

export const AlreadyThere = t.type({ _tag: t.literal('AlreadyThere'), isbn: t.string })
export type AlreadyThere = t.TypeOf<typeof AlreadyThere>
