import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import type { Contents, PlainFilter } from '../../../src/index.ts'
import {
  accessLog,
  as,
  bind,
  cors,
  get,
  handle,
  json,
  mapError,
  mapTagged,
  onlyFor,
  onlyWhere,
  path,
  preMatching,
  reply,
  representation,
  requestFilter,
  requestId,
  routes,
  inLanguage,
  text,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import { verifyScopes } from '../../../src/compiler/verify/verify-scopes.ts'
import { compile } from '../../../src/interpreter/program.ts'
import { describe, table } from '../../support/describe.ts'

const tree = routes({
  one: pipe(
    path('/one'),
    get(),
    handle(() => undefined),
  ),
})
const filter = (fails: Contents) => requestFilter({ fails }, () => undefined)
const mapper = (fails: Contents) => mapError(Error, { fails }, () => reply(500, ''))
const tagged = (fails: Contents) =>
  mapTagged({ fails }, { A: () => reply(500, ''), B: () => reply(500, '') })
const unwritten = representation({ mediaType: 'a/b', read: () => 1 })

const before = preMatching(() => undefined)
const bound = pipe(before, onlyFor('x'))
const never =
  'FW-FILTER-002 of the root: a pre-matching filter runs before routing: remove onlyFor and onlyWhere'
const methodOverride = () => undefined
const onlyBound = (ready: PlainFilter) => pipe(tree, withFilter(pipe(ready, onlyFor('x'))))

const errorsOf = (api: AnyNode): ReadonlyArray<string> =>
  verifyScopes(api).map(({ code, concerns, remedy }) => `${code} ${concerns.join()}: ${remedy}`)

describe('verifyScopes', (test) => {
  table<readonly [name: string, fails: Contents, expected: string | undefined]>(
    test,
    [
      ['valid responses', { 404: json(t.string), 409: [] }, undefined],
      [
        'an invalid status',
        { 1000: text },
        'FW-RESP-001 of inner: invalid status 1000: expected an integer from 200 to 999',
      ],
      [
        'a body of status 204',
        { 204: text },
        'FW-RESP-001 of inner: responses with status 204 have no body: remove the representation',
      ],
      [
        'a malformed media type',
        { 404: [text, as('nonsense')(text)] },
        'FW-MEDIA-001 of inner: invalid media type "nonsense"',
      ],
      [
        'a malformed language tag',
        { 404: inLanguage('de_CH')(text) },
        'FW-MEDIA-001 of inner: invalid language tag "de_CH"',
      ],
      [
        'a representation without a write function',
        { 404: unwritten },
        'FW-MEDIA-001 of inner: a/b has no write function, so it cannot be sent',
      ],
    ],
    (_, fails, expected) => {
      const expectedErrors = expected === undefined ? [] : [expected]
      assert.equal(
        errorsOf(routes({ inner: pipe(tree, withFilter(filter(fails))) })),
        expectedErrors,
      )
      assert.equal(
        errorsOf(routes({ inner: pipe(tree, withMapper(mapper(fails))) })),
        expectedErrors,
      )
      assert.equal(
        errorsOf(routes({ inner: pipe(tree, withMapper(tagged(fails))) })),
        expectedErrors,
      )
    },
  )
  table<readonly [name: string, api: AnyNode, expected: ReadonlyArray<string>]>(
    test,
    [
      ['a pre-matching filter with onlyFor', pipe(tree, withFilter(bound)), [never]],
      [
        'a pre-matching filter with onlyWhere',
        pipe(
          tree,
          withFilter(
            pipe(
              before,
              onlyWhere(() => true),
            ),
          ),
        ),
        [never],
      ],
      ...[
        ['accessLog', accessLog()] as const,
        ['requestId', requestId()] as const,
        ['methodOverride', preMatching(methodOverride)] as const,
      ].map(
        ([name, ready]) =>
          [
            `${name} with onlyFor`,
            onlyBound(ready),
            [
              `FW-FILTER-002 of the root: ${name} runs before routing: remove onlyFor and onlyWhere`,
            ],
          ] as const,
      ),
      [
        'cors with onlyFor, on the root and on a subtree',
        pipe(
          routes({ inner: onlyBound(cors({ origins: [] })) }),
          withFilter(pipe(cors({ origins: [] }), onlyFor('x'))),
        ),
        ['the root', 'inner'].map(
          (scope) =>
            `FW-FILTER-002 of ${scope}: cors runs before routing: remove onlyFor and onlyWhere, and apply it to a subtree instead`,
        ),
      ],
      [
        'a pre-matching filter bound to a name of the root',
        pipe(tree, withFilter(bound), bind('x')),
        [],
      ],
    ],
    (_, api, expected) => assert.equal(errorsOf(api), expected),
  )
  test('a pre-matching filter on a subtree is named', () => {
    for (const [name, misplaced] of [
      ['requestId', requestId()],
      ['methodOverride', preMatching(methodOverride)],
      ['a pre-matching filter', before],
    ] as const)
      assert.throws(
        () => compile(routes({ inner: pipe(tree, withFilter(misplaced)) })),
        new RegExp(
          `FW-FILTER-001[^]*inner\n +→ ${name} runs for every request: apply it to the root`,
        ),
      )
  })
  test('reports the errors of all scopes', () => {
    const invalid = { 1000: text }
    const api = pipe(
      routes({ a: pipe(tree, withFilter(filter(invalid))), b: routes({}) }),
      withMapper(mapper(invalid), mapper({ 1001: text })),
    )
    assert.equal(
      verifyScopes(api).map(({ concerns }) => concerns[0]),
      ['of the root', 'of the root', 'of a'],
    )
    assert.throws(() => compile(api), /3 configuration errors[^]*FW-RESP-001[^]*of a/)
  })
})
