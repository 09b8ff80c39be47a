/** Errors in `deprecated`, and how the endpoint that replaces an operation is found. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  deprecated,
  get,
  handle,
  implementAll,
  path,
  prefix,
  produces,
  query,
  routes,
  string,
  text,
} from '../../src/index.ts'
import type { DeprecationOptions } from '../../src/index.ts'
import { compileTree } from '../../src/compiler/compile.ts'
import { describe, table } from '../support/describe.ts'
import { issuesOf } from '../support/plan.ts'

const at = (target: string) =>
  pipe(
    path(target),
    get(),
    produces(text),
    handle(() => 'x'),
  )
const found = at('/found/{id}')

const deprecationOf = (api: Parameters<typeof compileTree>[0], name = 'old') =>
  compileTree(api).plans.find((plan) => plan.name === name)?.deprecation

describe('deprecated', (test) => {
  table(
    test,
    [
      ['a date without a year', { since: '11-01' }, 'since'],
      ['a day that does not exist', { since: '2026-02-30' }, 'since'],
      ['a time without an offset', { sunset: '2026-02-20T10:00' }, 'sunset'],
      ['a time zone', { sunset: '2026-02-20T10:00[Europe/Paris]' }, 'sunset'],
      ['a time that does not exist', { sunset: '2026-02-20T25:00Z' }, 'sunset'],
      ['an empty string', { since: '' }, 'since'],
      ['an invalid Date', { since: new Date(Number.NaN) }, 'since'],
      ['a year that HTTP dates cannot have', { since: new Date(8e15) }, 'since'],
      ['a number', { since: 1_767_225_600 }, 'since'],
      ['null', { since: null }, 'since'],
      ['a tree', { replacedBy: routes({}) }, 'replacedBy'],
      ['an empty URL', { replacedBy: '' }, 'replacedBy'],
      ['a URL object', { sunsetDocs: new URL('http://a') }, 'sunsetDocs'],
    ] as const,
    (_, options, name) => {
      assert.throws(
        () => deprecated(options as unknown as DeprecationOptions),
        (error: unknown) =>
          error instanceof TypeError &&
          error.message.startsWith(`deprecated: invalid ${name}: expected`),
      )
    },
  )

  test('rejects unknown options', () => {
    assert.throws(
      () => deprecated({ until: '2026-01-01' } as never),
      'unknown option "until": expected since, sunset, replacedBy, deprecationDocs or sunsetDocs',
    )
  })

  table(
    test,
    [
      [
        'a sunset before the deprecation',
        pipe(at('/old'), deprecated({ since: '2026-02-01', sunset: '2026-01-31' })),
        ['the sunset must not be before the date since which the operation is deprecated'],
      ],
      [
        'a sunset at the time of the deprecation',
        pipe(at('/old'), deprecated({ since: '2026-02-01', sunset: '2026-02-01' })),
        [],
      ],
      [
        'a replacement that is missing from the tree',
        pipe(at('/old'), deprecated({ replacedBy: at('/missing') })),
        ['invalid replacedBy: GET /missing is not an operation of the tree'],
      ],
      [
        'a resource as the replacement',
        pipe(at('/old'), deprecated({ replacedBy: path('/found/{id}') })),
        ['invalid replacedBy: (no method) /found/{id} is not an operation of the tree'],
      ],
    ] as const,
    (_, old, remedies) => {
      const issues = issuesOf(routes({ old, found }))
      assert.equal(
        issues.map(({ remedy }) => remedy),
        remedies,
      )
      for (const { code, concerns } of issues)
        assert.equal([code, concerns], ['FW-DOC-003', ['GET /old  (old)']])
    },
  )

  test('reports a sunset before the date of the enclosing tree', () => {
    const api = pipe(
      routes({ old: pipe(at('/old'), deprecated({ sunset: '2026-01-01' })) }),
      deprecated({ since: '2026-02-01' }),
    )
    assert.equal(
      issuesOf(api).map(({ code }) => code),
      ['FW-DOC-003'],
    )
  })

  test('reports a replacement that occurs twice at the same distance', () => {
    const api = routes({
      old: pipe(at('/old'), deprecated({ replacedBy: found })),
      a: pipe(routes({ found }), prefix('/a')),
      b: pipe(routes({ found }), prefix('/b')),
    })
    assert.match(issuesOf(api)[0]?.remedy ?? '', 'occurs multiple times in the tree')
  })
})

describe('the replacement of a deprecated operation', (test) => {
  test('is found if the handlers are declared separately', () => {
    const next = pipe(path('/next'), get(), produces(text))
    const contract = routes({
      next,
      old: pipe(path('/old'), get(), produces(text), deprecated({ replacedBy: next })),
    })
    const api = implementAll(contract, { next: () => 'x', old: () => 'x' })
    assert.equal(deprecationOf(api)?.successorPath, ['/next'])
  })

  test('has no link if the request has no value for a path variable', () => {
    const old = pipe(
      path('/old'),
      get(),
      query({ id: string }),
      produces(text),
      deprecated({ replacedBy: found }),
      handle(() => 'x'),
    )
    assert.is(deprecationOf(routes({ old, found }))?.successorPath, undefined)
  })

  test('can have the path variables in another order', () => {
    const next = at('/b/{b}/a/{a}')
    const old = pipe(at('/{a}-{b}'), deprecated({ replacedBy: next }))
    assert.equal(deprecationOf(routes({ old, next }))?.successorPath, ['/b/', 1, '/a/', 0])
  })
})
