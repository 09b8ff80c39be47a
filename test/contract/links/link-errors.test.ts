/** Configuration errors of links, reported when the tree is compiled. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Routes } from '../../../src/index.ts'
import {
  del,
  get,
  handle,
  int,
  json,
  noContent,
  path,
  produces,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { linkId, primaryKey, rel } from '../../../src/links.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'

type ErrorRow = readonly [name: string, createRoutes: () => Routes<unknown>, expected: RegExp]

const Twice = t.type({ a: linkId(int), b: linkId(int) }, 'Twice')
const Keys = t.type({ a: primaryKey(int), b: primaryKey(int) }, 'Keys')
const Plain = t.type({ name: string }, 'Plain')

const target = (template: string, relation: ReturnType<typeof rel>): Routes<unknown> =>
  routes({
    plain: pipe(
      path('/plain'),
      get(),
      produces(json(Plain)),
      handle(() => ({ name: '' })),
    ),
    target: pipe(
      path(template as ''),
      del(),
      relation,
      handle(() => noContent),
    ),
  })

const invalidTrees: ReadonlyArray<ErrorRow> = [
  [
    'two members with linkId',
    () => target('/{id}', rel('x', { entity: Twice })),
    /FW-LINK-002[^]*DELETE \/\{id\} {2}\(target\)[^]*Twice has more than one identifier \(a, b\)/,
  ],
  [
    'two members with primaryKey',
    () => target('/{id}', rel('x', { entity: Keys })),
    /FW-LINK-002[^]*Keys has more than one identifier \(a, b\)/,
  ],
  [
    'a variable without a member',
    () => target('/{id}', rel('x', { entity: Plain })),
    /FW-LINK-002[^]*\{id\}[^]*Plain[^]*linkId/,
  ],
  ['no entity type', () => target('/x', rel('x')), /FW-LINK-001[^]*entity/],
  [
    'an unknown entity name',
    () => target('/x', rel('x', { entity: 'Unknown' })),
    /FW-LINK-001[^]*Unknown/,
  ],
  ['an entity without members', () => target('/x', rel('x', { entity: int })), /FW-LINK-001/],
  [
    'a relation with a space',
    () => target('/x', rel('a b', { entity: Plain })),
    /FW-LINK-003[^]*"a b"/,
  ],
  [
    'a relation with a non-ASCII character',
    () => target('/x', rel('é', { entity: Plain })),
    /FW-LINK-003/,
  ],
  ['an empty relation', () => target('/x', rel('', { entity: Plain })), /FW-LINK-003/],
  [
    'a media type with a non-ASCII character',
    () => target('/x', rel('x', { entity: Plain, type: 'é' })),
    /FW-LINK-003/,
  ],
  [
    'a name shared by two entities',
    () =>
      routes({
        a: pipe(
          path('/a'),
          get(),
          produces(json(t.type({ a: int }, 'Same'))),
          handle(() => ({ a: 1 })),
        ),
        b: pipe(
          path('/b'),
          get(),
          produces(json(t.type({ b: int }, 'Same'))),
          handle(() => ({ b: 1 })),
        ),
        c: pipe(
          path('/c'),
          get(),
          produces(text),
          rel('c', { entity: 'Same' }),
          handle(() => ''),
        ),
      }),
    /FW-LINK-001[^]*Same/,
  ],
]

describe('link configuration errors', (test) => {
  table<ErrorRow>(test, invalidTrees, (_, createRoutes, expected) =>
    assert.throws(() => inMemory(createRoutes()), expected),
  )
  test('accepts an entity without an identifier if members match all variables', () =>
    void inMemory(target('/{name}', rel('x', { entity: Plain }))))
})
