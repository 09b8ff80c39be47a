/** Types of authentication filters. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import type { Filter, PlainFilter, Reply, Routes } from '../../src/index.ts'
import {
  apiKey,
  authentication,
  basic,
  get,
  handle,
  identified,
  jwt,
  next,
  path,
  produces,
  reply,
  requestFilter,
  rolesAllowed,
  routes,
  slot,
  text,
  withFilter,
} from '../../src/index.ts'

declare const serve: <T, E>(api: Routes<T, {}, E>) => void
type Answers<F> = F extends Filter<never, unknown, infer E> ? E : never

const Users = slot<ReadonlyMap<string, string>>()('users')
const it = pipe(
  path('/'),
  get(),
  rolesAllowed('reader'),
  produces(text),
  handle((_, { security }) => {
    expectTypeOf(security.principal?.name).toEqualTypeOf<string | undefined>()
    return ''
  }),
)

// filters without replies add no responses
const plain = authentication({ challenge: 'A' }, async ({ request }) =>
  request.header('a') === undefined ? undefined : identified({ name: 'a', roles: [] }),
)
expectTypeOf<Answers<typeof plain>>().toEqualTypeOf<never>()
expectTypeOf(plain).toExtend<PlainFilter>()

// declared replies become responses of every operation of the subtree
const limited = authentication({ challenge: 'A', fails: { 429: text } }, ({ request }) =>
  request.header('a') === undefined ? reply(429, 'slow down') : undefined,
)
expectTypeOf<Answers<typeof limited>>().toEqualTypeOf<Reply<429, string>>()

// needs of a filter must be provided
const needing = authentication({ challenge: 'A', needs: { users: Users } }, (_, { users }) => {
  expectTypeOf(users).toEqualTypeOf<ReadonlyMap<string, string>>()
})
const giving = requestFilter({ gives: { users: Users } }, () => next({ users: new Map() }))
serve(pipe(routes({ it }), withFilter(needing), withFilter(giving)))
// @ts-expect-error nobody gives the users
serve(pipe(routes({ it }), withFilter(needing)))

// @ts-expect-error a scheme is named by a challenge
authentication({}, () => undefined)
// @ts-expect-error somebody is known by a name
authentication({ challenge: 'A' }, () => identified({ roles: [] }))
// @ts-expect-error a filter that is not for authentication knows nobody
requestFilter(() => identified({ name: 'a', roles: [] }))
// @ts-expect-error credentials are not checked by a truth value
basic({ realm: 'a', verify: ({ user }) => user === 'a' })
// @ts-expect-error a key stands in one place
apiKey({ header: 'a', query: 'b', verify: () => undefined })
// @ts-expect-error a key stands in some place
apiKey({ verify: () => undefined })
const keys = new URL('https://id.example/keys')
jwt({ keys, issuer: 'a', audience: 'b', algorithms: ['ES256'] })
// @ts-expect-error for whom a token is meant is always said
jwt({ keys, issuer: 'a', algorithms: ['ES256'] })
// @ts-expect-error and by what it is signed
jwt({ keys, issuer: 'a', audience: 'b', algorithms: [] })
// @ts-expect-error a secret is octets
jwt({ keys: 'secret', issuer: 'a', audience: 'b', algorithms: ['HS256'] })
// @ts-expect-error roles are named
rolesAllowed()
