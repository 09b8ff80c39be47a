/** R-362 and the expressions of roles: what is found when a tree is compiled. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AttributeStep } from '../../src/endpoint/internal/set-attributes.ts'
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
import { describeTree } from '../../src/compiler/explain/explain.ts'
import { MistakesError } from '../../src/endpoint/internal/configuration-error.ts'
import type { Program } from '../../src/interpreter/program.ts'
import { describe, table } from '../support/describe.ts'

const known = basic({ realm: 'a', verify: () => undefined })
const plain = requestFilter(() => undefined)
const compiled = (
  access: AttributeStep,
  property?: PropertyLookup,
  filter: PlainFilter = known,
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

const mistakesOf = (make: () => unknown): ReadonlyArray<string> => {
  try {
    make()
    return []
  } catch (error) {
    if (!(error instanceof MistakesError)) throw error
    return error.mistakes.map(({ code, concerns, remedy }) =>
      [code, ...concerns, remedy].join(' | '),
    )
  }
}

const property: PropertyLookup = (name) =>
  new Map([
    ['one', 'reader'],
    ['two', ' reader,editor '],
    ['empty', ''],
  ]).get(name)

describe('explain: access', (test) => {
  table<[access: AttributeStep, line: string | undefined]>(
    test,
    [
      [permitAll, '  access anybody'],
      [denyAll, '  access nobody'],
      [authenticated, '  access everybody who is known'],
      [rolesAllowed('a', 'b'), '  access roles a, b'],
      [rolesAllowed('a', '${one}'), '  access roles a, reader'],
      [rolesAllowed('${two}'), '  access roles reader, editor'],
      [(it) => it, undefined],
    ],
    (access, line) => {
      const lines = describeTree(compiled(access, property)).split('\n')
      assert.is(
        lines.find((one) => one.startsWith('  access')),
        line,
      )
    },
  )
})

describe('compile: access', (test) => {
  table<[name: string, make: () => unknown, found: ReadonlyArray<string>]>(
    test,
    [
      [
        'a role that nothing tells of',
        () => compiled(rolesAllowed('${none}', 'a', '${nor}'), property),
        [
          'FW-ACCESS-001 | GET /it  (it) | ${none}: define none, or write a default: ${none:…}',
          'FW-ACCESS-001 | GET /it  (it) | ${nor}: define nor, or write a default: ${nor:…}',
        ],
      ],
      [
        'a list with a gap',
        () => compiled(rolesAllowed('${empty}'), property),
        ['FW-ACCESS-001 | GET /it  (it) | ${empty}: missing role name'],
      ],
      [
        'a role without a name',
        () => compiled(rolesAllowed('')),
        ['FW-ACCESS-001 | GET /it  (it) | missing role name'],
      ],
      [
        'an expression where there are no properties',
        () => compiled(rolesAllowed('${one}')),
        ['FW-ACCESS-001 | GET /it  (it) | ${one}: define one, or write a default: ${one:…}'],
      ],
      ['braces without an expression', () => compiled(rolesAllowed('{one}$')), []],
    ],
    (_, make, found) => assert.equal(mistakesOf(make), found),
  )

  const unknowable =
    'FW-ACCESS-002 | GET /it  (it) | add an authentication filter with a priority below 2000: withFilter(basic({ … }))'
  table<[name: string, make: () => unknown, found: ReadonlyArray<string>]>(
    test,
    [
      [
        'roles without authentication',
        () => compiled(rolesAllowed('a'), undefined, plain),
        [unknowable],
      ],
      [
        'authenticated without authentication',
        () => compiled(authenticated, undefined, plain),
        [unknowable],
      ],
      ['denyAll needs none', () => compiled(denyAll, undefined, plain), []],
      ['permitAll needs none', () => compiled(permitAll, undefined, plain), []],
      [
        'a filter that comes too late',
        () => compiled(authenticated, undefined, pipe(known, priority(2000))),
        [unknowable],
      ],
      [
        'a filter in time',
        () => compiled(authenticated, undefined, pipe(known, priority(1999))),
        [],
      ],
      [
        'a filter for others',
        () => compiled(authenticated, undefined, pipe(known, onlyFor('b'))),
        [unknowable],
      ],
      [
        'a silent filter counts',
        () =>
          compiled(
            authenticated,
            undefined,
            authentication({ challenge: 'A', silent: true }, () => undefined),
          ),
        [],
      ],
    ],
    (_, make, found) => assert.equal(mistakesOf(make), found),
  )

  test('nothing is added to an operation that nobody restricts', () => {
    const [free, restricted] = [permitAll, authenticated].map(
      (access) => compiled(access).plans[0]?.chain.early.length,
    )
    assert.equal([free, restricted], [1, 2])
  })
})
