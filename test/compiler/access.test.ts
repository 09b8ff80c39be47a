/** Tests configuration errors of access rules, and expressions in roles. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AttributeStep } from '../../src/endpoint/tree/tree-scope.ts'
import {
  authenticated,
  authentication,
  basic,
  denyAll,
  get,
  handle,
  onlyFor,
  path,
  permitAll,
  priority,
  requestFilter,
  rolesAllowed,
  routes,
  withFilter,
} from '../../src/index.ts'
import type { PlainFilter } from '../../src/index.ts'
import type { PropertyLookup } from '../../src/compiler/access.ts'
import { compile } from '../../src/interpreter/program.ts'
import { describeTree } from '../../src/compiler/explain.ts'
import { ConfigurationError } from '../../src/endpoint/definition/configuration-error.ts'
import type { Program } from '../../src/interpreter/program.ts'
import { describe, table } from '../support/describe.ts'

const basicFilter = basic({ realm: 'a', verify: () => undefined })
const plain = requestFilter(() => undefined)
const compiled = (
  access: AttributeStep,
  property?: PropertyLookup,
  filter: PlainFilter = basicFilter,
): Program =>
  compile(
    pipe(
      routes({
        it: pipe(
          path('/it'),
          get(),
          access,
          handle(() => undefined),
        ),
      }),
      withFilter(filter),
    ),
    undefined,
    property === undefined ? {} : { configuration: { profile: 'prod', property } },
  )

const issuesOf = (make: () => unknown): ReadonlyArray<string> => {
  try {
    make()
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.issues.map(({ code, concerns, remedy }) => [code, ...concerns, remedy].join(' | '))
  }
}

const property: PropertyLookup = (name) =>
  new Map([
    ['one', 'reader'],
    ['two', ' reader,editor '],
    ['empty', ''],
  ]).get(name)

describe('access in describeTree', (test) => {
  table<[access: AttributeStep, line: string | undefined]>(
    test,
    [
      [permitAll, '  access for all requests'],
      [denyAll, '  access denied'],
      [authenticated, '  access for authenticated requests'],
      [rolesAllowed('a', 'b'), '  access for users with role a or b'],
      [rolesAllowed('a', '${one}'), '  access for users with role a or reader'],
      [rolesAllowed('${two}'), '  access for users with role reader or editor'],
      [(it) => it, undefined],
    ],
    (access, line) => {
      const lines = describeTree(compiled(access, property)).split('\n')
      assert.is(
        lines.find((text) => text.startsWith('  access')),
        line,
      )
    },
  )
})

describe('access rules when a tree is compiled', (test) => {
  table<[name: string, make: () => unknown, expected: ReadonlyArray<string>]>(
    test,
    [
      [
        'a role with a missing property',
        () => compiled(rolesAllowed('${none}', 'a', '${nor}'), property),
        [
          'FW-ACCESS-001 | GET /it  (it) | ${none}: define none, or add a default: ${none:…}',
          'FW-ACCESS-001 | GET /it  (it) | ${nor}: define nor, or add a default: ${nor:…}',
        ],
      ],
      [
        'a list with an empty role',
        () => compiled(rolesAllowed('${empty}'), property),
        ['FW-ACCESS-001 | GET /it  (it) | ${empty}: missing role name'],
      ],
      [
        'a role without a name',
        () => compiled(rolesAllowed('')),
        ['FW-ACCESS-001 | GET /it  (it) | missing role name'],
      ],
      [
        'an expression without properties',
        () => compiled(rolesAllowed('${one}')),
        ['FW-ACCESS-001 | GET /it  (it) | ${one}: define one, or add a default: ${one:…}'],
      ],
      ['braces without an expression', () => compiled(rolesAllowed('{one}$')), []],
    ],
    (_, make, expected) => assert.equal(issuesOf(make), expected),
  )

  const missingAuthentication =
    'FW-ACCESS-002 | GET /it  (it) | add an authentication filter with a priority below 2000: withFilter(basic({ … }))'
  table<[name: string, make: () => unknown, expected: ReadonlyArray<string>]>(
    test,
    [
      [
        'roles without authentication',
        () => compiled(rolesAllowed('a'), undefined, plain),
        [missingAuthentication],
      ],
      [
        'authenticated without authentication',
        () => compiled(authenticated, undefined, plain),
        [missingAuthentication],
      ],
      ['denyAll without authentication', () => compiled(denyAll, undefined, plain), []],
      ['permitAll without authentication', () => compiled(permitAll, undefined, plain), []],
      [
        'an authentication filter with priority 2000',
        () => compiled(authenticated, undefined, pipe(basicFilter, priority(2000))),
        [missingAuthentication],
      ],
      [
        'an authentication filter with priority 1999',
        () => compiled(authenticated, undefined, pipe(basicFilter, priority(1999))),
        [],
      ],
      [
        'an authentication filter bound to other operations',
        () => compiled(authenticated, undefined, pipe(basicFilter, onlyFor('b'))),
        [missingAuthentication],
      ],
      [
        'a silent authentication filter',
        () =>
          compiled(
            authenticated,
            undefined,
            authentication({ challenge: 'A', silent: true }, () => undefined),
          ),
        [],
      ],
    ],
    (_, make, expected) => assert.equal(issuesOf(make), expected),
  )

  test('adds no filter to an operation that permits all', () => {
    const [open, restricted] = [permitAll, authenticated].map(
      (access) => compiled(access).plans[0]?.chain.early.length,
    )
    assert.equal([open, restricted], [1, 2])
  })
})
