/** Types of trees: operations only, with every need provided and every handler implemented before serving. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Complete, HandlerOf, HandlersOf, Routes, TreeOf } from '../../src/index.ts'
import {
  get,
  handle,
  implementAll,
  json,
  needs,
  path,
  post,
  prefix,
  produces,
  provide,
  query,
  routes,
  slot,
  string,
  text,
} from '../../src/index.ts'
import { endpointsOf, inMemory } from '../../src/testing.ts'

/** Accepts the same trees as `serve`. */
declare const serve: <T, R extends {}, E>(api: Routes<T, R, E> & Complete<T, R>) => void

const Book = t.type({ isbn: t.string, pages: t.number })
interface Books {
  readonly count: () => number
}
interface Clock {
  readonly now: () => Date
}
const Books = slot<Books>()('books')
const Clock = slot<Clock>()('clock')

const ping = pipe(
  path('/ping'),
  get(),
  produces(text),
  handle(() => 'pong'),
)
const contract = pipe(path('/books'), get(), produces(json(Book)))
const counted = pipe(
  path('/count'),
  get(),
  // the endpoint chooses the name in the input, the application the key of the slot
  needs({ library: Books }),
  produces(text),
  handle(({ needs: { library } }) => `${library.count()}`),
)
const timed = pipe(
  path('/time'),
  get(),
  needs({ clock: Clock }),
  needs({ library: Books }),
  produces(text),
  handle(({ needs: { clock, library } }) => `${clock.now().getTime()} ${library.count()}`),
)
const books: Books = { count: () => 0 }
const clock: Clock = { now: () => new Date(0) }

// a tree contains operations and trees, with names of the application
const api = routes({ ping, nested: routes({ ping, deeper: routes({ ping }) }) })
expectTypeOf<TreeOf<typeof api>['ping']>().toEqualTypeOf<typeof ping>()
expectTypeOf<keyof TreeOf<TreeOf<typeof api>['nested']>>().toEqualTypeOf<'ping' | 'deeper'>()
serve(api)
serve(routes({}))
interface Sealed extends TreeOf<typeof api> {}
declare const sealed: Routes<Sealed, {}, unknown>
serve(sealed)
// @ts-expect-error a resource is not an operation
routes({ books: path('/books') })
// @ts-expect-error a resource with declarations is not an operation
routes({ ping, books: pipe(path('/books'), produces(json(Book))) })
// @ts-expect-error a function is not an operation
routes({ ping: () => 'pong' })
// @ts-expect-error a nested resource is not an operation
routes({ nested: routes({ books: path('/books') }) })

// incomplete trees cannot be served
const contracts = routes({ ping, contract })
// @ts-expect-error missing handler
serve(contracts)
// @ts-expect-error missing handler in a subtree
serve(routes({ ping, nested: routes({ contracts }) }))
// @ts-expect-error missing handler in a tree with a prefix
serve(pipe(contracts, prefix('/api')))
// @ts-expect-error a declaration after the handler
serve(routes({ ping: pipe(ping, query({ again: string })) }))

// the handlers of a complete contract, in its shape
const many = routes({
  ping,
  contract,
  nested: routes({ timed: pipe(path('/t/{id}'), get(), needs({ clock: Clock }), produces(text)) }),
})
const implemented = implementAll(many, {
  contract: () => ({ isbn: '', pages: 1 }),
  nested: { timed: (input) => `${input.path.id} ${input.needs.clock.now().getTime()}` },
})
serve(pipe(implemented, provide({ clock })))
// @ts-expect-error the slot clock is missing
serve(implemented)
// @ts-expect-error missing handler in a subtree
implementAll(many, { contract: () => ({ isbn: '', pages: 1 }), nested: {} })
// @ts-expect-error unknown operation
implementAll(routes({ contract }), { contract: () => ({ isbn: '', pages: 1 }), more: () => '' })
// @ts-expect-error an undeclared result
implementAll(routes({ contract }), { contract: () => ({ isbn: '' }) })
expectTypeOf<HandlersOf<typeof many>['contract']>().toEqualTypeOf<HandlerOf<typeof contract>>()
expectTypeOf<keyof HandlersOf<typeof many>>().toEqualTypeOf<'contract' | 'nested'>()
// the endpoints of a complete tree, with the handlers of its contract
const endpoints = endpointsOf(pipe(implemented, prefix('/api'), provide({ clock })))
expectTypeOf(endpoints.contract.run).toEqualTypeOf<HandlerOf<typeof contract>>()
expectTypeOf(endpoints.ping.run).toEqualTypeOf<HandlerOf<typeof ping>>()
expectTypeOf<Parameters<typeof endpoints.nested.timed.run>[0]>().toEqualTypeOf<{
  readonly path: { readonly id: string }
  readonly needs: { readonly clock: Clock }
}>()
// @ts-expect-error a contract without handlers
endpointsOf(many)
// existing handlers are not required
serve(implementAll(routes({ ping, nested: routes({ ping }) }), {}))

// all needs must be provided
serve(pipe(routes({ counted }), provide({ books })))
serve(routes({ ping, nested: pipe(routes({ counted }), provide({ books })) }))
serve(pipe(routes({ ping, nested: routes({ counted, timed }) }), provide({ books, clock })))
serve(pipe(routes({ timed }), provide({ clock }), provide({ books })))
serve(
  pipe(
    routes({ nested: pipe(routes({ timed }), provide({ clock })), counted }),
    provide({ books }),
  ),
)
serve(pipe(routes({ counted }), prefix('/a'), provide({ books }), prefix('/b')))
serve(pipe(routes({ ping }), provide({ books })))
// @ts-expect-error the slot books is missing
serve(routes({ counted }))
// @ts-expect-error the slot books of a subtree is missing
serve(routes({ ping, nested: routes({ counted }) }))
// @ts-expect-error a prefix provides no slots
serve(pipe(routes({ counted }), prefix('/api')))
// @ts-expect-error the slot clock is missing
serve(pipe(routes({ timed }), provide({ books })))
// @ts-expect-error the slot clock of one operation is missing
serve(pipe(routes({ counted, timed }), provide({ books })))
// @ts-expect-error a slot that is provided to a sibling only
serve(routes({ a: pipe(routes({ counted }), provide({ books })), b: routes({ counted }) }))
// @ts-expect-error slots are provided by key, not by local name
serve(pipe(routes({ counted }), provide({ library: books })))
// @ts-expect-error missing handler in a tree with provided slots
serve(pipe(contracts, provide({ books, clock })))

// a slot accepts values of its type
// @ts-expect-error a number is not books
pipe(routes({ counted }), provide({ books: 1 }))
// @ts-expect-error a clock is not books
pipe(routes({ counted, timed }), provide({ books: clock, clock }))
// @ts-expect-error a value of another type in a subtree
pipe(routes({ nested: routes({ counted }) }), provide({ books: {} }))
// two types under one key cannot both be provided
const torn = pipe(path('/torn'), get(), needs({ n: slot<number>()('books') }))
// @ts-expect-error a number for one of them
pipe(routes({ counted, torn }), provide({ books }))
// @ts-expect-error books for the other
pipe(routes({ counted, torn }), provide({ books: 1 }))
pipe(
  path('/x'),
  needs({ books: Books }),
  post(),
  // @ts-expect-error a duplicate local name
  needs({ books: Clock }),
  handle(() => undefined),
)
// @ts-expect-error a string is not a slot
needs({ books })

// a prefix is literal
pipe(api, prefix('/api/v1'))
pipe(api, prefix(''))
// @ts-expect-error a prefix with a variable
pipe(api, prefix('/{tenant}'))
// @ts-expect-error a prefix with a variable in the middle
pipe(api, prefix('/api/{version:v\\d}/books'))
// @ts-expect-error a prefix of an endpoint
pipe(ping, prefix('/api'))

// the type of a tree with a name, and of one that needs values
const named = routes({ ping })
interface Named extends TreeOf<typeof named> {}
const namedRoutes: Routes<Named> = named
serve(namedRoutes)
const needing = routes({ counted })
interface Needing extends TreeOf<typeof needing> {}
const needingRoutes: Routes<Needing, { readonly books: Books }> = needing
serve(pipe(needingRoutes, provide({ books })))
// @ts-expect-error a missing value
serve(needingRoutes)
// @ts-expect-error a type that hides the needs of a tree
export const hidden: Routes<Needing> = needing

// a function that takes trees of any type takes only those that can be served
const start = (tree: ReturnType<typeof routes>) => inMemory(tree)
const startComplete = (tree: Routes<unknown, {}, unknown>) => inMemory(tree)
start(routes({ ping }))
start(pipe(routes({ ping }), prefix('/api')))
startComplete(routes({ ping }))
// @ts-expect-error an endpoint has no handler
start(routes({ contract }))
// @ts-expect-error an endpoint has no handler
startComplete(routes({ contract }))
