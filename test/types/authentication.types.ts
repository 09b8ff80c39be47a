/** Types of authentication filters. */
import { expectTypeOf } from 'expect-type'
import { flow, pipe } from 'fp-ts/lib/function.js'
import type {
  AttributeStep,
  Complete,
  Filter,
  PlainFilter,
  Reply,
  Routes,
} from '../../src/index.ts'
import {
  apiKey,
  authenticated,
  authentication,
  basic,
  critical,
  get,
  handle,
  authenticateAs,
  jwt,
  next,
  path,
  permitAll,
  produces,
  reply,
  requestFilter,
  rolesAllowed,
  routes,
  slot,
  text,
  withFilter,
} from '../../src/index.ts'

declare const serve: <T, R extends {}, E>(api: Routes<T, R, E> & Complete<T, R>) => void
type RepliesOf<F> = F extends Filter<never, unknown, infer E> ? E : never

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
  request.header('a') === undefined ? undefined : authenticateAs({ name: 'a', roles: [] }),
)
expectTypeOf<RepliesOf<typeof plain>>().toEqualTypeOf<never>()
expectTypeOf(plain).toExtend<PlainFilter>()

// declared replies become responses of every operation of the subtree
const limited = authentication({ challenge: 'A', fails: { 429: text } }, ({ request }) =>
  request.header('a') === undefined ? reply(429, 'slow down') : undefined,
)
expectTypeOf<RepliesOf<typeof limited>>().toEqualTypeOf<Reply<429, string>>()

// needs of a filter must be provided
const needing = authentication({ challenge: 'A', needs: { users: Users } }, (_, { users }) => {
  expectTypeOf(users).toEqualTypeOf<ReadonlyMap<string, string>>()
})
const giving = requestFilter({ gives: { users: Users } }, () => next({ users: new Map() }))
serve(pipe(routes({ it }), withFilter(needing), withFilter(giving)))
// @ts-expect-error the slot users is missing
serve(pipe(routes({ it }), withFilter(needing)))

// @ts-expect-error missing challenge
authentication({}, () => undefined)
// @ts-expect-error a principal must have a name
authentication({ challenge: 'A' }, () => authenticateAs({ roles: [] }))
// @ts-expect-error a request filter cannot return a principal
requestFilter(() => authenticateAs({ name: 'a', roles: [] }))
// @ts-expect-error a boolean is not a verdict
basic({ realm: 'a', verify: ({ user }) => user === 'a' })
// @ts-expect-error a key has one location
apiKey({ header: 'a', query: 'b', verify: () => undefined })
// @ts-expect-error a key has a location
apiKey({ verify: () => undefined })
const keys = new URL('https://id.example/keys')
jwt({ keys, issuer: 'a', audience: 'b', algorithms: ['ES256'] })
// @ts-expect-error missing audience
jwt({ keys, issuer: 'a', algorithms: ['ES256'] })
// @ts-expect-error missing algorithms
jwt({ keys, issuer: 'a', audience: 'b', algorithms: [] })
// @ts-expect-error a secret is a byte array
jwt({ keys: 'secret', issuer: 'a', audience: 'b', algorithms: ['HS256'] })
// @ts-expect-error a role has a name
rolesAllowed()

// constant steps are attribute steps, and keep the types of endpoints and trees
const secure: ReadonlyArray<AttributeStep> = [authenticated, permitAll, rolesAllowed('admin')]
const secured = pipe(
  path('/secured'),
  authenticated,
  get(),
  critical,
  handle(() => undefined),
)
expectTypeOf(pipe(secured, authenticated)).toEqualTypeOf<typeof secured>()
expectTypeOf(flow(authenticated, critical)(secured)).toEqualTypeOf<typeof secured>()
const tree = routes({ secured })
expectTypeOf(pipe(tree, permitAll)).toEqualTypeOf<typeof tree>()
expectTypeOf(secure[0]?.(secured)).toEqualTypeOf<typeof secured | undefined>()
