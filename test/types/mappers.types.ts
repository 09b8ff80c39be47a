/** Types of filters and mappers: raised errors, needs and declared replies. */
import { expectTypeOf } from 'expect-type'
import * as Either from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ClientOf } from '../../src/client/client-types.ts'
import type { HandlerOf, HttpError, Routes, Reply } from '../../src/index.ts'
import {
  bytes,
  get,
  handle,
  json,
  mapError,
  mapTagged,
  needs,
  next,
  NotFound,
  onlyFor,
  path,
  priority,
  produces,
  provide,
  raises,
  reply,
  requestFilter,
  responseFilter,
  routes,
  slot,
  text,
  unwrap,
  withFilter,
  withMapper,
} from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'

interface Missing {
  readonly _tag: 'Missing'
  readonly id: string
}
interface Locked {
  readonly _tag: 'Locked'
  readonly until: number
}
const Problem = t.type({ problem: t.string })

const raising = pipe(path('/raising'), get(), produces(text), raises<Missing | Locked>())
const found = pipe(
  raising,
  handle(() => Either.left({ _tag: 'Missing', id: '1' })),
)
const plain = pipe(
  path('/plain'),
  get(),
  produces(text),
  handle(() => 'plain'),
)
pipe(
  raising,
  // @ts-expect-error a raised error has a declared tag
  handle(() => Either.left({ _tag: 'Other' as const })),
)
pipe(
  raising,
  // @ts-expect-error a raised error has the members of its tag
  handle(() => Either.left({ _tag: 'Locked' as const, until: 'noon' })),
)
expectTypeOf<Missing>().toExtend<
  Extract<ReturnType<HandlerOf<typeof raising>>, { readonly _tag: 'Left' }>['left']
>()

// a tree with an unmapped raised error cannot be served
const api = routes({ found, plain })
const missing = ({ id }: Missing) => reply(404, id)
const locked = ({ until }: Locked) => reply(423, `${until}`)
inMemory(pipe(api, withMapper(mapTagged({ Missing: missing, Locked: locked }))))
inMemory(pipe(api, withMapper(mapTagged({ Missing: missing }), mapTagged({ Locked: locked }))))
inMemory(
  pipe(api, withMapper(mapTagged({ Missing: missing })), withMapper(mapTagged({ Locked: locked }))),
)
inMemory(
  pipe(
    routes({ inner: pipe(api, withMapper(mapTagged({ Missing: missing }))), found }),
    withMapper(mapTagged({ Missing: missing, Locked: locked })),
  ),
)
inMemory(pipe(api, withMapper(mapTagged({ Missing: missing, Locked: locked, Spare: missing }))))
// @ts-expect-error an unmapped error of an endpoint
inMemory(api)
// @ts-expect-error an unmapped error of a tree
void serve(api)
// @ts-expect-error `Locked` has no mapper
inMemory(pipe(api, withMapper(mapTagged({ Missing: missing }))))
// @ts-expect-error a mapper of a class does not handle a tag
inMemory(pipe(api, withMapper(mapError(Error, () => reply(500, '')))))
inMemory(
  // @ts-expect-error a mapper of a sibling does not apply
  routes({
    found,
    sibling: pipe(api, withMapper(mapTagged({ Missing: missing, Locked: locked }))),
  }),
)
// @ts-expect-error a mapper with the parameter of another error
pipe(api, withMapper(mapTagged({ Missing: ({ until }: Locked) => reply(404, `${until}`) })))
// a mapper may accept a wider type than its error
pipe(api, withMapper(mapTagged({ Missing: ({ _tag }: Missing | Locked) => reply(404, _tag) })))

// with the errors as type argument, the parameters of all mappers are inferred
const lendingErrors = mapTagged<Missing | Locked>()({
  Missing: ({ id }, { endpoint }) => {
    expectTypeOf(id).toEqualTypeOf<string>()
    expectTypeOf(endpoint?.name).toEqualTypeOf<string | undefined>()
    return reply(404, id)
  },
  Locked: async ({ until }) => reply(423, `${until}`),
})
inMemory(pipe(api, withMapper(lendingErrors)))
expectTypeOf(lendingErrors).toEqualTypeOf(
  mapTagged({ Missing: missing, Locked: async (error: Locked) => locked(error) }),
)
const mapLendingErrors = mapTagged<Missing | Locked>()
// @ts-expect-error `Locked` has no mapper
mapLendingErrors({ Missing: missing })
// @ts-expect-error `Spare` is not a declared error
mapLendingErrors({ Missing: missing, Locked: locked, Spare: missing })
// @ts-expect-error a mapper with the parameter of another error
mapLendingErrors({ Missing: locked, Locked: locked })
// @ts-expect-error an undeclared JSON body
mapLendingErrors({ Missing: ({ id }) => reply(404, { problem: id }), Locked: locked })
mapLendingErrors(
  { fails: { 404: json(Problem) } },
  {
    Missing: ({ id }) => reply(404, { problem: id }),
    Locked: ({ until }) => reply(423, `${until}`),
  },
)
mapLendingErrors(
  { fails: { 404: json(Problem) } },
  // @ts-expect-error an undeclared status
  { Missing: ({ id }) => reply(405, { problem: id }), Locked: locked },
)
mapTagged<Missing>()({ Missing: missing })
// @ts-expect-error a type without errors
mapTagged()({ Missing: missing })

// two errors with the same tag need a mapper for both
const other = pipe(
  path('/other'),
  get(),
  raises<{ readonly _tag: 'Missing'; readonly name: string }>(),
  handle(() => Either.left({ _tag: 'Missing', name: '' })),
)
const both = routes({ found, other })
const missingOf = ({ _tag }: Missing | { readonly _tag: 'Missing'; readonly name: string }) =>
  reply(404, _tag)
inMemory(pipe(both, withMapper(mapTagged({ Missing: missingOf, Locked: locked }))))
type Other = { readonly _tag: 'Missing'; readonly name: string }
const shapes = mapTagged<Missing | Other | Locked>()({
  Missing: (error) => reply(404, 'id' in error ? error.id : error.name),
  Locked: locked,
})
inMemory(pipe(both, withMapper(shapes)))
// @ts-expect-error the mapper handles only one of them
pipe(both, withMapper(mapTagged({ Missing: missing, Locked: locked })))

// parameters and replies of mappers
mapError(NotFound, (error, { endpoint, request }) => {
  expectTypeOf(error).toEqualTypeOf<NotFound>()
  expectTypeOf(endpoint?.name).toEqualTypeOf<string | undefined>()
  return reply(404, request.path)
})
mapError(
  (error): error is Missing => error === 1,
  ({ id }) => reply(404, id),
)
mapError(Error, async () => reply(500, 'a promise'))
mapError(Error, () => async () => reply(500, 'a task'))
mapError(Error, { fails: { 500: json(Problem) } }, () => reply(500, { problem: 'declared' }))
mapTagged(
  { fails: { 404: json(Problem) } },
  { Missing: ({ id }: Missing) => reply(404, { problem: id }) },
)
// @ts-expect-error an undeclared JSON body
mapError(Error, () => reply(500, { problem: 'not declared' }))
// @ts-expect-error an undeclared status
mapError(Error, { fails: { 500: json(Problem) } }, () => reply(501, { problem: '' }))
// @ts-expect-error a body of another type
mapError(Error, { fails: { 500: json(Problem) } }, () => reply(500, { problem: 1 }))
// @ts-expect-error an undeclared body of a tagged mapper
mapTagged({ Missing: ({ id }: Missing) => reply(404, { problem: id }) })
// @ts-expect-error a mapper must return a reply
mapError(Error, () => 'text')
mapError(
  // @ts-expect-error a predicate is not a type guard
  (error: unknown) => Boolean(error),
  () => reply(500),
)
// @ts-expect-error `unwrap` requires a class of errors
unwrap(Map)
// @ts-expect-error invalid condition of `unwrap`
unwrap(Error, 'sometimes')

// declared replies of filters and mappers are responses of every operation of the subtree
type RepliesIn<R> = R extends Routes<unknown, never, infer E> ? E : never
const filter = requestFilter({ fails: { 401: [] } }, () =>
  Math.random() > 2 ? reply(401) : undefined,
)
const typed = requestFilter({ fails: { 409: json(Problem) } }, () => reply(409, { problem: '' }))
const text409 = mapError(Error, { fails: { 409: text } }, () => reply(409, 'text'))
const around = pipe(
  routes({ plain }),
  withMapper(text409),
  withFilter(
    filter,
    responseFilter(() => undefined),
    typed,
  ),
)
expectTypeOf<RepliesIn<typeof around>>().toEqualTypeOf<
  Reply<401, void> | Reply<409, string> | Reply<409, { problem: string }>
>()
expectTypeOf<RepliesIn<ReturnType<typeof routes<{}>>>>().toEqualTypeOf<never>()
const quiet = pipe(
  routes({ plain }),
  withFilter(responseFilter(() => undefined)),
  withMapper(unwrap(Error)),
  withMapper(mapError(RangeError, () => reply(409, 'undeclared'))),
)
expectTypeOf(quiet).toExtend<Routes<unknown, {}, unknown>>()
expectTypeOf<RepliesIn<typeof quiet>>().toEqualTypeOf<never>()
// in nested trees and clients, a status may have several bodies
const deep = pipe(
  routes({ around }),
  withMapper(mapError(Error, { fails: { 409: bytes } }, () => reply(409, new Uint8Array()))),
)
type ErrorReplies<C> = C extends {
  readonly around: { readonly plain: (...input: never) => () => Promise<infer X> }
}
  ? X extends { readonly left: infer L }
    ? Extract<L, { readonly status: 409 }>
    : never
  : never
declare const client: ClientOf<typeof deep>
expectTypeOf<ErrorReplies<typeof client>['body']>().toEqualTypeOf<
  string | { problem: string } | Uint8Array
>()
expectTypeOf<Extract<HttpError, Reply<number, unknown>>>().toBeNever()

// a slot that a filter provides
interface User {
  readonly name: string
}
const User = slot<User>()('user')
const Clock = slot<() => number>()('clock')
const greet = pipe(
  path('/greet'),
  get(),
  needs({ user: User }),
  produces(text),
  handle((input) => input.needs.user.name),
)
const authenticating = requestFilter({ gives: { who: User } }, () => next({ who: { name: 'ann' } }))
const timed = requestFilter({ needs: { now: Clock } }, (_, { now }) => void now())
const greeting = requestFilter({ needs: { user: User } }, (_, { user }) => void user.name)
inMemory(pipe(routes({ greet }), withFilter(authenticating)))
inMemory(pipe(routes({ greet }), withFilter(greeting), withFilter(authenticating)))
inMemory(pipe(routes({ greet }), withFilter(authenticating, timed), provide({ clock: () => 1 })))
inMemory(pipe(routes({ plain }), withFilter(greeting), provide({ user: { name: 'bob' } })))
// @ts-expect-error the slot user is missing
inMemory(pipe(routes({ greet }), withFilter(responseFilter(() => undefined))))
// @ts-expect-error the slot that the filter needs is missing
inMemory(pipe(routes({ plain }), withFilter(greeting)))
// @ts-expect-error an inner filter provides the slot too late
inMemory(pipe(routes({ greet }), withFilter(authenticating), withFilter(greeting)))
// @ts-expect-error the slot clock is missing
inMemory(pipe(routes({ greet }), withFilter(authenticating, timed)))
// @ts-expect-error a user of another type
inMemory(pipe(routes({ greet }), withFilter(greeting), provide({ user: 1 })))
// @ts-expect-error missing declaration of the provided slot
requestFilter({ gives: { who: User } }, () => next({ whom: { name: 'ann' } }))
// @ts-expect-error a provided value of another type
requestFilter({ gives: { who: User } }, () => next({ who: 1 }))
// @ts-expect-error a filter with declared slots must provide them
requestFilter({ gives: { who: User } }, () => undefined)

// `priority` accepts filters and mappers, and keeps their types
expectTypeOf(pipe(authenticating, priority(1))).toEqualTypeOf<typeof authenticating>()
expectTypeOf(pipe(text409, priority(1))).toEqualTypeOf<typeof text409>()
pipe(unwrap(Error), priority(1))
// @ts-expect-error a tree has no priority
pipe(api, priority(1))
// @ts-expect-error mappers have no names
pipe(text409, onlyFor('audited'))
