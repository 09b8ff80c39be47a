/**
 * Operations on book descriptions, which several librarians can edit at the same time. Preconditions prevent lost
 * updates. Librarians see the internal view.
 */
import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  body,
  conditional,
  etag,
  evaluatePreconditions,
  example,
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
  rolesAllowed,
  routes,
  text,
  uncompressed,
  unrestricted,
  summary,
  tags,
} from 'espalier'
import { rel } from 'espalier/links'
import type { Book } from '../domain/book.ts'
import * as Books from '../domain/book.ts'
import { BookStore } from '../domain/book.ts'

const description = pipe(
  path('/books/{isbn:\\d{13}}/description', { isbn: Books.Isbn }),
  needs({ bookStore: BookStore }),
  rolesAllowed('librarian'),
  jsonView(Books.Internal),
  produces(json(Books.Description)),
  example('description', Books.exampleDescription),
  fails(404, json(Books.NoSuchBook)),
  // the ETag of a compressed response never matches `If-Match`
  uncompressed,
)
const noSuchBook = (isbn: string): Books.NoSuchBook => ({ _tag: 'NoSuchBook', isbn })

const version = (book: Book): string =>
  createHash('sha256')
    .update(JSON.stringify(unrestricted(Books.Description).encode(book)))
    .digest('base64url')

const withVersion = (book: Book) => pipe(ok<Books.Description>(book), etag(version(book)))

export const getDescription = pipe(
  description,
  get(),
  summary('Get a description for editing'),
  rel('edit', { title: 'Description', entity: Books.Book }),
  conditional(async ({ path: { isbn }, needs: { bookStore } }) =>
    pipe(
      await bookStore.find(isbn),
      O.map((book) => ({ etag: version(book) })),
      O.toUndefined,
    ),
  ),
  handle(async ({ path: { isbn }, needs: { bookStore } }) =>
    pipe(
      await bookStore.find(isbn),
      E.fromOption(() => noSuchBook(isbn)),
    ),
  ),
)

/**
 * Replaces a description. The request must include an `If-Match` header with the ETag of the edited version. If the
 * header is missing, the response has status 428 (RFC 6585). If the description has changed since that version, the
 * response has status 412.
 */
export const replaceDescription = pipe(
  description,
  put(),
  summary('Replace a description'),
  body(json(Books.Description)),
  example('description', Books.exampleDescription, { in: 'request' }),
  fails(412),
  fails(428, text),
  handle(async ({ path: { isbn }, body: edited, needs: { bookStore } }, context) => {
    const found = await bookStore.find(isbn)
    if (O.isNone(found)) return E.left(noSuchBook(isbn))
    if (context.request.header('If-Match') === undefined)
      return reply(
        428,
        'Missing If-Match header. Send the ETag of the version that you are editing.',
      )
    const failed = evaluatePreconditions<412>(context, { etag: version(found.value) })
    if (O.isSome(failed)) return failed.value
    const book = { ...edited, isbn }
    await bookStore.put(book)
    return withVersion(book)
  }),
)

export const descriptionRoutes = pipe(
  routes({ getDescription, replaceDescription }),
  tags({
    name: 'descriptions',
    description: 'Descriptions of books, protected against lost updates',
  }),
)
