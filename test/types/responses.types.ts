/** Types of responses: a handler returns the declared ones only. */
import { expectTypeOf } from 'expect-type'
import * as Either from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Context, Reply } from '../../src/index.ts'
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
const getOne = pipe(books, get(), produces(json(Book), vendor(json(Book))))
implement(getOne, () => book)
implement(getOne, () => ok(book))
implement(getOne, () => reply(200, book))
implement(getOne, () => pipe(ok(book), withHeader('X-A', 'b'), etag('v1')))
implement(getOne, () => pipe(ok(book), withCookie({ name: 'seen', value: '1' })))
// @ts-expect-error pages is a number
implement(getOne, () => ({ isbn: '', pages: '1' }))
// @ts-expect-error pages is missing
implement(getOne, () => ({ isbn: '' }))
// @ts-expect-error a promise of the wrong value
implement(getOne, async () => ({ isbn: '', pages: '1' }))
// @ts-expect-error `undefined` is not a book
implement(getOne, () => undefined)
// @ts-expect-error the entity of a reply is not a promise; the reply may be getOne
implement(getOne, () => ok(Promise.resolve(book)))
implement(getOne, () => Promise.resolve(book).then(ok))
// @ts-expect-error a 200 reply without an entity
implement(getOne, () => reply(200))
// @ts-expect-error a 200 reply with another entity
implement(getOne, () => ok({ isbn: '' }))
// @ts-expect-error 202 is not declared
implement(getOne, () => accepted(book))
// @ts-expect-error 404 is not declared
implement(getOne, () => notFound())
// @ts-expect-error 204 is not declared
implement(getOne, async () => noContent)
// @ts-expect-error a reply with a header and an undeclared status
implement(getOne, () => pipe(accepted(book), withHeader('X-A', 'b')))

// a scalar codec is text/plain; representations may be custom
const count = pipe(books, get(), produces(int))
implement(count, () => 1)
// @ts-expect-error not a number
implement(count, () => '1')
const csv = representation({ mediaType: 'text/csv', write: (row: Set<number>) => [...row].join() })
const rows = pipe(books, get(), produces(csv))
implement(rows, () => new Set([1, 2]))
// @ts-expect-error a set of another type
implement(rows, () => new Set(['1']))
// @ts-expect-error an object codec needs a representation
produces(Book)

// a handler without declared responses returns nothing
const silent = pipe(books, post())
implement(silent, () => undefined)
implement(silent, () => {})
implement(silent, async () => {})
implement(silent, () => noContent)
// @ts-expect-error undeclared body
implement(silent, () => book)
// @ts-expect-error 200 is not declared
implement(silent, () => ok(book))

// `status` changes the status of produced values
const createBook = pipe(books, post(), body(json(Book)), status(201), produces(json(Book)))
implement(createBook, ({ body: received }) => received)
implement(createBook, ({ body: received }) => created('/books/1', received))
// @ts-expect-error 200 was replaced by 201
implement(createBook, ({ body: received }) => ok(received))
const later = pipe(books, status(200), post(), produces(text), status(202))
implement(later, () => accepted('later'))
const reset = pipe(books, post(), status(205))
implement(reset, () => reply(205))
// @ts-expect-error 204 was replaced by 205
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
// @ts-expect-error missing body of 201
implement(both, () => created('/books/1'))
// @ts-expect-error 303 has no body
implement(both, () => reply(303, book))
const page = representation({
  mediaType: 'text/html',
  write: ({ isbn }: t.TypeOf<typeof Book>) => isbn,
})
const only = pipe(books, post(), responds(201, json(Book), page))
implement(only, () => created('/books/1', book))

// the only success response is the default
implement(only, () => book)
implement(only, async () => book)
implement(only, () => Either.right(book))
implement(only, () => TE.right(reply(201, book)))
// @ts-expect-error pages is missing
implement(only, () => ({ isbn: '' }))
// @ts-expect-error missing value
implement(only, () => undefined)
// @ts-expect-error 200 is not declared
implement(only, () => ok(book))
const orMissing = pipe(books, post(), responds(201, json(Book)), fails(404, json(Missing)))
implement(orMissing, () => (book.pages === 0 ? book : Either.left(missing)))
// @ts-expect-error a failure is not the default
implement(orMissing, () => missing)
const received = pipe(books, post(), responds(202))
implement(received, () => {})
implement(received, () => accepted())
// @ts-expect-error 202 has no body
implement(received, () => book)
// @ts-expect-error 204 is not declared
implement(received, () => noContent)
const many = pipe(books, post(), responds(201, json(Book)), responds(202))
implement(many, () => created('/books/1', book))
implement(many, () => accepted())
// @ts-expect-error a value with multiple responses must be a reply
implement(many, () => book)
// @ts-expect-error missing reply
implement(many, () => undefined)
const redirect = pipe(books, post(), responds(303))
implement(redirect, () => seeOther('/books/1'))
// @ts-expect-error a redirect must be a reply
implement(redirect, () => undefined)
const withStatus = pipe(books, post(), status(202), responds(201, json(Book)))
implement(withStatus, () => created('/books/1', book))
// @ts-expect-error a value with a second success status must be a reply
implement(withStatus, () => book)

// the type of a reply without a body does not depend on other declared replies
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
// @ts-expect-error 404 has no body
implement(mixed, () => notFound(book))

// failures are returned as replies, or their bodies as a `Left`
const failing = pipe(getOne, fails(404, json(Missing)), fails(409, text), fails(410))
implement(failing, () => book)
implement(failing, () => reply(404, missing))
implement(failing, () => Either.left(missing))
implement(failing, () => TE.left('taken'))
implement(failing, () => Either.left(reply(409, 'taken')))
implement(failing, () => reply(410))
// @ts-expect-error a failure is not a value
implement(failing, () => missing)
// @ts-expect-error missing body of 404
implement(failing, () => notFound())
// @ts-expect-error the body of another failure
implement(failing, () => reply(404, 'taken'))
// @ts-expect-error an undeclared failure
implement(failing, () => Either.left(other))
// @ts-expect-error an undeclared failure among declared ones
implement(failing, () => TE.left(book.pages === 0 ? missing : other))
// @ts-expect-error an undeclared status as a failure
implement(failing, () => Either.left(reply(403, 'no')))
// @ts-expect-error no declared failures
implement(getOne, () => Either.left('no'))

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
// @ts-expect-error the overridden value
implement(all, () => book)
// a second declaration at the same level is an error
const twice = pipe(books, get(), produces(text), produces(json(Book)))
// @ts-expect-error twice on the operation
implement(twice, () => book)
const again = pipe(library, produces(text), get())
// @ts-expect-error twice on the resource
implement(again, () => 'text')
const thrice = pipe(library, get(), produces(text), produces(json(Book)))
// @ts-expect-error twice on the operation of a resource
implement(thrice, () => book)
const statusTwice = pipe(books, post(), status(201), produces(text), status(202))
// @ts-expect-error two statuses
implement(statusTwice, () => 'text')
const statusAgain = pipe(books, status(201), produces(text), post(), produces(text), status(202))
implement(statusAgain, () => accepted('text'))
pipe(
  library,
  get(),
  handle(() => book),
  // steps that do not change the type may follow the handler
  noCache('Set-Cookie'),
  responseHeader('X-B', 'c'),
  (endpoint) => void expectTypeOf(endpoint.run).parameters.toEqualTypeOf<[{}, Context]>(),
)

// an operation can remove the produced values of its resource
const gone = pipe(library, del(), produces(), responds(204))
implement(gone, () => noContent)
implement(gone, () => undefined)
// @ts-expect-error a removed value
implement(gone, () => book)
// @ts-expect-error a removed value with its status
implement(gone, () => ok(book))
const quiet = pipe(library, del(), produces())
implement(quiet, () => undefined)
implement(quiet, () => noContent)
implement(quiet, () => reply(403, 'no'))
// @ts-expect-error the status is 204 without a body
implement(quiet, () => reply(200))
// @ts-expect-error a removed value
implement(quiet, () => book)

// a status is declared once
pipe(
  getOne,
  fails(404, json(Missing)),
  // @ts-expect-error a duplicate 404
  fails(404, text),
  handle(() => book),
)
pipe(
  getOne,
  responds(201, json(Book)),
  fails(404),
  // @ts-expect-error a duplicate 201
  responds(201, json(Book)),
  handle(() => book),
)
pipe(
  library,
  get(),
  // @ts-expect-error the resource already has 403
  fails(403, json(Missing)),
  handle(() => book),
)

// a reply with one of multiple declared statuses
declare const emptied: Reply<204 | 205, void>
implement(pipe(path('/'), get(), responds(204), responds(205)), () => emptied)
implement(pipe(path('/'), get(), produces(text), responds(204), responds(205)), () =>
  Math.random() > 0.5 ? emptied : 'a',
)
// @ts-expect-error 205 is not declared
implement(pipe(path('/'), get(), produces(text), responds(204)), () => emptied)
