import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import type { Contents } from '../../../src/index.ts'
import {
  as,
  bind,
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
  routes,
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
  'FW-FILTER-002 around the whole tree: pre-matching filters run before routing: remove onlyFor and onlyWhere'

const wrong = (api: AnyNode): ReadonlyArray<string> =>
  verifyScopes(api).map(({ code, concerns, remedy }) => `${code} ${concerns.join()}: ${remedy}`)

describe('verifyAround', (test) => {
  table<readonly [name: string, fails: Contents, expected: string | undefined]>(
    test,
    [
      ['all is well', { 404: json(t.string), 409: [] }, undefined],
      [
        'a status that HTTP does not have',
        { 1000: text },
        'FW-RESP-001 around inner: invalid status 1000: expected an integer from 200 to 999',
      ],
      [
        'content where there is none',
        { 204: text },
        'FW-RESP-001 around inner: responses with status 204 have no body: remove the representation',
      ],
      [
        'a malformed media type',
        { 404: [text, as('nonsense')(text)] },
        'FW-MEDIA-001 around inner: invalid media type "nonsense"',
      ],
      [
        'what cannot be written',
        { 404: unwritten },
        'FW-MEDIA-001 around inner: a/b has no write function, so it cannot be sent',
      ],
    ],
    (_, fails, expected) => {
      const found = expected === undefined ? [] : [expected]
      assert.equal(wrong(routes({ inner: pipe(tree, withFilter(filter(fails))) })), found)
      assert.equal(wrong(routes({ inner: pipe(tree, withMapper(mapper(fails))) })), found)
      assert.equal(wrong(routes({ inner: pipe(tree, withMapper(tagged(fails))) })), found)
    },
  )
  table<readonly [name: string, api: AnyNode, expected: ReadonlyArray<string>]>(
    test,
    [
      ['a filter before matching for bound operations', pipe(tree, withFilter(bound)), [never]],
      [
        'a filter before matching for operations of which a function says so',
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
      ['one that is bound to what the whole tree is', pipe(tree, withFilter(bound), bind('x')), []],
    ],
    (_, api, expected) => assert.equal(wrong(api), expected),
  )
  test('once for each tree, and all at once', () => {
    const bad = { 1000: text }
    const api = pipe(
      routes({ a: pipe(tree, withFilter(filter(bad))), b: routes({}) }),
      withMapper(mapper(bad), mapper({ 1001: text })),
    )
    assert.equal(
      verifyScopes(api).map(({ concerns }) => concerns[0]),
      ['around the whole tree', 'around the whole tree', 'around a'],
    )
    assert.throws(() => compile(api), /3 configuration errors[^]*FW-RESP-001[^]*around a/)
  })
})
