/** Wrong dependencies, filters, mappers, access rules and cache directives, as users of other libraries write them. `../messages.test.ts` describes the format. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  apiKey,
  basic,
  bearer,
  conditional,
  cors,
  get,
  handle,
  json,
  mapError,
  mapTagged,
  needs,
  next,
  path,
  prefix,
  produces,
  provide,
  reply,
  requestFilter,
  responseFilter,
  rolesAllowed,
  routes,
  slot,
  withEtag,
  withFilter,
} from '../../../src/index.ts'
import { toFetchHandler } from '../../../src/fetch.ts'
import { describeRoutes, serve } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import type { Books } from './library.types.ts'
import { Book, api, books, emma, findBook } from './library.types.ts'

interface Late {
  readonly _tag: 'Late'
  readonly days: number
}
interface Lost {
  readonly _tag: 'Lost'
}
const User = slot<string>()('user')
const store: Books = { find: async (id: number) => books.get(id) }
// remedy: needs with the value in place of the slot
pipe(
  path('/books/1'),
  get(),
  // @ts-expect-error use a slot, as in slot<Clock>()(key), and pass the value to provide
  needs({ books: store }),
  //      ^
  produces(json(Book)),
  handle(() => emma),
)
// remedy: provide without a record
// @ts-expect-error the slot books is not provided: add provide({ books: … }), or a filter that gives it, after all steps that need it">'
void serve(pipe(routes({ findBook }), provide(store)))
//         ^
// remedy: cors with the option of Express
// @ts-expect-error Object literal may only specify known properties, but 'origin' does not exist in type 'CorsOptions'. Did you mean to write 'origins'?
void serve(pipe(api, withFilter(cors({ origin: '*' }))))
//                                     ^
// remedy: a filter that awaits next
requestFilter(async (_, proceed) => {
  // @ts-expect-error a filter has no next(): return nothing to continue, or a reply">' has no call signatures
  await proceed()
  //    ^
})
// remedy, with a second error at the result: next without a record
// @ts-expect-error pass a record: next({ user })">'
requestFilter({ gives: { user: User } }, () => next('ann'))
//                                             ^    ^
// remedy: next with a misspelt name
// @ts-expect-error Property 'user' is missing in type '{ readonly usr: "ann"; }' but required in type 'ByName<{ readonly user: Slot<"user", string>; }>'
requestFilter({ gives: { user: User } }, () => next({ usr: 'ann' }))
//                                             ^
// difference: a response filter that returns a value
// @ts-expect-error Property 'body' does not exist on type 'AnyReply'
responseFilter((sent) => ({ ...sent.body }))
//                                  ^
// remedy: a filter gives a slot as a list
// @ts-expect-error pass a record of slots: gives: { clock: Clock }
requestFilter({ gives: [User] }, () => next({ user: 'ann' }))
//              ^
// remedy: mapError without a class
// @ts-expect-error pass the class first: mapError(Error, () => reply(500))">'
mapError(() => reply(500))
//       ^
// remedy: mapTagged without the first call
// @ts-expect-error call twice: mapTagged<Late>()({ … })">'
mapTagged<Late>({ Late: () => reply(422) })
//                ^
// remedy: mapTagged with a missing tag
// @ts-expect-error Property 'Lost' is missing in type '{ Late: () => Reply<422, void>; }' but required in type 'ForErrors<Late | Lost, MapperReply>'
mapTagged<Late | Lost>()({ Late: () => reply(422) })
//                       ^
// remedy: basic without a realm
// @ts-expect-error Property 'realm' is missing in type '{ verify: () => { name: string; roles: never[]; }; }' but required in type 'BasicOptions'
basic({ verify: () => ({ name: 'ann', roles: [] }) })
//    ^
// difference: verify with two parameters
// @ts-expect-error Operator '+' cannot be applied to types 'BasicCredentials' and 'Context'
basic({ realm: 'library', verify: (user, password) => ({ name: user + password, roles: [] }) })
//                                                             ^
// remedy: verify returns a user without a name
// @ts-expect-error Property 'name' is missing in type '{ id: string; roles: string[]; }' but required in type 'Principal'
bearer({ verify: (token) => ({ id: token, roles: ['admin'] }) })
//                          ^
// remedy: apiKey with a name and a function
// @ts-expect-error pass options: apiKey({ header: 'X-Api-Key', verify })"> & ApiKeyOptions'
apiKey('X-Api-Key', () => ({ name: 'ann' }))
//     ^
// difference: rolesAllowed without roles
// @ts-expect-error Expected at least 1 arguments, but got 0
pipe(api, rolesAllowed())
//        ^
// remedy: withEtag without parentheses
pipe(
  path('/books/1'),
  // @ts-expect-error pass 'strong' or 'weak', as in produces(withEtag('strong')(json(codec))); conditional({ etag }) sets other tags
  get(),
  withEtag,
  produces(json(Book)),
  handle(() => emma),
)
// remedy, with a second error at the call: withEtag with a tag as a step
// @ts-expect-error pass 'strong' or 'weak', as in produces(withEtag('strong')(json(codec))); conditional({ etag }) sets other tags
pipe(path('/books/1'), get(), withEtag('v1'), produces(json(Book)))
//                            ^        ^
// remedy: withEtag as a step
pipe(
  path('/books/1'),
  get(),
  // @ts-expect-error apply it to a representation: produces(withEtag('strong')(json(codec)))
  withEtag('strong'),
  produces(json(Book)),
  handle(() => emma),
)
// remedy: withEtag with a tag
// @ts-expect-error pass 'strong' or 'weak', as in produces(withEtag('strong')(json(codec))); conditional({ etag }) sets other tags
produces(withEtag('v1')(json(Book)))
//                ^
// remedy: prefix without a tree in `serve`
// @ts-expect-error serve a tree: routes({ … }), or apply the step to it, as in pipe(tree, prefix('/x'))
void serve(prefix('/x'))
//         ^
// remedy: prefix without a tree in `inMemory`
// @ts-expect-error serve a tree: routes({ … }), or apply the step to it, as in pipe(tree, prefix('/x'))
inMemory(prefix('/x'))
//       ^
// remedy: prefix without a tree in `describeRoutes`
// @ts-expect-error serve a tree: routes({ … }), or apply the step to it, as in pipe(tree, prefix('/x'))
describeRoutes(prefix('/x'))
//             ^
// remedy: prefix without a tree in `toFetchHandler`
// @ts-expect-error serve a tree: routes({ … }), or apply the step to it, as in pipe(tree, prefix('/x'))
toFetchHandler(prefix('/x'))
//             ^
// remedy: prefix without a tree in `routes`
// @ts-expect-error use endpoints, routes({ … }) or pipe(tree, step)
routes({ versioned: prefix('/x') })
//                  ^
// difference: conditional with a value
pipe(
  path('/books/1'),
  get(),
  // @ts-expect-error Type 'string' is not assignable to type 'ComputeEtag<NoInfer<{ readonly path: {}; } & { readonly method: "GET"; readonly formless: true; }>>'
  conditional({ etag: 'v1' }),
  //            ^
  produces(json(Book)),
  handle(() => emma),
)
