/** Covers of books: librarians bring them with a form, everybody gets them as files, or a part of one. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  cache,
  fails,
  file,
  form,
  get,
  handle,
  json,
  multipartOutput,
  needs,
  noContent,
  path,
  produces,
  put,
  responds,
  rolesAllowed,
  routes,
  string,
  text,
  upload,
} from 'espalier'
import { rel } from 'espalier/links'
import * as Books from '../domain/book.ts'
import { CoverStore } from '../domain/cover-store.ts'
import { BookStore } from '../domain/book-store.ts'

const book = pipe(path('/books/{isbn:\\d{13}}', { isbn: Books.Isbn }), needs({ shelf: BookStore }))
const noSuchBook = (isbn: string): Books.NoSuchBook => ({ _tag: 'NoSuchBook', isbn })

/** Media types of covers, and the extensions under which they are kept. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
])

export const setCover = pipe(
  book,
  put('/cover'),
  needs({ covers: CoverStore }),
  rolesAllowed('librarian'),
  form({ cover: upload }),
  responds(204),
  fails(404, json(Books.NoSuchBook)),
  fails(422, text),
  handle(async ({ path: { isbn }, form: { cover }, needs: { shelf, covers } }) => {
    const extension = extensions.get(cover.contentType)
    if (extension === undefined)
      return E.left(`A cover is one of ${[...extensions.keys()].join(', ')}.`)
    if (O.isNone(await shelf.find(isbn))) return E.left(noSuchBook(isbn))
    await covers.keep(isbn, extension, cover.path)
    return E.right(noContent)
  }),
)

export const getCover = pipe(
  book,
  get('/cover'),
  needs({ covers: CoverStore }),
  produces(file),
  rel('cover', { entity: Books.Book }),
  cache({ maxAge: 60 }),
  fails(404, json(Books.NoSuchBook)),
  handle(async ({ path: { isbn }, needs: { covers } }) =>
    pipe(
      await covers.find(isbn),
      E.fromOption(() => noSuchBook(isbn)),
    ),
  ),
)

/** Everything about a book in one answer: what is known of it, and its cover if there is one. */
export const getDossier = pipe(
  book,
  get('/dossier'),
  needs({ covers: CoverStore }),
  produces(multipartOutput({ isbn: string, book: json(Books.Book), cover: file })),
  fails(404, json(Books.NoSuchBook)),
  rel('alternate', { title: 'All that there is', type: 'multipart/form-data', entity: Books.Book }),
  handle(async ({ path: { isbn }, needs: { shelf, covers } }) => {
    const cover = O.toUndefined(await covers.find(isbn))
    return pipe(
      await shelf.find(isbn),
      E.fromOption(() => noSuchBook(isbn)),
      E.map((found) => ({ isbn, book: found, cover })),
    )
  }),
)

export const coverRoutes = routes({ setCover, getCover, getDossier })
