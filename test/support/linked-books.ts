/** A route tree of books with links, in JSON and HAL. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { addLinks, hal, halCollection, halEntity } from '../../src/hal.ts'
import {
  body,
  created,
  del,
  fails,
  get,
  handle,
  int,
  json,
  list,
  ndjson,
  noContent,
  notFound,
  ok,
  optional,
  path,
  post,
  produces,
  put,
  query,
  responds,
  routes,
} from '../../src/index.ts'
import { injectLinks, rel } from '../../src/links.ts'

/** Returns the links of the `Link` header, with `…` for the origin of absolute URLs. */
export const linksIn = (response: Response): ReadonlyArray<string> =>
  (response.headers.get('Link') ?? '')
    .split(/, (?=<)/)
    .filter((link) => link !== '')
    .map((link) => link.replace(/^<http:\/\/[\w.:]+(?=\/)/, '<…'))

export const Book = t.type({ id: int, slug: t.string, title: t.union([t.string, t.null]) }, 'Book')
export const NewBook = t.type({ title: t.string }, 'NewBook')

const shelf: ReadonlyArray<t.TypeOf<typeof Book>> = [
  { id: 1, slug: 'emma', title: 'Emma' },
  { id: 2, slug: 'a/b c', title: null },
]

const findBook = (id: number): t.TypeOf<typeof Book> | undefined =>
  shelf.find((book) => book.id === id)

const books = path('/books')
const book = path('/books/{id}', { id: int })

export const linkedBooks = routes({
  list: pipe(
    books,
    get(),
    query({ page: optional(int) }),
    produces(json(list(Book)), hal(list(Book))),
    rel(),
    injectLinks(),
    handle(() => shelf),
  ),
  get: pipe(
    book,
    get(),
    produces(json(Book), hal(Book)),
    fails(404),
    rel(),
    injectLinks('instance'),
    handle(({ path: { id } }) => {
      const found = findBook(id)
      return found === undefined ? notFound() : ok(found)
    }),
  ),
  add: pipe(
    books,
    post(),
    body(json(NewBook)),
    responds(201),
    rel(),
    handle(() => created('/books/3')),
  ),
  replace: pipe(
    book,
    put(),
    body(json(Book), hal(Book)),
    produces(json(Book)),
    rel(undefined, { title: 'Replace it', type: 'application/json' }),
    handle((input) => input.body),
  ),
  remove: pipe(
    book,
    del(),
    rel(),
    injectLinks('instance'),
    handle(() => noContent),
  ),
  bySlug: pipe(
    path('/books/by/{slug}'),
    get(),
    produces(json(Book)),
    rel('alternate', { entity: 'Book' }),
    handle(() => shelf[0] ?? { id: 0, slug: '', title: null }),
  ),
  either: pipe(
    path('/books/either/{slugOrId}'),
    get(),
    produces(json(Book)),
    rel('alternate'),
    handle(() => shelf[0] ?? { id: 0, slug: '', title: null }),
  ),
  quiet: pipe(
    path('/quiet'),
    get(),
    produces(json(list(Book))),
    handle(() => shelf),
  ),
  absent: pipe(
    path('/absent'),
    get(),
    produces(json(optional(Book)), hal(optional(Book))),
    injectLinks('instance'),
    handle(() => undefined),
  ),
  absentByType: pipe(
    path('/absent-by-type'),
    get(),
    produces(json(optional(Book))),
    injectLinks('type'),
    handle(() => undefined),
  ),
  null: pipe(
    path('/null'),
    get(),
    produces(json(t.union([Book, t.null]))),
    injectLinks('instance'),
    handle(() => null),
  ),
  stream: pipe(
    path('/stream'),
    get(),
    produces(ndjson(Book)),
    injectLinks('instance'),
    handle(() => shelf),
  ),
  wrapped: pipe(
    path('/wrapped'),
    get(),
    produces(json(Book), hal(Book, { curies: { acme: 'https://docs.example/{rel}' } })),
    injectLinks('instance'),
    handle(() =>
      pipe(
        halEntity(shelf[0] ?? { id: 0, slug: '', title: null }),
        addLinks({ rel: 'acme:cover', target: '/cover/1', title: 'Cover', type: 'image/png' }),
        addLinks({ rel: 'self', target: '/wrapped' }, { rel: 'find', target: '/books{?q}' }),
      ),
    ),
  ),
  pages: pipe(
    path('/pages'),
    get(),
    produces(json(list(Book)), hal(list(Book), { collection: 'shelf' })),
    handle(() =>
      pipe(
        halCollection(
          shelf.map((entry) =>
            entry.id === 1
              ? pipe(halEntity(entry), addLinks({ rel: 'first', target: '/1' }))
              : entry,
          ),
          'books',
        ),
        addLinks({ rel: 'next', target: '/pages?page=2' }),
      ),
    ),
  ),
  named: pipe(
    path('/named'),
    get(),
    produces(hal(list(Book), { collection: 'shelf' })),
    handle(() => []),
  ),
})
