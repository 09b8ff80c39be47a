/**
 * What is said of a book, to be edited by several librarians at a time: nobody writes over what somebody else has written. Who
 * edits sees what the public does not.
 */
import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  body,
  etag,
  evaluatePreconditions,
  fails,
  get,
  handle,
  json,
  jsonView,
  needs,
  ok,
  path,
  produces,
  put,
  reply,
  responds,
  rolesAllowed,
  routes,
  text,
  uncompressed,
} from 'espalier'
import { rel } from 'espalier/links'
import type { Book } from '../domain/book.ts'
import * as Books from '../domain/book.ts'
import { BookStore } from '../domain/book-store.ts'

const description = pipe(
  path('/books/{isbn:\\d{13}}/description', { isbn: Books.Isbn }),
  needs({ shelf: BookStore }),
  rolesAllowed('librarian'),
  jsonView(Books.Internal),
  produces(json(Books.Description)),
  fails(404, json(Books.NoSuchBook)),
  // what a client has of a compressed response, `If-Match` never matches
  uncompressed,
)
const noSuchBook = (isbn: string): Books.NoSuchBook => ({ _tag: 'NoSuchBook', isbn })

const version = (book: Book): string =>
  createHash('sha256')
    .update(JSON.stringify(Books.Description.encode(book)))
    .digest('base64url')

const tagged = (book: Book) => pipe(ok<Books.Description>(book), etag(version(book)))

export const getDescription = pipe(
  description,
  get(),
  rel('edit', { title: 'What is said of it', entity: Books.Book }),
  responds(304),
  fails(412),
  handle(async ({ path: { isbn }, needs: { shelf } }, context) =>
    pipe(
      await shelf.find(isbn),
      E.fromOption(() => noSuchBook(isbn)),
      E.map((book) =>
        pipe(
          evaluatePreconditions(context, { etag: version(book) }),
          O.getOrElseW(() => tagged(book)),
        ),
      ),
    ),
  ),
)

/** Who edits says which version was read: 428 without `If-Match` (RFC 6585), 412 when there is a newer one. */
export const replaceDescription = pipe(
  description,
  put(),
  body(json(Books.Description)),
  fails(412),
  fails(428, text),
  handle(async ({ path: { isbn }, body: edited, needs: { shelf } }, context) => {
    const found = await shelf.find(isbn)
    if (O.isNone(found)) return E.left(noSuchBook(isbn))
    if (context.request.header('If-Match') === undefined)
      return reply(428, 'Say with If-Match which version you have edited.')
    const refused = evaluatePreconditions<412>(context, { etag: version(found.value) })
    if (O.isSome(refused)) return refused.value
    const book = { ...edited, isbn }
    await shelf.put(book)
    return tagged(book)
  }),
)

export const descriptionRoutes = routes({ getDescription, replaceDescription })
