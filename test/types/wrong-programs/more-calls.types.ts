/** Wrong clients, calls, tests and documents, as users of other libraries write them. `../messages.test.ts` describes the format. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  basic,
  deprecated,
  described,
  example,
  get,
  handle,
  int,
  json,
  path,
  produces,
  query,
  summary,
  tags,
  text,
} from '../../../src/index.ts'
import { client, promiseClient, retry } from '../../../src/client.ts'
import { inMemory, testContext } from '../../../src/testing.ts'
import { openApi, openApiRoutes } from '../../../src/openapi.ts'
import { Book, api, emma, findBook, getBook } from './library.types.ts'

const library = promiseClient(api, { baseUrl: 'http://localhost' })
const tasks = client(api, { baseUrl: 'http://localhost' })
// remedy: client without options
// @ts-expect-error pass the tree and the options: client(tree, { … })
client(api)
//     ^
// remedy: client with the type of the tree
// @ts-expect-error pass the tree and the options, without type arguments: client(tree, { … })
client<typeof api>({ baseUrl: 'http://localhost' })
//                 ^
// remedy: promiseClient without options
// @ts-expect-error pass the tree and the options: promiseClient(tree, { … })
promiseClient(api)
//            ^
// remedy: promiseClient with the type of the tree
// @ts-expect-error pass the tree and the options, without type arguments: promiseClient(tree, { … })
promiseClient<typeof api>({ baseUrl: 'http://localhost' })
//                        ^
// difference: a call with a positional argument
// @ts-expect-error Argument of type 'number' is not assignable to parameter of type '{ readonly path: { readonly id: number; }; }'
void library.getBook(1)
//                   ^
// difference: a TaskEither is used as its result
{
  const result = await tasks.getBook({ path: { id: 1 } })()
  // @ts-expect-error Property 'right' does not exist on type 'Left<…>'
  void result.right.body.title
  //          ^
}
// difference: query() on an operation
// @ts-expect-error …ed) => Promise<DecodedResponse<200, { id: number; title: string; }>>'
void library.getBook.query({ path: { id: 1 } })
//                   ^
// difference: policies as one value
// @ts-expect-error Type 'Policy' is missing the following properties from type 'readonly Policy[]': length, concat, join, slice, and 26 more
promiseClient(api, { baseUrl: 'http://localhost', policies: retry({ times: 2 }) })
//                                                ^
// difference: retry with retries
// @ts-expect-error …>; readonly methods?: unknown; }) | (RetryOptions & ... 1 more ... & { ...; })'
promiseClient(api, { baseUrl: 'http://localhost', policies: [retry({ retries: 2 })] })
//                                                                   ^
// remedy: headers as a list of pairs
// @ts-expect-error pass a record: headers: { 'X-Trace': id }
void promiseClient(api, { baseUrl: 'http://localhost', headers: [['X-A', 'b']] })
//                                                     ^
// remedy: headers of the Fetch standard
// @ts-expect-error pass a record: headers: { 'X-Trace': id }
void promiseClient(api, { baseUrl: 'http://localhost', headers: new Headers() })
//                                                     ^
// difference: run without input
// @ts-expect-error Expected 2 arguments, but got 1
void getBook.run(testContext())
//           ^
// difference: run of an operation without a handler
// @ts-expect-error … formless: true; } & Produces<Representation<string, "text/plain">>>'
pipe(path('/books'), get(), produces(text)).run({}, testContext())
//                                          ^
// difference: run by name on the tree
// @ts-expect-error …e: string; }, "application/json">> & Fails<...>>; }, unknown, never>'
api.getBook.run({ path: { id: 1 } }, testContext())
//  ^
// remedy: run without needs
// @ts-expect-error …readonly books: Books; }; readonly path: { readonly id: number; }; }'
// in TypeScript 5.9: …readonly path: { readonly id: number; }; readonly needs: { readonly books: Books; }; }'
void findBook.run({ path: { id: 1 } }, testContext())
//                ^
// difference: testContext with headers
// @ts-expect-error Object literal may only specify known properties, and 'headers' does not exist in type 'TestContext'
testContext({ headers: { 'X-Card': '1' } })
//            ^
// difference: headers of a request as an object
// @ts-expect-error Object literal may only specify known properties, and ''X-Card'' does not exist in type 'readonly string[]'
testContext({ request: { headers: { 'X-Card': '1' } } })
//                                  ^
// difference: a JSON object as the body of a request in memory
// @ts-expect-error Object literal may only specify known properties, and 'title' does not exist in type 'ArrayBuffer | …'
void inMemory(api)('http://localhost/books', { method: 'POST', body: { title: 'Emma' } })
//                                                                     ^
// difference: nothing
// @ts-expect-error Expected 1 arguments, but got 0
openApiRoutes()
// remedy: info without version
// @ts-expect-error Property 'version' is missing in type '{ title: string; }' but required in type 'Info'
openApi(api, { info: { title: 'Library' } })
//             ^
// difference: the document without the tree
// @ts-expect-error Expected 2 arguments, but got 1
openApi({ info: { title: 'Library', version: '1' } })
// difference: summary as an object
pipe(
  path('/books/1'),
  get(),
  // @ts-expect-error Argument of type '{ text: string; }' is not assignable to parameter of type 'string'
  summary({ text: 'Find a book' }),
  //      ^
  produces(json(Book)),
  handle(() => emma),
)
// remedy: tags as a list
pipe(
  path('/books/1'),
  get(),
  // @ts-expect-error pass the tags as arguments: tags('books', 'loans')">'
  tags(['books']),
  //   ^
  produces(json(Book)),
  handle(() => emma),
)
// remedy: example without a name
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  // @ts-expect-error the name comes first: example('emma', { … })">'
  example({ id: 1, title: 'Emma' }),
  //      ^
  handle(() => emma),
)
// remedy: deprecated without parentheses
pipe(
  path('/books/1'),
  // @ts-expect-error the next step is not called: add parentheses, as in deprecated()"> & boolean'
  get(),
  deprecated,
  produces(json(Book)),
  handle(() => emma),
)
// remedy: described with swapped arguments
pipe(
  path('/books'),
  get(),
  // @ts-expect-error RejectedArgument<"call twice: described('The title')(string)">'
  query({ page: described('the page', int) }),
  //                                  ^
  produces(text),
  handle(() => 'x'),
)
// remedy: a principal without roles
// @ts-expect-error Property 'roles' is missing in type '{ name: string; }' but required in type 'Principal'
basic({ realm: 'library', verify: () => ({ name: 'ann' }) })
//                                      ^
