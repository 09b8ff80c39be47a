/** Operations on book covers. Librarians upload a cover with a form, and clients download it as a file. */
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
  summary,
  tags,
} from 'espalier'
import { rel } from 'espalier/links'
import * as Books from '../domain/book.ts'
import { CoverStore, BookStore } from '../domain/book.ts'

const book = pipe(
  path('/books/{isbn:\\d{13}}', { isbn: Books.Isbn }),
  needs({ bookStore: BookStore }),
)
const noSuchBook = (isbn: string): Books.NoSuchBook => ({ _tag: 'NoSuchBook', isbn })

/** The supported media types of covers, each with its file extension. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
])

export const setCover = pipe(
  book,
  put('/cover'),
  summary('Upload a cover'),
  needs({ covers: CoverStore }),
  rolesAllowed('librarian'),
  form({ cover: upload }),
  responds(204),
  fails(404, json(Books.NoSuchBook)),
  fails(422, text),
  handle(async ({ path: { isbn }, form: { cover }, needs: { bookStore, covers } }) => {
    const extension = extensions.get(cover.contentType)
    if (extension === undefined)
      return E.left(`Unsupported media type. Supported: ${[...extensions.keys()].join(', ')}.`)
    if (O.isNone(await bookStore.find(isbn))) return E.left(noSuchBook(isbn))
    await covers.keep(isbn, extension, cover.path)
    return E.right(noContent)
  }),
)

export const getCover = pipe(
  book,
  get('/cover'),
  summary('Download a cover'),
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

/** Returns a multipart response that contains a book and, if available, its cover. */
export const getDossier = pipe(
  book,
  get('/dossier'),
  summary('Get a book together with its cover'),
  needs({ covers: CoverStore }),
  produces(multipartOutput({ isbn: string, book: json(Books.Book), cover: file })),
  fails(404, json(Books.NoSuchBook)),
  rel('alternate', { title: 'Book with cover', type: 'multipart/form-data', entity: Books.Book }),
  handle(async ({ path: { isbn }, needs: { bookStore, covers } }) => {
    const cover = O.toUndefined(await covers.find(isbn))
    return pipe(
      await bookStore.find(isbn),
      E.fromOption(() => noSuchBook(isbn)),
      E.map((found) => ({ isbn, book: found, cover })),
    )
  }),
)

export const coverRoutes = pipe(routes({ setCover, getCover, getDossier }), tags('books'))
