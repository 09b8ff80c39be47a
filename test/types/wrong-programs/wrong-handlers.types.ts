/** Wrong handlers: results, failures, replies, inputs and the place of the handler. `../messages.test.ts` describes the format. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import {
  body,
  created,
  del,
  fails,
  get,
  handle,
  implement,
  int,
  json,
  jsonStream,
  list,
  noContent,
  notFound,
  path,
  post,
  produces,
  reply,
  seeOther,
  text,
} from '../../../src/index.ts'

const Book = t.type({ title: t.string, pages: int })
const Missing = t.type({ _tag: t.literal('Missing') })
const book = { title: 'Emma', pages: 512 }
const found: typeof book | undefined = [book].find(({ pages }) => pages > 1)
const getBook = pipe(path('/books/{isbn}'), get(), produces(json(Book)))
const listBooks = pipe(path('/books'), get(), produces(json(list(Book))))
const streamBooks = pipe(path('/books'), get(), produces(jsonStream(Book)))
const addBook = pipe(path('/books'), post(), body(json(Book)))
const remove = pipe(path('/books/{isbn}'), del())
const sayHello = pipe(path('/hello'), get(), produces(text))
const handled = implement(remove, () => undefined)

// remedy: a failure in a TaskEither without `fails`
// @ts-expect-error the failure is not declared: add fails(status, …) or raises
implement(getBook, () => TE.left({ _tag: 'Missing' as const }))
//                       ^
// remedy: a failure in an Either without `fails`
// @ts-expect-error the failure is not declared: add fails(status, …) or raises
implement(getBook, () => E.left({ _tag: 'Missing' as const }))
//                       ^
// remedy: a failure in a promise without `fails`
// @ts-expect-error the failure is not declared: add fails(status, …) or raises
implement(getBook, async () => E.left('missing'))
//                             ^
// remedy: a failure or a value without `fails`
// @ts-expect-error the failure is not declared: add fails(status, …) or raises
implement(getBook, () => (Math.random() > 0.5 ? E.right(book) : E.left('missing')))
//                       ^
// remedy: a failure without `fails`, in a pipe
pipe(
  path('/books'),
  get(),
  produces(json(Book)),
  // @ts-expect-error the failure is not declared: add fails(status, …) or raises
  handle(() => TE.left({ _tag: 'Missing' as const })),
  //           ^
)
// difference: a failure of another type
// @ts-expect-error Type '"Gone"' is not assignable to type '"Missing"'
// in TypeScript 5.9: Type '{ _tag: "Gone"; }' is missing the following properties from type 'Reply<404, { _tag: "Missing"; }>': status, entity, headers
implement(pipe(getBook, fails(404, json(Missing))), () => E.left({ _tag: 'Gone' as const }))
//                                                        ^
// remedy: a failure in an operation without a body
// @ts-expect-error the failure is not declared: add fails(status, …) or raises
implement(remove, () => E.left('missing'))
//                      ^
// remedy: a response as an object with a status
// @ts-expect-error use reply(status, value), or return the value
implement(getBook, () => ({ status: 404, body: 'not found' }))
//                       ^
// remedy: a response as an object with a status code
// @ts-expect-error use reply(status, value), or return the value
implement(getBook, () => ({ statusCode: 404, body: 'not found' }))
//                       ^
// remedy: a response as an object with a status and the declared body
// @ts-expect-error use reply(status, value), or return the value
implement(getBook, () => ({ status: 200, body: book }))
//                       ^
// remedy: a response of the Fetch standard
// @ts-expect-error use reply(status, value), or return the value
implement(getBook, () => Response.json(book))
//                       ^
// remedy: a new response of the Fetch standard
// @ts-expect-error use reply(status, value), or return the value
implement(getBook, () => new Response('hello'))
//                       ^
// remedy: a response of the Fetch standard without a declared body
// @ts-expect-error use reply(status, value), or return the value
implement(remove, () => new Response('hello'))
//                      ^
// remedy: a response as an object without a declared body
// @ts-expect-error use reply(status, value), or return the value
implement(remove, () => ({ status: 404 }))
//                      ^
// remedy: an undeclared status with a body
// @ts-expect-error the status is not declared: add responds(…) or fails(…)
implement(getBook, () => reply(404, 'not found'))
//                       ^
// remedy: an undeclared status in a promise
// @ts-expect-error the status is not declared: add responds(…) or fails(…)
implement(getBook, async () => found ?? notFound())
//                             ^
// remedy: `created` without `responds`
// @ts-expect-error the status is not declared: add responds(…) or fails(…)
implement(addBook, () => created('/books/1'))
//                       ^
// remedy: `noContent` without `responds`
// @ts-expect-error the status is not declared: add responds(…) or fails(…)
implement(getBook, () => noContent)
//                       ^
// remedy: a redirect without `responds`
// @ts-expect-error the status is not declared: add responds(…) or fails(…)
implement(getBook, () => seeOther('/books/1'))
//                       ^
// difference: a body of the wrong type with a declared status
// @ts-expect-error Type 'string' is not assignable to type '{ _tag: "Missing"; }'
implement(pipe(getBook, fails(404, json(Missing))), () => reply(404, 'not found'))
//                                                        ^
// difference: a declared status without its body
// @ts-expect-error Type 'void' is not assignable to type '{ _tag: "Missing"; }'
implement(pipe(getBook, fails(404, json(Missing))), () => reply(404))
//                                                        ^
// remedy: a missing member
// @ts-expect-error Property 'pages' is missing in type '{ title: string; }' but required in type '{ title: string; pages: number; }'
implement(getBook, () => ({ title: 'Emma' }))
//                       ^
// difference: a member of the wrong type
// @ts-expect-error Type 'string' is not assignable to type 'number'
implement(getBook, () => ({ title: 'Emma', pages: '512' }))
//                                         ^
// difference: a list instead of an object
// @ts-expect-error Type '{ title: string; pages: number; }[]' is not assignable to type '…'
implement(getBook, () => [book])
//                       ^
// difference: an object instead of a list
// @ts-expect-error Type '{ title: string; pages: number; }' is not assignable to type '…'
implement(listBooks, () => book)
//                         ^
// difference: a number instead of a text
// @ts-expect-error Type 'number' is not assignable to type '…'
implement(sayHello, () => 1)
//                        ^
// difference: nothing although a body is declared
// @ts-expect-error Type 'void' is not assignable to type '…'
implement(getBook, () => {})
//                 ^
// difference: `null` although a body is declared
// @ts-expect-error Type 'null' is not assignable to type '…'
implement(getBook, () => null)
//                       ^
// difference: a promise as a member
// @ts-expect-error Type 'Promise<string>' is not assignable to type 'string'
implement(getBook, () => ({ title: Promise.resolve('Emma'), pages: 1 }))
//                          ^
// remedy: an `Option` as a result
// @ts-expect-error declare fails(404), and return pipe(option, O.getOrElseW(() => reply(404)))
implement(getBook, () => O.some(book))
//                       ^
// difference: a value of the wrong type in a TaskEither
// @ts-expect-error Type 'string' is not assignable to type '…'
implement(getBook, () => TE.right('Emma'))
//                       ^
// difference: an error as a result
// @ts-expect-error Type 'Error' is missing the following properties from type 'HttpError': _tag, status, detail, reply, and 6 more
implement(getBook, () => new Error('not found'))
//                       ^
// remedy: an object without a declared body
// @ts-expect-error no response body is declared: add produces(…) before handle
implement(remove, () => book)
//                      ^
// difference: a value instead of a handler
// @ts-expect-error Type '{ title: string; pages: number; }' provides no match for the signature '…'
implement(getBook, book)
//                 ^
// difference: query parameters that are not declared
// @ts-expect-error Property 'query' does not exist on type '…'
implement(getBook, ({ query }) => query)
//                    ^
// difference: parameters as in Express
// @ts-expect-error Property 'params' does not exist on type '…'
implement(getBook, ({ params }) => params)
//                    ^
// remedy: a misspelled variable
// @ts-expect-error Property 'ISBN' does not exist on type '{ readonly isbn: string; }'. Did you mean 'isbn'?
implement(getBook, (input) => input.path.ISBN)
//                                       ^
// difference: a parameter of the wrong type
// @ts-expect-error Type 'string' is not assignable to type 'number'
implement(getBook, ({ path: { isbn } }) => ({ title: 'Emma', pages: isbn }))
//                                                           ^
// difference: the response object of Express
// @ts-expect-error Property 'json' does not exist on type 'Context'
implement(getBook, (_, response) => response.json(book))
//                                           ^
// difference: an annotated parameter of the wrong type
// @ts-expect-error Type 'string' is not assignable to type 'number'
implement(getBook, ({ path: { isbn } }: { readonly path: { readonly isbn: number } }) => ({
  //               ^
  title: 'Emma',
  pages: isbn,
}))
// remedy: a handler without a method
pipe(
  path('/x'),
  // @ts-expect-error the endpoint has no method: add get(), post(), put(), patch(), del() or method(…) before handle
  produces(text),
  handle(() => 'x'),
)
// remedy: a method after the handler
pipe(
  // @ts-expect-error the endpoint has no method: add get(), post(), put(), patch(), del() or method(…) before handle
  path('/x'),
  handle(() => undefined),
  get(),
)
// remedy: a second handler
pipe(
  // @ts-expect-error the endpoint already has a handler: remove this step, or move it before handle
  handled,
  handle(() => undefined),
)
// remedy: a body after the handler
// @ts-expect-error the endpoint already has a handler: remove this step, or move it before handle
pipe(handled, produces(text))
//            ^
// difference: a number in a stream of books
// @ts-expect-error Type 'number' is not assignable to type '{ title: string; pages: number; }'
implement(streamBooks, () => [1])
//                            ^
// difference: a Location header in `reply`
// @ts-expect-error Expected 1-2 arguments, but got 3
reply(201, book, { Location: '/books/1' })
//               ^
