/**
 * The last lines of error messages, which state the remedy or, for a result of a wrong type, the types that differ. The text of a `@ts-expect-error` comment is the end of the last line,
 * and the comment above it is the title of a test in `messages.test.ts`.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { timeout } from '../../src/client.ts'
import type { StandardSchema } from '../../src/index.ts'
import {
  body,
  cache,
  cors,
  created,
  fails,
  form,
  fromStandardSchema,
  get,
  handle,
  implement,
  implementAll,
  int,
  json,
  jsonStream,
  jwt,
  limits,
  list,
  method,
  needs,
  next,
  path,
  post,
  prefix,
  produces,
  provide,
  query,
  raises,
  reply,
  requestFilter,
  responds,
  routes,
  slot,
  status,
  text,
  withFilter,
} from '../../src/index.ts'

import { describeRoutes, serve } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import { xml } from '../../src/xml.ts'

const Book = t.type({ isbn: t.string, pages: t.number })
const book = { isbn: '9780000000000', pages: 1 }
const books = pipe(path('/books'), get())

// an object without `produces`
// @ts-expect-error no response body is declared: add produces(…) before handle
implement(books, () => book)
//                     ^
// an object without `produces`, in a pipe
// @ts-expect-error no response body is declared: add produces(…) before handle
pipe(books, (endpoint) => implement(endpoint, () => book))
//                                                  ^
// a string without `produces`
// @ts-expect-error no response body is declared: add produces(…) before handle
implement(books, () => 'Emma')
//                     ^
// an array without `produces`
// @ts-expect-error no response body is declared: add produces(…) before handle
implement(books, () => [book])
//                      ^
// a promise without `produces`
// @ts-expect-error no response body is declared: add produces(…) before handle
implement(books, async () => book)
//                           ^
// an object without `produces`, with a declared failure
// @ts-expect-error no response body is declared: add produces(…) before handle
implement(pipe(books, fails(404, text)), () => book)
//                                             ^
// an object with a declared response that has no body
// @ts-expect-error no response body is declared: add produces(…) before handle
implement(pipe(books, responds(204)), () => book)
//                                          ^

const multiple = pipe(books, responds(201, json(Book)), responds(202))
// an object with multiple declared responses
// @ts-expect-error no default response is declared: return a reply with a declared status, or a value, and add produces(…) before handle
implement(multiple, () => book)
//                        ^
// nothing with multiple declared responses
// @ts-expect-error no default response is declared: return a reply with a declared status, or a value, and add produces(…) before handle
implement(multiple, () => undefined)
//                        ^
// nothing with a declared redirect
// @ts-expect-error no default response is declared: return a reply with a declared status, or a value, and add produces(…) before handle
implement(pipe(books, responds(303)), () => undefined)
//                                          ^

const getBook = pipe(books, produces(json(Book)))
const found: typeof book | undefined = [book].find(({ pages }) => pages > 1)
// an undeclared status
// @ts-expect-error the status is not declared: add responds(…) or fails(…)
implement(getBook, () => reply(404))
//                       ^
// an undeclared status or a value
// @ts-expect-error the status is not declared: add responds(…) or fails(…)
implement(getBook, () => found ?? reply(404))
//                       ^
// `created` without `responds`
// @ts-expect-error the status is not declared: add responds(…) or fails(…)
implement(pipe(path('/books'), post()), () => created('/books/1'))
//                                            ^
// a missing member
// @ts-expect-error Property 'pages' is missing in type '{ isbn: string; }' but required in type '{ isbn: string; pages: number; }'
implement(getBook, () => ({ isbn: '1' }))
//                       ^
// a value that may be undefined
// @ts-expect-error Type 'undefined' is not assignable to type 'Returns<never, Reply<200, { isbn: string; pages: number; }> | { isbn: string; pages: number; }>'
// in TypeScript 5.9: Type 'undefined' is not assignable to type 'Returns<never, { isbn: string; pages: number; } | Reply<200, { isbn: string; pages: number; }>>'
implement(getBook, () => found)
//                       ^

const handled = pipe(
  books,
  handle(() => undefined),
)
// `produces` after `handle`
// @ts-expect-error the endpoint already has a handler: remove this step, or move it before handle
pipe(handled, produces(json(Book)))
//            ^
// `query` after `handle`
// @ts-expect-error the endpoint already has a handler: remove this step, or move it before handle
pipe(handled, query({ page: int }))
//            ^
// `body` after `handle`
// @ts-expect-error the endpoint already has a handler: remove this step, or move it before handle
pipe(handled, body(json(Book)))
//            ^
// `fails` after `handle`
// @ts-expect-error the endpoint already has a handler: remove this step, or move it before handle
pipe(handled, fails(404))
//            ^
// `handle` after `handle`
// @ts-expect-error the endpoint already has a handler: remove this step, or move it before handle
implement(handled, () => undefined)
//        ^

// `get` without parentheses
// @ts-expect-error the operation is not called: add parentheses, as in get() or method('REPORT')()
pipe(path('/books'), get)
//   ^
// `get` without parentheses, followed by another step
// @ts-expect-error the operation is not called: add parentheses, as in get() or method('REPORT')()
pipe(path('/books'), get, produces(json(Book)))
//   ^
// `post` without parentheses, after another step
// @ts-expect-error the operation is not called: add parentheses, as in get() or method('REPORT')()
pipe(path('/books'), produces(json(Book)), post)
//                   ^
// a custom method without parentheses
// @ts-expect-error the operation is not called: add parentheses, as in get() or method('REPORT')()
pipe(path('/books'), method('REPORT'))
//   ^

const streamed = pipe(books, produces(jsonStream(Book)))
// an array with elements of the wrong type
// @ts-expect-error Type 'number' is not assignable to type '{ isbn: string; pages: number; }'
implement(streamed, () => [1])
//                         ^
// a generator with elements of the wrong type
// @ts-expect-error Type 'number' is not assignable to type '{ isbn: string; pages: number; }'
implement(streamed, function* () {
  //                ^
  yield 1
})
// an asynchronous generator with elements of the wrong type
// @ts-expect-error Type 'number' is not assignable to type '{ isbn: string; pages: number; }'
implement(streamed, async function* () {
  //                ^
  yield 1
})
// an asynchronous generator with a member of the wrong type
// @ts-expect-error Type 'number' is not assignable to type 'string'
implement(streamed, async function* () {
  //                ^
  yield { isbn: 1, pages: 1 }
})

// a method is missing
// @ts-expect-error the endpoint has no method: add get(), post(), put(), patch(), del() or method(…) before handle
implement(path('/books'), () => undefined)
//        ^
// a resource in `routes`
// @ts-expect-error a resource is not an operation: add get(), post(), put(), patch(), del() or method(…)
routes({ books: path('/books') })
//       ^
// a resource with declarations in `routes`
// @ts-expect-error a resource is not an operation: add get(), post(), put(), patch(), del() or method(…)
routes({ handled, books: pipe(path('/books'), produces(json(Book))) })
//                ^

// a served endpoint without a handler
// @ts-expect-error addBook has no handler: add handle(…), implement(…) or implementAll(…)
void serve(routes({ handled, addBook: books }))
//         ^
// an endpoint without a handler in a subtree
// @ts-expect-error shelves.books.list has no handler: add handle(…), implement(…) or implementAll(…)
inMemory(routes({ handled, shelves: routes({ books: routes({ list: books }) }) }))
//       ^
// an endpoint without a handler next to a subtree with added handlers
// @ts-expect-error other has no handler: add handle(…), implement(…) or implementAll(…)
describeRoutes(routes({ done: implementAll(routes({ books }), { books: () => {} }), other: books }))
//             ^

const User = slot<{ readonly name: string }>()('user')
const needing = requestFilter({ needs: { user: User } }, (_, { user }) => void user.name)
const giving = requestFilter({ gives: { user: User } }, () => next({ user: { name: 'ann' } }))
const api = routes({ handled })
// `provide` inside a filter that needs the slot
// @ts-expect-error the slot user is not provided: add provide({ user: … }), or a filter that gives it, after all steps that need it
inMemory(pipe(api, provide({ user: { name: 'ann' } }), withFilter(needing)))
//       ^
// a filter inside another filter that needs its slot
// @ts-expect-error the slot user is not provided: add provide({ user: … }), or a filter that gives it, after all steps that need it
void serve(pipe(api, withFilter(giving), withFilter(needing)))
//         ^
// `fails` applied to a tree
// @ts-expect-error expected an endpoint, got a tree: apply this step after path(…), before routes({ … })
pipe(api, fails(401, text))
//        ^
// `body` applied to a tree
// @ts-expect-error expected an endpoint, got a tree: apply this step after path(…), before routes({ … })
pipe(api, body(text))
//        ^
// `query` applied to a tree
// @ts-expect-error expected an endpoint, got a tree: apply this step after path(…), before routes({ … })
pipe(api, query({ page: int }))
//        ^
// `get` applied to a tree
// @ts-expect-error expected an endpoint, got a tree: apply this step after path(…), before routes({ … })
pipe(api, get())
//        ^
// `cache` applied to a tree
// @ts-expect-error expected an endpoint, got a tree: apply this step after path(…), before routes({ … })
pipe(api, cache({ maxAge: 60 }))
//        ^
// `implement` with a tree
// @ts-expect-error expected an endpoint, got a tree: apply this step after path(…), before routes({ … })
implement(api, () => undefined)
//        ^
const Tenant = slot<string>()('tenant')
const ownTenant = requestFilter({ needs: { tenant: Tenant } }, () => undefined)
const ofTenant = pipe(api, prefix('/t/{tenant}', { tenant: Tenant }))
// a filter outside the prefix that fills its slot
// @ts-expect-error the slot tenant is filled only inside a prefix: apply prefix(…) after withFilter(…), or add provide({ tenant: … })
inMemory(pipe(ofTenant, withFilter(ownTenant)))
//       ^
// a filter outside a subtree with the prefix that fills its slot
// @ts-expect-error the slot tenant is filled only inside a prefix: apply prefix(…) after withFilter(…), or add provide({ tenant: … })
inMemory(pipe(routes({ inner: routes({ ofTenant }) }), withFilter(ownTenant)))
//       ^
const greet = implement(pipe(books, needs({ user: User })), () => undefined)
// a slot that nothing provides
// @ts-expect-error the slot user is not provided: add provide({ user: … }), or a filter that gives it, after all steps that need it
inMemory(routes({ greet }))
//       ^
const raising = implement(pipe(books, raises<{ readonly _tag: 'Late' }>()), () => undefined)
// a raised error without a mapper
// @ts-expect-error the error Late is not mapped: add withMapper(mapTagged({ Late: … }))
inMemory(routes({ raising }))
//       ^

// a codec for an unknown variable
// @ts-expect-error the path has no variable {page}: add it to the template or remove the codec
path('/books/{isbn}', { page: int })
//                      ^
// a codec for an unknown variable of an operation
// @ts-expect-error the path has no variable {page}: add it to the template or remove the codec
get('/{isbn}', { page: int })
//               ^

// an object codec for a variable
// @ts-expect-error use a codec of a single value, such as int, or segments(codec)
path('/books/{isbn}', { isbn: Book })
//                      ^
// a list codec for a variable
// @ts-expect-error use a codec of a single value, such as int, or segments(codec)
path('/books/{isbn}', { isbn: list(int) })
//                      ^
// an object codec for a variable of an operation
// @ts-expect-error use a codec of a single value, such as int, or segments(codec)
get('/{isbn}', { isbn: Book })
//               ^
// the name of a codec for a variable
// @ts-expect-error use a codec of a single value, such as int, or segments(codec)
path('/books/{isbn}', { isbn: 'int' })
//                      ^
// a representation for a variable
// @ts-expect-error use a codec of a single value, such as int, or segments(codec)
path('/books/{isbn}', { isbn: json(Book) })
//                      ^
// a codec in a prefix
// @ts-expect-error use a slot instead of a codec: create it with slot(codec)(key)
prefix('/t/{tenant}', { tenant: int })
//                      ^

// a representation in `query`
// @ts-expect-error use a codec of a single value or a list, such as int or between(1, 9)(int)
query({ book: json(Book) })
//      ^
// an object codec in `query`
// @ts-expect-error use a codec of a single value or a list, such as int or between(1, 9)(int)
query({ book: Book })
//      ^
// the name of a codec in `query`
// @ts-expect-error use a codec of a single value or a list, such as int or between(1, 9)(int)
query({ page: 'int' })
//      ^
// a constructor in `query`
// @ts-expect-error use a codec of a single value or a list, such as int or between(1, 9)(int)
query({ page: Number })
//      ^
// a list of a codec in `query`
// @ts-expect-error use a codec of a single value or a list, such as int or between(1, 9)(int)
query({ pages: [int] })
//      ^
// an object codec in `form`
// @ts-expect-error use a codec of a single value, a list, or part(json(codec))
form({ book: Book })
//     ^
// a list of a codec in `json`
// @ts-expect-error use a codec, such as t.type({ … }) or list(codec), or a schema
json([Book])
//   ^
// a record of codecs in `json`
// @ts-expect-error use a codec, such as t.type({ … }) or list(codec), or a schema
json({ id: int })
//     ^
// a constructor in `json`
// @ts-expect-error use a codec, such as t.type({ … }) or list(codec), or a schema
json(Number)
//   ^
// a representation in `json`
// @ts-expect-error use the codec without json(…)
json(json(Book))
//   ^
// an object codec in `produces`
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
produces(Book)
//       ^
// a list codec in `produces`
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
produces(list(Book))
//       ^
// a list of a codec in `produces`
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
produces([Book])
//       ^
// an object codec in `body`
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
body(Book)
//   ^
// an object codec in `fails`
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
fails(404, Book)
//         ^
// an object codec in `responds`
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
responds(201, Book)
//            ^

const issuedBy = { issuer: 'i', audience: 'a', algorithms: ['HS256'] } as const
// a string as a key
// @ts-expect-error encode a secret with new TextEncoder().encode(secret)
jwt({ ...issuedBy, keys: 'secret' })
//                 ^

// a function in `withFilter`
// @ts-expect-error wrap the function in requestFilter(…) or responseFilter(…), or call it
withFilter(() => undefined)
//         ^
// a filter that is not called
// @ts-expect-error wrap the function in requestFilter(…) or responseFilter(…), or call it
withFilter(cors)
//         ^
// a filter on an endpoint
// @ts-expect-error apply withFilter to a tree: routes({ … })
pipe(handled, withFilter(cors({ origins: [] })))
//            ^
// a served endpoint
// @ts-expect-error serve a tree of endpoints: routes({ … })
void serve(handled)
//         ^
// an endpoint in memory
// @ts-expect-error serve a tree of endpoints: routes({ … })
inMemory(handled)
//       ^
// a described endpoint
// @ts-expect-error serve a tree of endpoints: routes({ … })
describeRoutes(handled)
//             ^

// `get` without parentheses in a served tree, which is the only error
// @ts-expect-error the operation is not called: add parentheses, as in get() or method('REPORT')()
inMemory(routes({ a: pipe(path('/a'), get, produces(text)) }))
//                        ^
// a step after `handle` in a served tree, which is the only error
// @ts-expect-error the endpoint already has a handler: remove this step, or move it before handle
inMemory(routes({ a: pipe(handled, query({ page: int })) }))
//                                 ^
// a resource in a served tree, which is the only error
// @ts-expect-error a resource is not an operation: add get(), post(), put(), patch(), del() or method(…)
inMemory(routes({ a: path('/a') }))
//                ^
// a filter on an endpoint in a served tree, which is the only error
// @ts-expect-error apply withFilter to a tree: routes({ … })
inMemory(routes({ a: pipe(handled, withFilter(cors({ origins: [] }))) }))
//                                 ^
// a function in `withFilter` of a served tree, which is the only error
// @ts-expect-error wrap the function in requestFilter(…) or responseFilter(…), or call it
inMemory(pipe(routes({ handled }), withFilter(cors)))
//                                            ^
const posted = pipe(path('/books'), post(), form({ page: int }))
// two methods, which is the only error
// @ts-expect-error the method is declared twice: keep one
inMemory(routes({ a: pipe(books, post(), (endpoint) => implement(endpoint, () => undefined)) }))
//                               ^
// a form on GET, which is the only error
// @ts-expect-error a form requires a method other than GET or HEAD
pipe(books, form({ page: int }))
//          ^
// a body and a form
// @ts-expect-error a body and a form are declared: keep one
pipe(posted, body(int))
//           ^

// a representation in a form
// @ts-expect-error wrap the representation in part(…), as in part(json(codec)), or use upload for a file
form({ book: json(Book) })
//     ^

declare const Count: StandardSchema<string, number>
// an output of a schema that is not an input in a response
pipe(
  path('/'),
  get(),
  produces(json(Count)),
  // @ts-expect-error Type 'number' is not assignable to type '…'
  handle(() => 1),
  //           ^
)

declare const Name: StandardSchema<string, string>
// a schema in XML
// @ts-expect-error use a codec with a name, as in xmlRootElement(name)(schema)
xml(Name)
//  ^

// an unknown unit of a size
// @ts-expect-error use the unit K, M or G, as in 10M
limits({ bodySize: '10MB' })
//       ^
// a unit of a duration that is a word
// @ts-expect-error use the unit ms, s, m, h or d, as in 10s
limits({ timeout: '5 seconds' })
//       ^
// an unknown limit and a known one
// @ts-expect-error there is no limit bodysize: use a member of LimitsOptions
limits({ bodysize: '10M', files: 3 })
//       ^
// an unknown unit of a setting
// @ts-expect-error use the unit ms, s, m, h or d, as in 10s
void serve(routes({ handled }), { 'fw.http.read-timeout': '5 seconds' })
//                                ^
// an unknown setting and a known one
// @ts-expect-error there is no option fw.http.prot
void serve(routes({ handled }), { 'fw.http.prot': 0, 'fw.http.host': 'localhost' })
//                                ^
// an unknown unit in a timeout of a client
// @ts-expect-error use the unit ms, s, m, h or d, as in 10s
timeout('5 seconds')
//      ^

declare const Page: StandardSchema<number, number>
// a schema of numbers in a query
// @ts-expect-error the schema does not accept text: convert it, as in z.coerce.number()
query({ page: Page })
//      ^
// a schema of numbers in a path
// @ts-expect-error the schema does not accept text: convert it, as in z.coerce.number()
path('/books/{page}', { page: Page })
//                      ^
// a schema of numbers in an operation
// @ts-expect-error the schema does not accept text: convert it, as in z.coerce.number()
get('/{page}', { page: Page })
//               ^
// a schema of numbers in a form
// @ts-expect-error the schema does not accept text: convert it, as in z.coerce.number()
form({ page: Page })
//     ^
// a codec of a schema of numbers in a query
// @ts-expect-error the schema does not accept text: convert it, as in z.coerce.number()
query({ page: fromStandardSchema(Page) })
//      ^
// two `produces` in a pipe
// @ts-expect-error produces is declared twice: keep one
pipe(books, produces(text), produces(json(Book)), (endpoint) => implement(endpoint, () => book))
//                                                                        ^
// two statuses in a pipe
// @ts-expect-error status is declared twice: keep one
pipe(books, status(201), status(202), (endpoint) => implement(endpoint, () => undefined))
//                                                            ^
// two bodies of an operation
// @ts-expect-error the body is declared twice: keep one
pipe(path('/books'), post(), body(text), body(json(Book)))
//                                       ^
// a body on GET
// @ts-expect-error a body requires a method other than GET or HEAD: use post()
pipe(path('/books'), get(), body(json(Book)))
//                          ^

const either = pipe(books, produces(json(Book), text))
// an object that one of two representations does not accept
// @ts-expect-error no value has all representations: replace one by representation({ mediaType, write })
implement(either, () => book)
//                      ^
// a text that one of two representations does not accept
// @ts-expect-error no value has all representations: replace one by representation({ mediaType, write })
implement(either, () => 'Emma')
//                      ^
// a promise of a value that one of two representations does not accept
// @ts-expect-error no value has all representations: replace one by representation({ mediaType, write })
implement(either, async () => book)
//                            ^
// a declared response that one of two representations does not accept
// @ts-expect-error no value has all representations: replace one by representation({ mediaType, write })
implement(pipe(books, responds(201, text, json(Book))), () => created('/', book))
//                                                            ^
