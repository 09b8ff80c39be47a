/** The filters of limited operations, the keys of their quotas, and configuration errors in limits. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { compileTree } from '../../src/compiler/compile.ts'
import type { ConfigurationIssue } from '../../src/endpoint/definition/configuration-error.ts'
import { ConfigurationError } from '../../src/endpoint/definition/configuration-error.ts'
import type { AnyNode } from '../../src/endpoint/routes.ts'
import {
  authenticated,
  basic,
  critical,
  get,
  handle,
  inMemoryStore,
  limits,
  nonBlocking,
  path,
  priority,
  rateLimit,
  requestFilter,
  routes,
  summary,
  withFilter,
  withStore,
} from '../../src/index.ts'
import { describeRoutes } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

const operation = pipe(
  path('/'),
  get(),
  handle(() => {}),
)
const at = (template: string) =>
  pipe(
    path(template),
    get(),
    handle(() => {}),
  )
const library = basic({ realm: 'library', verify: ({ user }) => ({ name: user, roles: [] }) })
const byAddress = rateLimit({ limit: 10, window: '1m' })
const byPrincipal = rateLimit({ limit: 10, window: '1m', by: 'principal', name: 'user' })
const byKey = rateLimit({ limit: 10, window: '1m', by: () => 'key', name: 'key' })
const early = (name: string, order: number) =>
  priority(order)(nonBlocking(requestFilter({ [name]: () => {} }[name] ?? (() => {}))))

const issuesOf = (api: AnyNode, isContract = false): ReadonlyArray<ConfigurationIssue> => {
  try {
    compileTree(api, undefined, { isContract })
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.issues
    throw error
  }
}

const namesOf = (api: AnyNode): ReadonlyArray<string> =>
  compileTree(api).plans.flatMap(({ chain }) =>
    chain.early.map(
      ({ filter }) => filter.authentication?.scheme ?? filter.name ?? filter.run.name,
    ),
  )

describe('the filters of a limited operation', (test) => {
  const rows: ReadonlyArray<[title: string, api: AnyNode, names: ReadonlyArray<string>]> = [
    ['a limit without other filters', routes({ a: byAddress(operation) }), ['rateLimit']],
    [
      'a limit by address runs before authentication',
      pipe(routes({ a: pipe(operation, authenticated, byAddress) }), withFilter(library)),
      ['rateLimit', 'Basic', 'accessRule'],
    ],
    [
      'a limit by address runs before authentication with a changed priority',
      pipe(routes({ a: byAddress(operation) }), withFilter(priority(10)(library))),
      ['rateLimit', 'Basic'],
    ],
    [
      'a limit by principal runs after authentication, and before the access rule',
      pipe(routes({ a: pipe(operation, authenticated, byPrincipal) }), withFilter(library)),
      ['Basic', 'rateLimit', 'accessRule'],
    ],
    [
      'a limit by a function runs after authentication',
      pipe(routes({ a: byKey(operation) }), withFilter(library)),
      ['Basic', 'rateLimit'],
    ],
    [
      'limits before and after authentication, and filters of other priorities',
      pipe(
        routes({ a: pipe(operation, authenticated, byAddress, byPrincipal, byKey) }),
        withFilter(library, early('first', 100), early('between', 1500), early('last', 3000)),
      ),
      ['first', 'rateLimit', 'Basic', 'between', 'rateLimit', 'accessRule', 'last'],
    ],
    [
      'an operation with other attributes in a limited tree',
      byAddress(routes({ a: pipe(operation, summary('Read'), limits({ timeout: '1s' })) })),
      ['rateLimit'],
    ],
    ['a critical operation', byAddress(routes({ a: critical(operation) })), []],
  ]
  table(test, rows, (_, api, names) => assert.equal(namesOf(api), names))

  test('describeRoutes lists the limits', () => {
    const text = describeRoutes(
      pipe(
        routes({ a: pipe(operation, byKey) }),
        rateLimit({ limit: 1000, window: '1h', burst: 100 }),
      ),
    )
    assert.match(text, /\n {2}rate limit: 1000 in 1h, 100 at once, by address\n/)
    assert.match(text, /\n {2}rate limit key: 10 in 1m, 5 at once, by by\n/)
  })
})

/** Sends requests for paths, and returns the keys of the quotas. */
const keysOf = async (
  api: (store: typeof withStore) => Parameters<typeof inMemory>[0],
  ...paths: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const keys: string[] = []
  const store = inMemoryStore()
  const recording: typeof withStore = () =>
    withStore({ ...store, take: (key, ...rest) => (keys.push(key), store.take(key, ...rest)) })
  const send = inMemory(api(recording))
  for (const target of paths) await send(`http://localhost${target}`)
  return keys
}

describe('the keys of quotas', (test) => {
  test('begin with the first operation of the limit, its name and its rate', async () => {
    const keys = await keysOf(
      (recording) =>
        pipe(
          routes({
            books: routes({ list: at('/books'), get: pipe(at('/book'), byKey) }),
          }),
          byAddress,
          recording(inMemoryStore()),
        ),
      '/book',
      '/books',
    )
    assert.equal(keys, [
      'rate:books.list:default:10/60000/5:unknown',
      'rate:books.get:key:10/60000/5:key:key',
      'rate:books.list:default:10/60000/5:unknown',
    ])
  })
  test('of unnamed limits are numbered from the outermost limit', async () => {
    const keys = await keysOf(
      (recording) =>
        pipe(routes({ a: byAddress(operation) }), byAddress, recording(inMemoryStore())),
      '/',
    )
    assert.equal(keys, ['rate:a:default-2:10/60000/5:unknown', 'rate:a:default:10/60000/5:unknown'])
  })
})

const named = (name: string) => rateLimit({ limit: 1, window: '1m', name })

describe('configuration errors in rate limits', (test) => {
  const rows: ReadonlyArray<[title: string, api: AnyNode, issues: ReadonlyArray<unknown>]> = [
    [
      'a limit by principal without authentication',
      byPrincipal(routes({ a: operation })),
      [
        [
          'FW-ACCESS-002',
          'add an authentication filter with a priority below 2000: withFilter(basic({ … }))',
        ],
      ],
    ],
    [
      'two limits with the same name',
      pipe(routes({ a: named('login')(operation) }), named('login')),
      [
        [
          'FW-ROUTE-005',
          "two rate limits have the name login: set the option name of one, as in rateLimit({ name: 'login', … })",
        ],
      ],
    ],
    [
      'a name that is the default of another limit',
      pipe(routes({ a: named('default')(operation) }), byAddress),
      [
        [
          'FW-ROUTE-005',
          "two rate limits have the name default: set the option name of one, as in rateLimit({ name: 'login', … })",
        ],
      ],
    ],
    [
      'a limit of operations with different stores',
      byAddress(routes({ a: at('/a'), b: withStore(inMemoryStore())(at('/b')) })),
      [
        [
          'FW-ROUTE-005',
          'the rate limit default applies to operations with different stores: apply withStore to a tree that contains all of them',
        ],
      ],
    ],
    [
      'different stores of critical operations',
      byAddress(routes({ a: at('/a'), b: pipe(at('/b'), critical, withStore(inMemoryStore())) })),
      [],
    ],
  ]
  table(test, rows, (_, api, issues) =>
    assert.equal(
      issuesOf(api).map(({ code, remedy }) => [code, remedy]),
      issues,
    ),
  )
  test('a contract needs no authentication', () =>
    assert.equal(issuesOf(byPrincipal(routes({ a: operation })), true), []))
})
