/** Types of filters: provided values and declared replies. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { ProblemDocument, Reply, Routes } from '../../src/index.ts'
import {
  csrf,
  get,
  handle,
  json,
  needs,
  next,
  path,
  preMatching,
  produces,
  provide,
  reply,
  requestFilter,
  responseFilter,
  rewrite,
  routes,
  signedCookie,
  slot,
  text,
  withFilter,
  withHeader,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'

const User = slot<{ readonly name: string }>()('user')
const Clock = slot<() => number>()('clock')
const Denied = t.type({ why: t.string })

const whoAmI = pipe(
  path('/me'),
  get(),
  needs({ user: User }),
  produces(text),
  handle((input) => input.needs.user.name),
)
const api = routes({ whoAmI })

const authenticating = requestFilter(
  { gives: { user: User }, fails: { 401: text } },
  ({ request }) =>
    request.header('authorization') === undefined
      ? reply(401, 'who?')
      : next({ user: { name: 'a' } }),
)
type RepliesOf<R> = R extends Routes<infer _T, infer _R, infer E> ? E : never

// a tree with a missing need cannot be served
// @ts-expect-error the slot user is missing
inMemory(api)
const guarded = pipe(api, withFilter(authenticating))
inMemory(guarded)
// the declared replies of a filter are responses of the tree
expectTypeOf<RepliesOf<typeof guarded>>().toEqualTypeOf<Reply<401, string>>()

const undeclared = pipe(guarded, withFilter(requestFilter(() => reply(403, 'no'))))
expectTypeOf<RepliesOf<typeof undeclared>>().toEqualTypeOf<Reply<401, string>>()

// a filter replies by returning; the context cannot send responses
// @ts-expect-error the context has no method that responds
requestFilter(({ response }) => response.abortWith(reply(401)))
// @ts-expect-error the result of addHeader is not a reply
requestFilter(({ response }) => response)

// a filter declares the values that it provides, and passes them to `next`
// @ts-expect-error next without the provided user
requestFilter({ gives: { user: User } }, () => undefined)
// @ts-expect-error next with a value of another type
requestFilter({ gives: { user: User } }, () => next({ user: 'ann' }))
// provided values must have the type of the need
const Another = slot<number>()('user')
const mismatched = requestFilter({ gives: { user: Another } }, () => next({ user: 1 }))
// @ts-expect-error a number for a slot of an object
pipe(api, withFilter(mismatched))

// the needs of a filter become needs of the tree
const timing = requestFilter({ needs: { clock: Clock } }, (_, { clock }) => {
  expectTypeOf(clock).toEqualTypeOf<() => number>()
})
const timed = pipe(guarded, withFilter(timing))
// @ts-expect-error the slot clock is missing
inMemory(timed)
inMemory(pipe(timed, provide({ clock: Date.now })))
// several filters in one step
inMemory(
  pipe(
    api,
    withFilter(authenticating, responseFilter(withHeader('X', 'y'))),
    withFilter(timing),
    provide({ clock: Date.now }),
  ),
)

// replies with bodies other than text and bytes must be declared
// @ts-expect-error an undeclared object
requestFilter(() => reply(403, { why: 'so' }))
const denying = requestFilter({ fails: { 403: json(Denied), 429: [] } }, async ({ request }) =>
  request.query === undefined ? reply(429) : O.some(reply(403, { why: 'so' })),
)
const denied = pipe(guarded, withFilter(denying))
expectTypeOf<RepliesOf<typeof denied>>().toEqualTypeOf<
  Reply<401, string> | Reply<403, { why: string }> | Reply<429, void>
>()
// @ts-expect-error the entity is not the declared one of 403
requestFilter({ fails: { 403: json(Denied) } }, () => reply(403, { how: 'so' }))

// pre-matching filters have no endpoint
// @ts-expect-error no endpoint before routing
preMatching(({ endpoint }) => (endpoint === undefined ? undefined : rewrite({})))
const moved = pipe(
  guarded,
  withFilter(preMatching(({ request }) => (request.path === '/' ? reply(410) : undefined))),
)
expectTypeOf<RepliesOf<typeof moved>>().toEqualTypeOf<Reply<401, string>>()

// csrf declares its reply
const protectedTree = pipe(guarded, withFilter(csrf()))
expectTypeOf<RepliesOf<typeof protectedTree>>().toEqualTypeOf<
  Reply<401, string> | Reply<403, ProblemDocument>
>()

// the filter of a signed cookie fills a slot with the value or undefined
const Session = t.type({ name: t.string })
const session = signedCookie(Session, { name: '__Host-session', keys: [] })
expectTypeOf(session.read).returns.resolves.toEqualTypeOf<{ name: string } | undefined>()
const User2 = slot<{ name: string } | undefined>()('user2')
const whoIsIt = pipe(
  path('/it'),
  get(),
  needs({ user: User2 }),
  produces(text),
  handle((input) => input.needs.user?.name ?? 'anonymous'),
)
inMemory(pipe(routes({ whoIsIt }), withFilter(csrf(), session.filter(User2))))
// @ts-expect-error the value can be undefined
pipe(api, withFilter(session.filter(User)))
// @ts-expect-error a value of another type
void session.create({ name: 7 })
