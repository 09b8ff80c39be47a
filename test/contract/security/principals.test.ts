/** Values that are not principals, such as those of look-ups with names that clients have chosen, are rejected. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import type { Principal } from '../../../src/endpoint/context.ts'
import type { PlainFilter } from '../../../src/endpoint/filter.ts'
import {
  apiKey,
  authenticateAs,
  authenticated,
  authentication,
  basic,
  bearer,
  mutualTls,
  routes,
  withFilter,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { ann, principalOperation } from '../../support/principal-operation.ts'
import { responseTo } from '../../support/send-request.ts'

/** A table that a program in JavaScript reads with `users[name]`. */
const users = JSON.parse(JSON.stringify({ ann }))

class Named {
  get name(): string {
    return 'inherited'
  }
  readonly roles = []
}

const values: Readonly<Record<string, () => unknown>> = {
  nameless: () => ({ roles: [] }),
  numericName: () => ({ name: 1, roles: [] }),
  inheritedName: () => new Named(),
  prototypeName: () => Object.create(ann),
  text: () => 'ann',
  number: () => 1,
  constructorOfPromise: async () => users['constructor'],
  some: () => O.some({}),
  right: () => E.right({ roles: [] }),
  taskOfNothing: () => async () => ({}),
}

// TypeScript rejects most of these values
const verify = (name: string): Principal | Promise<Principal> =>
  (Object.hasOwn(values, name) ? values[name]?.() : users[name]) as Principal | Promise<Principal>

const filters: Readonly<Record<string, PlainFilter>> = {
  basic: basic({ realm: 'a', verify: ({ user }) => verify(user) }),
  bearer: bearer({ verify }),
  apiKey: apiKey({ header: 'X-Key', verify }),
  custom: authentication({ challenge: 'Test' }, async ({ request }) =>
    authenticateAs(await verify(request.header('x-key') ?? '')),
  ),
}

const headersFor = (filter: string, name: string): Record<string, string> =>
  filter === 'basic'
    ? { Authorization: `Basic ${btoa(`${name}:x`)}` }
    : filter === 'bearer'
      ? { Authorization: `Bearer ${name}` }
      : { 'X-Key': name }

const names = [...Object.keys(values), ...Object.getOwnPropertyNames(Object.prototype)]

const treeWith = (filter: PlainFilter) =>
  pipe(routes({ me: pipe(principalOperation('me'), authenticated) }), withFilter(filter))

for (const [name, filter] of Object.entries(filters))
  contract(`values that are not principals, with ${name}`, treeWith(filter), (test, call) => {
    const statusFor = async (value: string): Promise<number> => {
      const [status] = await responseTo(call, 'GET /me', { headers: headersFor(name, value) })
      return status
    }
    test('a principal is authenticated', async () => assert.is(await statusFor('ann'), 200))
    for (const value of names)
      test(`${value} is rejected`, async () =>
        // the credentials of a custom filter are not invalid, but its result is
        assert.is(await statusFor(value), name === 'custom' ? 500 : 401))
  })

describe('values that are not principals, with mutualTls', (test) => {
  const clientCertificate = {
    subject: 'CN=a',
    commonName: 'a',
    alternativeNames: [],
    issuer: 'CN=b',
    serialNumber: '01',
    fingerprint: '00'.repeat(32),
    validFrom: new Date(0),
    validTo: new Date(2 ** 41),
  }
  for (const value of names)
    test(`${value} is rejected`, async () => {
      const api = treeWith(mutualTls({ verify: () => verify(value) }))
      const response = await inMemory(api, { clientCertificate })('https://localhost/me')
      assert.is(response.status, 401)
    })
})
