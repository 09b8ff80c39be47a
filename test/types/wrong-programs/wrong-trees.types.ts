/** Wrong trees: routes, servers, slots, filters, mappers and access rules. `../messages.test.ts` describes the format. */
import { pipe } from 'fp-ts/lib/function.js'
import { toFetchHandler } from '../../../src/fetch.ts'
import {
  authenticated,
  basic,
  blocking,
  cors,
  get,
  handle,
  implement,
  implementAll,
  jwt,
  mapError,
  mapTagged,
  needs,
  next,
  path,
  permitAll,
  prefix,
  produces,
  provide,
  raises,
  reply,
  requestFilter,
  rolesAllowed,
  routes,
  slot,
  text,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import { describeRoutes, nodeListener, serve } from '../../../src/node.ts'
import { openApi, openApiRoutes } from '../../../src/openapi.ts'
import { inMemory } from '../../../src/testing.ts'

interface Clock {
  readonly now: () => number
}
interface Shelf {
  readonly find: () => string
}
declare class BookShelf {
  find(): string
}
const shelf: Shelf = { find: () => 'Emma' }
const Books = slot<Shelf>()('books')
const hello = pipe(
  path('/hello'),
  get(),
  produces(text),
  handle(() => 'hello'),
)
const bye = pipe(
  path('/bye'),
  get(),
  handle(() => undefined),
)
const api = routes({ hello })
const contract = routes({ list: pipe(path('/books'), get(), produces(text)) })
const books = pipe(path('/books'), get(), produces(text))
const needing = implement(pipe(books, needs({ books: Books })), (input) => input.needs.books.find())
const needingTree = routes({ needing })
const raisingTree = routes({
  raising: implement(pipe(books, raises<{ readonly _tag: 'Late' }>()), () => 'x'),
})

// remedy: a list of endpoints in `routes`
// @ts-expect-error pass a record: routes({ hello })
routes([hello])
//     ^
// difference: endpoints as arguments of `routes`
// @ts-expect-error Expected 1 arguments, but got 2
routes(hello, bye)
//            ^
// remedy: an endpoint in `routes`
// @ts-expect-error pass a record: routes({ hello })
routes(hello)
//     ^
// remedy: a record in `routes` without a tree
// @ts-expect-error use endpoints, routes({ … }) or pipe(tree, step)
routes({ nested: { hello } })
//       ^
// remedy: a function in `routes`
// @ts-expect-error use endpoints, routes({ … }) or pipe(tree, step)
routes({ hello: () => 'hello' })
//       ^
// remedy: a resource in `routes`
// @ts-expect-error a resource is not an operation: add get(), post(), put(), patch(), del() or method(…)
routes({ hello: path('/hello') })
//       ^
// remedy: a served record
// @ts-expect-error serve a tree of endpoints: routes({ … })
void serve({ hello })
//         ^
// remedy: a served list
// @ts-expect-error serve a tree of endpoints: routes({ … })
void serve([hello])
//         ^
// remedy: a served endpoint
// @ts-expect-error serve a tree of endpoints: routes({ … })
void serve(hello)
//         ^
// difference: a port as the second argument of `serve`
// @ts-expect-error Type 'number' is not assignable to type 'ServeOptions'
void serve(api, 3000)
//              ^
// remedy: a port option as in Express
// @ts-expect-error use 'fw.http.port'
void serve(api, { port: 3000 })
//                ^
// difference: a misspelled setting
// @ts-expect-error there is no option fw.http.prot
void serve(api, { 'fw.http.prot': 3000 })
//                ^
// remedy: a callback as the second argument of `serve`
// @ts-expect-error await serve(…) instead of passing a callback
void serve(api, () => console.log('listening'))
//              ^
// difference: `listen` of a server
// @ts-expect-error Property 'listen' does not exist on type 'Promise<Server>'
void serve(api).listen(3000)
//              ^
// remedy: a record in memory
// @ts-expect-error serve a tree of endpoints: routes({ … })
inMemory({ hello })
//       ^
// remedy: a list in memory
// @ts-expect-error serve a tree of endpoints: routes({ … })
inMemory([hello])
//       ^
// remedy: a described record
// @ts-expect-error serve a tree of endpoints: routes({ … })
describeRoutes({ hello })
//             ^
// remedy: a record in a listener
// @ts-expect-error serve a tree of endpoints: routes({ … })
nodeListener({ hello })
//           ^
// remedy: a record in a fetch handler
// @ts-expect-error serve a tree of endpoints: routes({ … })
toFetchHandler({ hello })
//             ^
// remedy: a record in an OpenAPI document
// @ts-expect-error describe a tree of endpoints: routes({ … })
openApi({ hello }, { info: { title: 'Books', version: '1' } })
//      ^
// remedy: the title and version of a document without `info`
// @ts-expect-error pass info: { title, version }
openApiRoutes({ title: 'Books', version: '1' })
//            ^
// remedy: the title and version of `openApi` without `info`
// @ts-expect-error pass info: { title, version }
openApi(api, { title: 'Books', version: '1' })
//           ^
// remedy: a prefix on an endpoint
// @ts-expect-error apply prefix to a tree: routes({ … })
pipe(hello, prefix('/api'))
//          ^
// remedy: a prefix with an Express variable
// @ts-expect-error variables are written {id}
prefix('/:tenant')
//     ^
// remedy: a prefix with a variable of Next.js
// @ts-expect-error variables are written {id}
prefix('/[tenant]/books')
//     ^
// remedy: a prefix with a wildcard
// @ts-expect-error a prefix applies to all paths below it: remove /*
prefix('/api/*')
//     ^
// remedy: a prefix variable without a slot
// @ts-expect-error the variable {tenant} has no slot: pass { tenant: … }
prefix('/{tenant}')
//     ^
// remedy: `provide` on an endpoint
// @ts-expect-error apply provide to a tree: routes({ … })
pipe(hello, provide({ books: shelf }))
//          ^
// remedy: `withMapper` on an endpoint
// @ts-expect-error apply withMapper to a tree: routes({ … })
pipe(hello, withMapper(mapError(Error, () => reply(500))))
//          ^
// remedy: `withFilter` on an endpoint
// @ts-expect-error apply withFilter to a tree: routes({ … })
pipe(hello, withFilter(cors({ origins: '*' })))
//          ^
// remedy: a missing handler in `implementAll`
// @ts-expect-error Property 'list' is missing in type '{}' but required in type '…'
implementAll(contract, {})
//                     ^
// difference: a wrong handler in `implementAll`
// @ts-expect-error Type 'number' is not assignable to type '…'
implementAll(contract, { list: () => 1 })
//                                   ^
// remedy: an endpoint in `implementAll`
// @ts-expect-error the first argument is a tree of endpoints: routes({ … })
implementAll(hello, { list: () => 'x' })
//           ^
// remedy: `slot` that is called once
// @ts-expect-error call twice: slot<Clock>()('clock')
slot<Clock>('clock')
//          ^
// remedy: a slot that has only a name
// @ts-expect-error call twice: slot<Clock>()('clock')
slot('clock')
//   ^
// difference: a slot without its key
// @ts-expect-error Type 'CreateSlot<Clock>' is missing the following properties from type 'AnySlot': _tag, key
needs({ clock: slot<Clock>() })
//      ^
// remedy: a list of slots
// @ts-expect-error pass a record of slots: needs({ clock: Clock })
needs([Books])
//    ^
// remedy: a slot without its local name
// @ts-expect-error pass a record of slots: needs({ clock: Clock })
needs(Books)
//    ^
// remedy: a value with a missing member in `provide`
// @ts-expect-error the slot books: property find is missing
pipe(needingTree, provide({ books: {} }))
//                ^
// difference: a value with a member of the wrong type in `provide`
// @ts-expect-error the slot books: property find has the wrong type
pipe(needingTree, provide({ books: { find: () => 1 } }))
//                ^
// remedy: a slot in `provide`
// @ts-expect-error the slot books: pass a value, not the slot
pipe(needingTree, provide({ books: Books }))
//                ^
// remedy: a class in `provide`
// @ts-expect-error the slot books: pass an instance, as in new Class()
pipe(needingTree, provide({ books: BookShelf }))
//                ^
// remedy: a slot that is not provided
// @ts-expect-error the slot books is not provided: add provide({ books: … }), or a filter that gives it, after all steps that need it
void serve(needingTree)
//         ^
// remedy: a misspelled key in `provide`
// @ts-expect-error the slot books is not provided: add provide({ books: … }), or a filter that gives it, after all steps that need it
void serve(pipe(needingTree, provide({ book: shelf })))
//         ^
// difference: a dependency that is not declared
// @ts-expect-error Property 'needs' does not exist on type '…'
implement(books, (input) => input.needs.books.find())
//                                ^
// remedy: a mapper in `withFilter`
// @ts-expect-error use withMapper
withFilter(mapError(Error, () => reply(500)))
//         ^
// remedy: tagged mappers in `withFilter`
// @ts-expect-error use withMapper
withFilter(mapTagged({ Missing: () => reply(404) }))
//         ^
// remedy: middleware of Express in `withFilter`
// @ts-expect-error wrap the function in requestFilter(…) or responseFilter(…), or call it
withFilter((_request: unknown, _response: unknown, proceed: () => void) => proceed())
//         ^
// remedy: a list of filters
// @ts-expect-error pass the filters as arguments: withFilter(first, second)
withFilter([cors({ origins: '*' })])
//         ^
// remedy: a filter in `withMapper`
// @ts-expect-error use withFilter
withMapper(cors({ origins: '*' }))
//         ^
// remedy: a function in `withMapper`
// @ts-expect-error wrap the function in mapError(…) or mapTagged(…), or call it
withMapper((error: unknown) => reply(500, String(error)))
//         ^
// remedy: a mapper that is not called
// @ts-expect-error wrap the function in mapError(…) or mapTagged(…), or call it
withMapper(mapError)
//         ^
// remedy: a filter in `routes`
// @ts-expect-error use endpoints, routes({ … }) or pipe(tree, step)
routes({ hello, cors: cors({ origins: '*' }) })
//              ^
// remedy: an object with a status as the result of a mapper
// @ts-expect-error use reply(status, value)
mapError(Error, () => ({ status: 500, body: 'failed' }))
//                    ^
// remedy: an error that is not mapped
// @ts-expect-error the error Late is not mapped: add withMapper(mapTagged({ Late: … }))
void serve(raisingTree)
//         ^
// remedy: an origin option as in Express
// @ts-expect-error Object literal may only specify known properties, but 'origin' does not exist in type 'CorsOptions'. Did you mean to write 'origins'?
cors({ origin: '*' })
//     ^
// difference: `cors` without options
// @ts-expect-error Expected 1 arguments, but got 0
void cors()
//   ^
// difference: one origin
// @ts-expect-error Type '"https://example.com"' is not assignable to type 'Origins'
cors({ origins: 'https://example.com' })
//     ^
// remedy: a list of needs in a filter
// @ts-expect-error pass a record of slots: needs: { clock: Clock }
requestFilter({ needs: [Books] }, () => undefined)
//              ^
// remedy: a filter that does not give its slot
// @ts-expect-error return next({ … }) with the values of the slots…
requestFilter({ gives: { books: Books } }, () => undefined)
//                                               ^
// remedy: a filter without a declaration that gives a slot
// @ts-expect-error declare the slots: requestFilter({ gives: { … } }, …)
requestFilter(() => next({ books: shelf }))
//                  ^
// remedy: `authenticated` with parentheses
// @ts-expect-error authenticated is a constant: remove the parentheses after authenticated
pipe(hello, authenticated())
//   ^
// remedy: `permitAll` with parentheses
// @ts-expect-error permitAll is a constant: remove the parentheses after permitAll
pipe(api, permitAll())
//   ^
// remedy: `blocking` with parentheses
// @ts-expect-error blocking is a constant: remove the parentheses after blocking
pipe(hello, blocking())
//   ^
// remedy: `authenticated` with parentheses, followed by another step
// @ts-expect-error authenticated is a constant: remove the parentheses after authenticated
pipe(path('/x'), get(), authenticated(), produces(text))
//               ^
// remedy: a list of roles
// @ts-expect-error pass the roles as arguments: rolesAllowed('editor', 'chief')
rolesAllowed(['admin'])
//           ^
// remedy: `verify` that returns a boolean
// @ts-expect-error return a principal, { name, roles }, or undefined
basic({ realm: 'x', verify: () => true })
//                                ^
// difference: a secret in `jwt` as in Express
// @ts-expect-error Object literal may only specify known properties, and 'secret' does not exist in type 'JwtOptions'
jwt({ secret: 'x' })
//    ^
// remedy: a secret as a key
// @ts-expect-error encode a secret with new TextEncoder().encode(secret)
jwt({ keys: 'secret', issuer: 'i', audience: 'a', algorithms: ['HS256'] })
//    ^
