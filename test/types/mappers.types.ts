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
  // @ts-expect-error what is raised has one of these tags
  handle(() => Either.left({ _tag: 'Other' as const })),
)
pipe(
  raising,
  // @ts-expect-error and the members that go with it
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
// @ts-expect-error nothing maps what is raised
inMemory(api)
// @ts-expect-error nothing maps what is raised
void serve(api)
// @ts-expect-error `Locked` has no mapper
inMemory(pipe(api, withMapper(mapTagged({ Missing: missing }))))
// @ts-expect-error a mapper of a class maps no tag
inMemory(pipe(api, withMapper(mapError(Error, () => reply(500, '')))))
inMemory(
  // @ts-expect-error what is around a sibling is not around this
  routes({
    found,
    sibling: pipe(api, withMapper(mapTagged({ Missing: missing, Locked: locked }))),
  }),
)
// @ts-expect-error a mapper takes the error of its tag
pipe(api, withMapper(mapTagged({ Missing: ({ until }: Locked) => reply(404, `${until}`) })))
// a mapper may accept a wider type than its error
pipe(api, withMapper(mapTagged({ Missing: ({ _tag }: Missing | Locked) => reply(404, _tag) })))

// with the errors as type argument, the parameters of all mappers are inferred
const refusals = mapTagged<Missing | Locked>()({
  Missing: ({ id }, { endpoint }) => {
    expectTypeOf(id).toEqualTypeOf<string>()
    expectTypeOf(endpoint?.name).toEqualTypeOf<string | undefined>()
    return reply(404, id)
  },
  Locked: async ({ until }) => reply(423, `${until}`),
})
inMemory(pipe(api, withMapper(refusals)))
expectTypeOf(refusals).toEqualTypeOf(
  mapTagged({ Missing: missing, Locked: async (error: Locked) => locked(error) }),
)
const refusing = mapTagged<Missing | Locked>()
// @ts-expect-error `Locked` has no mapper
refusing({ Missing: missing })
// @ts-expect-error `Spare` is none of the errors
refusing({ Missing: missing, Locked: locked, Spare: missing })
// @ts-expect-error each has the mapper of its tag
refusing({ Missing: locked, Locked: locked })
// @ts-expect-error JSON is not declared
refusing({ Missing: ({ id }) => reply(404, { problem: id }), Locked: locked })
refusing(
  { fails: { 404: json(Problem) } },
  {
    Missing: ({ id }) => reply(404, { problem: id }),
    Locked: ({ until }) => reply(423, `${until}`),
  },
)
refusing(
  { fails: { 404: json(Problem) } },
  // @ts-expect-error with this status
  { Missing: ({ id }) => reply(405, { problem: id }), Locked: locked },
)
mapTagged<Missing>()({ Missing: missing })
// @ts-expect-error it has no errors
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
// @ts-expect-error the mapper knows one of them
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
// @ts-expect-error JSON is declared
mapError(Error, () => reply(500, { problem: 'not declared' }))
// @ts-expect-error with this status
mapError(Error, { fails: { 500: json(Problem) } }, () => reply(501, { problem: '' }))
// @ts-expect-error with this type
mapError(Error, { fails: { 500: json(Problem) } }, () => reply(500, { problem: 1 }))
// @ts-expect-error also by tag
mapTagged({ Missing: ({ id }: Missing) => reply(404, { problem: id }) })
// @ts-expect-error a mapper replies
mapError(Error, () => 'text')
mapError(
  // @ts-expect-error a guard says of what
  (error: unknown) => Boolean(error),
  () => reply(500),
)
// @ts-expect-error what is unwrapped is a class of errors
unwrap(Map)
// @ts-expect-error in one of three ways
unwrap(Error, 'sometimes')

// declared replies of filters and mappers are responses of every operation of the subtree
type AnswersOf<R> = R extends Routes<unknown, never, infer E> ? E : never
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
expectTypeOf<AnswersOf<typeof around>>().toEqualTypeOf<
  Reply<401, void> | Reply<409, string> | Reply<409, { problem: string }>
>()
expectTypeOf<AnswersOf<ReturnType<typeof routes<{}>>>>().toEqualTypeOf<never>()
const quiet = pipe(
  routes({ plain }),
  withFilter(responseFilter(() => undefined)),
  withMapper(unwrap(Error)),
  withMapper(mapError(RangeError, () => reply(409, 'undeclared'))),
)
expectTypeOf(quiet).toExtend<Routes<unknown, {}, unknown>>()
expectTypeOf<AnswersOf<typeof quiet>>().toEqualTypeOf<never>()
// in nested trees and clients, a status may have several bodies
const deep = pipe(
  routes({ around }),
  withMapper(mapError(Error, { fails: { 409: bytes } }, () => reply(409, new Uint8Array()))),
)
type Refusals<C> = C extends {
  readonly around: { readonly plain: (...input: never) => () => Promise<infer X> }
}
  ? X extends { readonly left: infer L }
    ? Extract<L, { readonly status: 409 }>
    : never
  : never
declare const client: ClientOf<typeof deep>
expectTypeOf<Refusals<typeof client>['body']>().toEqualTypeOf<
  string | { problem: string } | Uint8Array
>()
expectTypeOf<Extract<HttpError, Reply<number, unknown>>>().toBeNever()

// a need that a filter provides
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
const asking = requestFilter({ needs: { user: User } }, (_, { user }) => void user.name)
inMemory(pipe(routes({ greet }), withFilter(authenticating)))
inMemory(pipe(routes({ greet }), withFilter(asking), withFilter(authenticating)))
inMemory(pipe(routes({ greet }), withFilter(authenticating, timed), provide({ clock: () => 1 })))
inMemory(pipe(routes({ plain }), withFilter(asking), provide({ user: { name: 'bob' } })))
// @ts-expect-error nobody gives the user
inMemory(pipe(routes({ greet }), withFilter(responseFilter(() => undefined))))
// @ts-expect-error nobody gives what the filter needs
inMemory(pipe(routes({ plain }), withFilter(asking)))
// @ts-expect-error a filter further in gives it too late
inMemory(pipe(routes({ greet }), withFilter(authenticating), withFilter(asking)))
// @ts-expect-error the clock is still missing
inMemory(pipe(routes({ greet }), withFilter(authenticating, timed)))
// @ts-expect-error a user of another type
inMemory(pipe(routes({ greet }), withFilter(asking), provide({ user: 1 })))
// @ts-expect-error what is given is said
requestFilter({ gives: { who: User } }, () => next({ whom: { name: 'ann' } }))
// @ts-expect-error and has its type
requestFilter({ gives: { who: User } }, () => next({ who: 1 }))
// @ts-expect-error a filter that gives does not let requests pass without
requestFilter({ gives: { who: User } }, () => undefined)

// `priority` accepts both and keeps their types
expectTypeOf(pipe(authenticating, priority(1))).toEqualTypeOf<typeof authenticating>()
expectTypeOf(pipe(text409, priority(1))).toEqualTypeOf<typeof text409>()
pipe(unwrap(Error), priority(1))
// @ts-expect-error and not for trees
pipe(api, priority(1))
// @ts-expect-error names are for filters
pipe(text409, onlyFor('audited'))
