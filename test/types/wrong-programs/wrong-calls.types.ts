/** Wrong calls: clients, unit tests of handlers and requests in memory. `../messages.test.ts` describes the format. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { client, promiseClient, retry } from '../../../src/client.ts'
import {
  body,
  get,
  handle,
  int,
  json,
  list,
  optional,
  path,
  post,
  produces,
  query,
  responds,
  routes,
  text,
} from '../../../src/index.ts'
import { endpointsOf, inMemory, testContext } from '../../../src/testing.ts'

const Book = t.type({ title: t.string, pages: int })
const book = { title: 'Emma', pages: 512 }
const hello = pipe(
  path('/hello/{name}'),
  get(),
  produces(text),
  handle(({ path: { name } }) => name),
)
const api = routes({ hello })
const unhandled = pipe(path('/books'), get(), produces(text))
const contract = routes({
  find: pipe(path('/books/{isbn}'), get(), produces(json(Book))),
  list: pipe(path('/books'), get(), query({ page: optional(int) }), produces(json(list(Book)))),
  add: pipe(path('/books'), post(), body(json(Book)), responds(201)),
})
const library = client(contract, { baseUrl: 'http://localhost' })
const promised = promiseClient(contract, { baseUrl: 'http://localhost' })

// remedy: a task that is not called
// @ts-expect-error Type '"call the task: await library.x(…)()"' is not assignable to type '"Right"'
E.isRight(await library.find({ path: { isbn: '1' } }))
//        ^
// remedy: a task that is not called, as an `if`
// @ts-expect-error Type '"call the task: await library.x(…)()"' is not assignable to type '"Right"'
// in TypeScript 5.9: Type '"call the task: await library.x(…)()"' is not assignable to type '"Left"'
if (E.isLeft(await library.find({ path: { isbn: '1' } }))) console.log('failed')
//           ^
// difference: a member of a call that is not awaited
// @ts-expect-error Property 'title' does not exist on type '…'
void library.find({ path: { isbn: '1' } }).title
//                                         ^
// difference: a call without its input
// @ts-expect-error Expected 1-2 arguments, but got 0
library.find()
//      ^
// difference: an input without its group
// @ts-expect-error Object literal may only specify known properties, and 'isbn' does not exist in type '{ readonly path: { readonly isbn: string; }; }'
library.find({ isbn: '1' })
//             ^
// remedy: a misspelled input
// @ts-expect-error Object literal may only specify known properties, but 'ISBN' does not exist in type '{ readonly isbn: string; }'. Did you mean to write 'isbn'?
library.find({ path: { ISBN: '1' } })
//                     ^
// difference: an input of the wrong type
// @ts-expect-error Type 'string' is not assignable to type 'number'
library.list({ query: { page: '1' } })
//                      ^
// difference: an undeclared group of inputs
// @ts-expect-error Object literal may only specify known properties, and 'query' does not exist in type '{ readonly path: { readonly isbn: string; }; }'
library.find({ path: { isbn: '1' }, query: { page: 1 } })
//                                  ^
// difference: a body that is encoded by hand
// @ts-expect-error Type 'string' is not assignable to type '{ title: string; pages: number; }'
library.add({ body: JSON.stringify(book) })
//            ^
// remedy: a body with a missing member
// @ts-expect-error Property 'pages' is missing in type '{ title: string; }' but required in type '{ title: string; pages: number; }'
library.add({ body: { title: 'Emma' } })
//            ^
// remedy: a body without its key
// @ts-expect-error Property 'body' is missing in type '{ title: string; pages: number; }' but required in type '{ readonly body: { title: string; pages: number; }; }'
library.add(book)
//          ^
// difference: a promise that is not awaited
// @ts-expect-error Property 'body' does not exist on type '…'
void promised.find({ path: { isbn: '1' } }).body
//                                          ^
// difference: a URL as the options of a client
// @ts-expect-error Argument of type 'string' is not assignable to parameter of type 'ClientOptions'
client(api, 'http://localhost')
//          ^
// remedy: an option as in axios
// @ts-expect-error Object literal may only specify known properties, but 'baseURL' does not exist in type 'ClientOptions'. Did you mean to write 'baseUrl'?
client(api, { baseURL: 'http://localhost' })
//            ^
// remedy: a client of an endpoint
// @ts-expect-error create a client of a tree: routes({ … })
client(hello, { baseUrl: 'http://localhost' })
//     ^
// remedy: a client of a record
// @ts-expect-error create a client of a tree: routes({ … })
client({ hello }, { baseUrl: 'http://localhost' })
//     ^
// remedy: a number in `retry`
// @ts-expect-error RejectedOptions<"pass options: retry({ times: 3 })">, RetryOptions, "retryAfter"> & { ...; })
retry(3)
//    ^
// difference: a handler that is run without its context
// @ts-expect-error Expected 2 arguments, but got 1
void hello.run({ path: { name: 'a' } })
//         ^
// difference: a handler that is run without its groups
// @ts-expect-error Object literal may only specify known properties, and 'name' does not exist in type '…'
void hello.run({ name: 'a' }, testContext())
//               ^
// difference: a method of the function that sends requests
// @ts-expect-error Property 'get' does not exist on type 'InMemory'
inMemory(api).get('/hello')
//            ^
// remedy: an endpoint in `endpointsOf`
// @ts-expect-error pass a tree of endpoints: routes({ … })
endpointsOf(hello)
//          ^
// remedy: a record in `endpointsOf`
// @ts-expect-error pass a tree of endpoints: routes({ … })
endpointsOf({ hello })
//          ^
// remedy: a tree with an endpoint without a handler in `endpointsOf`
// @ts-expect-error the tree has an endpoint without a handler: add handle(…), implement(…) or implementAll(…)
endpointsOf(routes({ unhandled }))
//          ^
// difference: a member of the body that is read from the response
const response = await promised.find({ path: { isbn: '1' } })
// @ts-expect-error Property 'title' does not exist on type 'DecodedResponse<200, { title: string; pages: number; }>'
void response.title
//            ^
// difference: a status that is not declared
// @ts-expect-error This comparison appears to be unintentional because the types '200' and '404' have no overlap
void (response.status === 404)
//    ^
