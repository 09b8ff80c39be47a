import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { client, ConfigurationError } from '../../src/client.ts'
import type { PrefixSlots, Routes } from '../../src/index.ts'
import {
  get,
  handle,
  int,
  needs,
  path,
  prefix,
  produces,
  provide,
  requestFilter,
  routes,
  segments,
  slot,
  string,
  text,
  withFilter,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'
import { issuesOf, plansOf } from '../support/plan.ts'

const Tenant = slot(int)('tenant')
const Name = slot<string>()('name')

const ping = pipe(
  path('/ping'),
  get(),
  produces(text),
  handle(() => 'pong'),
)
const item = pipe(
  path('/{id}'),
  get(),
  produces(text),
  handle(() => ''),
)

/** Adds a prefix as an application in JavaScript can: without type checks. */
const untypedPrefix = (template: string, slots?: Readonly<Record<string, unknown>>) =>
  prefix(template as '', slots as PrefixSlots as {})

describe('prefix with variables', (test) => {
  const tree = routes({ ping })

  test('wraps the tree with the template and the slots', () => {
    const wrapped = pipe(tree, prefix('/t/{tenant}', { tenant: Tenant }))
    assert.equal(wrapped.wrappers, [
      { _tag: 'Prefix', path: '/t/{tenant}', slots: new Map([['tenant', Tenant]]) },
    ])
    assert.is(wrapped.children, tree.children)
    assert.equal(tree.wrappers, [])
  })
  test('the slots are independent of the record in which they were passed', () => {
    const slots = { tenant: Tenant }
    const [wrapper] = pipe(tree, prefix('/t/{tenant}', slots)).wrappers
    Reflect.deleteProperty(slots, 'tenant')
    assert.equal(wrapper?._tag === 'Prefix' && wrapper.slots?.get('tenant'), Tenant)
  })
  test('plans read the variables, keyed by slot, outermost first', () => {
    const Rest = slot(segments(string))('rest')
    const api = pipe(
      routes({ item }),
      prefix('/in/{x}', { x: Rest }),
      prefix('/t/{tenant}', { tenant: Tenant }),
    )
    const [plan] = plansOf(api)
    assert.equal(plan?.prefixParameters, [
      { group: 'path', key: 'tenant', name: 'tenant', codec: int },
      { group: 'path', key: 'rest', name: 'x', codec: Rest.codec },
    ])
    assert.equal(
      plan?.parameters.path.map(({ name }) => name),
      ['id'],
    )
    assert.is(plan?.pattern.key, 't/{}/in/{+}/{}')
  })
})

type Row = readonly [
  title: string,
  api: Routes<unknown, {}, unknown>,
  code: string,
  concerns: string,
  remedy: string,
]

const rows: ReadonlyArray<Row> = [
  [
    'a variable without a slot',
    routes({ inner: pipe(routes({ ping }), untypedPrefix('/t/{tenant}')) }),
    'FW-PARAM-001',
    'of inner',
    `no slot for {tenant}: declare it with prefix('/t/{tenant}', { tenant: … })`,
  ],
  [
    'one of two variables without a slot',
    pipe(routes({ ping }), untypedPrefix('/{a}/{b}', { a: Tenant })),
    'FW-PARAM-001',
    'of the root',
    `no slot for {b}: declare it with prefix('/{a}/{b}', { b: … })`,
  ],
  [
    'a slot without a variable',
    pipe(routes({ ping }), untypedPrefix('/t', { tenant: Tenant })),
    'FW-PARAM-001',
    'of the root',
    '/t has no variable {tenant}: remove its slot',
  ],
  [
    'a value that is not a slot',
    pipe(routes({ ping }), untypedPrefix('/{tenant}', { tenant: 'tenant' })),
    'FW-PARAM-001',
    'of the root',
    'the value for {tenant} is not a slot: create it with slot(…)',
  ],
  [
    'a slot with the key __proto__',
    pipe(routes({ ping }), untypedPrefix('/{tenant}', { tenant: slot(int)('__proto__') })),
    'FW-PARAM-001',
    'of the root',
    'the value for {tenant} is not a slot: create it with slot(…)',
  ],
  [
    'a variable that occurs twice in a prefix',
    pipe(routes({ ping }), untypedPrefix('/{a}/{a}', { a: Tenant })),
    'FW-PARAM-001',
    'of the root',
    '{a} occurs twice in /{a}/{a}: rename one of the variables',
  ],
  [
    'a variable that an operation below declares',
    pipe(routes({ item }), prefix('/{id}', { id: Tenant })),
    'FW-ROUTE-005',
    'GET /{id}/{id}  (item)',
    'the variable {id} of a prefix is declared again below it: rename one of them',
  ],
  [
    'a variable that a nested prefix declares',
    pipe(routes({ ping }), prefix('/{a}', { a: Tenant }), prefix('/{a}', { a: Name })),
    'FW-ROUTE-005',
    'GET /{a}/{a}/ping  (ping)',
    'the variable {a} of a prefix is declared again below it: rename one of them',
  ],
  [
    'a malformed template',
    pipe(routes({ ping }), untypedPrefix('/{a')),
    'FW-ROUTE-001',
    'GET /{a/ping  (ping)',
    'unexpected "{a/ping": a brace is not closed: add }',
  ],
  [
    'a variable in brackets',
    pipe(routes({ ping }), untypedPrefix('/[a]')),
    'FW-ROUTE-001',
    'GET /[a]/ping  (ping)',
    'unexpected "[a]": variables are written {id}',
  ],
]

const ownTenant = requestFilter({ needs: { tenant: Tenant } }, () => undefined)
/** Returns the errors of a tree that TypeScript rejects. */
const outside = (api: unknown): ReadonlyArray<string> =>
  issuesOf(api as Parameters<typeof issuesOf>[0]).map(({ code, remedy }) => `${code} ${remedy}`)
const prefixInside =
  'FW-NEED-001 apply prefix(…) after withFilter(…): the prefix that fills the slot "tenant" is inside the filter that needs it'

describe('configuration errors of prefix', (test) => {
  table<Row>(test, rows, (_, api, code, concerns, remedy) => {
    const expected = [{ code, concerns: [concerns], remedy }]
    assert.equal(issuesOf(api), expected)
    // a client reports the same errors
    try {
      client(api, { baseUrl: 'http://localhost' })
      assert.unreachable('no error')
    } catch (error) {
      assert.equal(error instanceof ConfigurationError && error.issues, expected)
    }
  })
  test('an expression that can take exponential time', () =>
    assert.equal(
      issuesOf(pipe(routes({ ping }), prefix('/{a:(x+)+y}', { a: Name }))).map(({ code }) => code),
      ['FW-ROUTE-003'],
    ))
  test('a slot that a filter outside of the prefix needs', () => {
    const needy = pipe(
      path('/outside'),
      get(),
      needs({ tenant: Tenant }),
      produces(text),
      handle(() => ''),
    )
    const api = routes({
      inside: pipe(routes({ ping }), prefix('/{tenant}', { tenant: Tenant })),
      needy,
    })
    assert.equal(
      issuesOf(api as unknown as Parameters<typeof issuesOf>[0]).map(({ code, concerns }) => [
        code,
        ...concerns,
      ]),
      [['FW-NEED-001', 'GET /outside  (needy)']],
    )
  })
  test('a filter that is applied after the prefix that fills its slot', () => {
    const inside = pipe(routes({ ping }), prefix('/{tenant}', { tenant: Tenant }))
    assert.equal(outside(pipe(inside, withFilter(ownTenant))), [prefixInside])
    assert.equal(outside(pipe(routes({ inside }), withFilter(ownTenant))), [prefixInside])
  })
  test('a filter that is applied after provide', () =>
    assert.equal(outside(pipe(routes({ ping }), provide({ tenant: 7 }), withFilter(ownTenant))), [
      'FW-NEED-001 apply provide({ tenant: … }) after withFilter(…): it is inside the filter that needs the slot "tenant"',
    ]))
})
