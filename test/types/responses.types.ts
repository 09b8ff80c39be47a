/** Types of responses: a handler returns the declared ones only. */
import { expectTypeOf } from 'expect-type'
import * as Either from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Context } from '../../src/index.ts'
import {
  accepted,
  as,
  body,
  cache,
  created,
  del,
  etag,
  fails,
  get,
  handle,
  implement,
  int,
  json,
  list,
  noCache,
  noContent,
  notFound,
  ok,
  path,
  post,
  produces,
  reply,
  representation,
  responds,
  responseHeader,
  seeOther,
  status,
  string,
  text,
  withCookie,
  withHeader,
} from '../../src/index.ts'

const Book = t.type({ isbn: t.string, pages: t.number })
const Missing = t.type({ _tag: t.literal('Missing'), isbn: t.string })
const book = { isbn: '9780000000000', pages: 1 }
const missing = { _tag: 'Missing', isbn: '' } as const
const other = { _tag: 'Other' } as const
const books = path('/books')
const vendor = as('application/vnd.library+json')

// produced values are returned directly or in a 200 reply
const one = pipe(books, get(), produces(json(Book), vendor(json(Book))))
implement(one, () => book)
implement(one, () => ok(book))
implement(one, () => reply(200, book))
implement(one, () => pipe(ok(book), withHeader('X-A', 'b'), etag('v1')))
implement(one, () => pipe(ok(book), withCookie({ name: 'seen', value: '1' })))
// @ts-expect-error pages is a number
implement(one, () => ({ isbn: '', pages: '1' }))
// @ts-expect-error pages is missing
implement(one, () => ({ isbn: '' }))
// @ts-expect-error a promise of the wrong value
implement(one, async () => ({ isbn: '', pages: '1' }))
// @ts-expect-error nothing is not a book
implement(one, () => undefined)
// @ts-expect-error R-043: what is still awaited is no entity; the reply is awaited with it
implement(one, () => ok(Promise.resolve(book)))
implement(one, () => Promise.resolve(book).then(ok))
// @ts-expect-error a reply of 200 has the entity too
implement(one, () => reply(200))
// @ts-expect-error the entity of a reply is a book
implement(one, () => ok({ isbn: '' }))
// @ts-expect-error 202 is not declared
implement(one, () => accepted(book))
// @ts-expect-error 404 is not declared
implement(one, () => notFound())
// @ts-expect-error 204 is not declared
implement(one, async () => noContent)
// @ts-expect-error a header does not make 202 a 200
implement(one, () => pipe(accepted(book), withHeader('X-A', 'b')))

// a scalar codec is text/plain; representations may be custom
const count = pipe(books, get(), produces(int))
implement(count, () => 1)
// @ts-expect-error not a number
implement(count, () => '1')
const csv = representation({ mediaType: 'text/csv', write: (row: Set<number>) => [...row].join() })
const rows = pipe(books, get(), produces(string, csv))
implement(rows, () => '1,2')
implement(rows, () => new Set([1, 2]))
// @ts-expect-error not a number in it
implement(rows, () => new Set(['1']))
// @ts-expect-error an object does not say how it travels
produces(Book)

// without declarations, nothing is returned
const silent = pipe(books, post())
implement(silent, () => undefined)
implement(silent, () => {})
implement(silent, async () => {})
implement(silent, () => noContent)
// @ts-expect-error no content was declared
implement(silent, () => book)
// @ts-expect-error 200 is not declared
implement(silent, () => ok(book))

// another status for produced values
const made = pipe(books, post(), body(json(Book)), status(201), produces(json(Book)))
implement(made, ({ body: given }) => given)
implement(made, ({ body: given }) => created('/books/1', given))
// @ts-expect-error 200 is no longer it
implement(made, ({ body: given }) => ok(given))
const later = pipe(books, status(200), post(), produces(text), status(202))
implement(later, () => accepted('later'))
const reset = pipe(books, post(), status(205))
implement(reset, () => reply(205))
// @ts-expect-error 204 is no longer it
implement(reset, () => noContent)

// other responses are returned as replies, also with several representations
const both = pipe(
  books,
  post(),
  produces(json(Book)),
  responds(201, json(Book), vendor(json(Book))),
  responds(303),
)
implement(both, () => book)
implement(both, () => created('/books/1', book))
implement(both, async () => seeOther('/books/1'))
// @ts-expect-error 201 has a book
implement(both, () => created('/books/1'))
// @ts-expect-error 303 has no content
implement(both, () => reply(303, book))
const only = pipe(books, post(), responds(201, json(Book), text))
implement(only, () => created('/books/1', 'as text'))
// @ts-expect-error not produced, so it has to be a reply
implement(only, () => book)
// @ts-expect-error something has to be returned
implement(only, () => undefined)

// a reply without a body has none, whatever other replies are declared
const mixed = pipe(books, post(), produces(json(Book)), responds(201), responds(202), fails(404))
implement(mixed, () => created('/books/1'))
implement(mixed, () => accepted())
implement(mixed, async () => notFound())
implement(mixed, () => Either.left(notFound()))
implement(mixed, () => pipe(accepted(), withHeader('X-A', 'b')))
implement(mixed, () => withHeader('X-A', 'b')(created('/books/1')))
pipe(
  mixed,
  handle(() => notFound()),
)
// @ts-expect-error 404 has no content
implement(mixed, () => notFound(book))

// failures are returned as replies, or their bodies as a `Left`
const failing = pipe(one, fails(404, json(Missing)), fails(409, text), fails(410))
implement(failing, () => book)
implement(failing, () => reply(404, missing))
implement(failing, () => Either.left(missing))
implement(failing, () => TE.left('taken'))
implement(failing, () => Either.left(reply(409, 'taken')))
implement(failing, () => reply(410))
// @ts-expect-error a failure is not a value
implement(failing, () => missing)
// @ts-expect-error 404 comes with its content
implement(failing, () => notFound())
// @ts-expect-error 404 comes with its own content
implement(failing, () => reply(404, 'taken'))
// @ts-expect-error an undeclared failure
implement(failing, () => Either.left(other))
// @ts-expect-error an undeclared failure among declared ones
implement(failing, () => TE.left(book.pages === 0 ? missing : other))
// @ts-expect-error an undeclared status as a failure
implement(failing, () => Either.left(reply(403, 'no')))
// @ts-expect-error nothing was said to fail
implement(one, () => Either.left('no'))

// operations inherit responses of the resource; they override produced values and add the rest
const library = pipe(books, produces(json(Book)), fails(403, text), responseHeader('X-A', 'b'))
pipe(
  library,
  get('/{isbn}'),
  cache({ maxAge: 60 }),
  handle(({ path: { isbn } }) => (isbn === '' ? reply(403, 'no') : book)),
)
const all = pipe(library, get(), produces(json(list(Book))), fails(404, json(Missing)))
implement(all, () => (book.pages === 0 ? Either.left(missing) : Either.right([book])))
implement(all, () => Either.left('the 403 of the resource'))
// @ts-expect-error overridden
implement(all, () => book)
// the last declaration counts
const last = pipe(books, get(), produces(text), produces(json(Book)))
implement(last, () => book)
// @ts-expect-error the first one does not
implement(last, () => 'text')
pipe(
  library,
  get(),
  handle(() => book),
  // steps that do not change the type may follow the handler
  noCache('Set-Cookie'),
  responseHeader('X-B', 'c'),
  (endpoint) => void expectTypeOf(endpoint.run).parameters.toEqualTypeOf<[{}, Context]>(),
)

// an operation removes what its resource produces
const gone = pipe(library, del(), produces(), responds(204))
implement(gone, () => noContent)
// @ts-expect-error what is left is a reply
implement(gone, () => undefined)
// @ts-expect-error taken away
implement(gone, () => book)
// @ts-expect-error taken away, under its status too
implement(gone, () => ok(book))
const quiet = pipe(library, del(), produces())
implement(quiet, () => undefined)
implement(quiet, () => noContent)
implement(quiet, () => reply(403, 'no'))
// @ts-expect-error without content the status is 204
implement(quiet, () => reply(200))
// @ts-expect-error taken away
implement(quiet, () => book)

// a status is declared once
pipe(
  one,
  fails(404, json(Missing)),
  // @ts-expect-error 404 twice
  fails(404, text),
  handle(() => book),
)
pipe(
  one,
  responds(201, json(Book)),
  fails(404),
  // @ts-expect-error 201 twice
  responds(201, json(Book)),
  handle(() => book),
)
pipe(
  library,
  get(),
  // @ts-expect-error the resource has 403 already
  fails(403, json(Missing)),
  handle(() => book),
)
