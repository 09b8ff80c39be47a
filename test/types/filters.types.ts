/** What filters promise to the compiler: values for what lies below, and replies for whoever calls. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { Reply, Routes } from '../../src/index.ts'
import {
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

// a need that nobody gives does not compile where the tree is served
// @ts-expect-error nobody gives the user
inMemory(api)
const guarded = pipe(api, withFilter(authenticating))
inMemory(guarded)
// what a filter declares that it may answer is known of the tree, and nothing else
expectTypeOf<RepliesOf<typeof guarded>>().toEqualTypeOf<Reply<401, string>>()

const undeclared = pipe(guarded, withFilter(requestFilter(() => reply(403, 'no'))))
expectTypeOf<RepliesOf<typeof undeclared>>().toEqualTypeOf<Reply<401, string>>()

// a filter answers by what it returns; the context has no second way
// @ts-expect-error there is nothing to abort with
requestFilter(({ response }) => response.abortWith(reply(401)))
// @ts-expect-error and what is added to responses is no answer
requestFilter(({ response }) => response)

// a filter that gives says so, and lets pass with what it gives
// @ts-expect-error it lets pass without the user
requestFilter({ gives: { user: User } }, () => undefined)
// @ts-expect-error another type
requestFilter({ gives: { user: User } }, () => next({ user: 'ann' }))
// what is given has to be of the type that is needed
const Another = slot<number>()('user')
const mistaken = requestFilter({ gives: { user: Another } }, () => next({ user: 1 }))
// @ts-expect-error a number where an object is needed
pipe(api, withFilter(mistaken))

// what a filter needs becomes a need of the tree, which something further out fills
const timing = requestFilter({ needs: { clock: Clock } }, (_, { clock }) => {
  expectTypeOf(clock).toEqualTypeOf<() => number>()
})
const timed = pipe(guarded, withFilter(timing))
// @ts-expect-error nobody gives the clock
inMemory(timed)
inMemory(pipe(timed, provide({ clock: Date.now })))
// several filters at once: each gives, each answers
inMemory(
  pipe(
    api,
    withFilter(authenticating, responseFilter(withHeader('X', 'y'))),
    withFilter(timing),
    provide({ clock: Date.now }),
  ),
)

// replies with contents that are neither text nor octets are declared
// @ts-expect-error an object
requestFilter(() => reply(403, { why: 'so' }))
const denying = requestFilter({ fails: { 403: json(Denied), 429: [] } }, async ({ request }) =>
  request.query === undefined ? reply(429) : O.some(reply(403, { why: 'so' })),
)
const denied = pipe(guarded, withFilter(denying))
expectTypeOf<RepliesOf<typeof denied>>().toEqualTypeOf<
  Reply<401, string> | Reply<403, { why: string }> | Reply<429, void>
>()
// @ts-expect-error the entity is none of 403
requestFilter({ fails: { 403: json(Denied) } }, () => reply(403, { how: 'so' }))

// filters before matching have no endpoint to look at
// @ts-expect-error nothing was matched yet
preMatching(({ endpoint }) => (endpoint === undefined ? undefined : rewrite({})))
const moved = pipe(
  guarded,
  withFilter(preMatching(({ request }) => (request.path === '/' ? reply(410) : undefined))),
)
expectTypeOf<RepliesOf<typeof moved>>().toEqualTypeOf<Reply<401, string>>()
