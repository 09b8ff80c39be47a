/** What is wrong with links is said when the tree is compiled. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Routes } from '../../src/index.ts'
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
} from '../../src/index.ts'
import { linkId, primaryKey, rel } from '../../src/links.ts'
import { inMemory } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

type MistakeRow = readonly [name: string, make: () => Routes<unknown, {}, never>, expected: RegExp]

const Twice = t.type({ a: linkId(int), b: linkId(int) }, 'Twice')
const Keys = t.type({ a: primaryKey(int), b: primaryKey(int) }, 'Keys')
const Plain = t.type({ name: string }, 'Plain')

const target = (template: string, mark: ReturnType<typeof rel>): Routes<unknown, {}, never> =>
  routes({
    plain: pipe(
      path('/plain'),
      get(),
      produces(json(Plain)),
      handle(() => ({ name: '' })),
    ),
    one: pipe(
      path(template as ''),
      del(),
      mark,
      handle(() => noContent),
    ),
  })

const mistakes: ReadonlyArray<MistakeRow> = [
  [
    'two linkIds',
    () => target('/{id}', rel('x', { entity: Twice })),
    /FW-LINK-002[^]*DELETE \/\{id\} {2}\(one\)[^]*Twice has several: a, b/,
  ],
  [
    'two primaryKeys',
    () => target('/{id}', rel('x', { entity: Keys })),
    /FW-LINK-002[^]*Keys has several: a, b/,
  ],
  [
    'none',
    () => target('/{id}', rel('x', { entity: Plain })),
    /FW-LINK-002[^]*\{id\}[^]*Plain[^]*linkId/,
  ],
  ['no entity', () => target('/x', rel('x')), /FW-LINK-001[^]*entity/],
  [
    'an entity that nobody knows',
    () => target('/x', rel('x', { entity: 'Nobody' })),
    /FW-LINK-001[^]*Nobody/,
  ],
  ['an entity that has no members', () => target('/x', rel('x', { entity: int })), /FW-LINK-001/],
  [
    'a relation with a space',
    () => target('/x', rel('a b', { entity: Plain })),
    /FW-LINK-003[^]*"a b"/,
  ],
  ['a relation that is none', () => target('/x', rel('é', { entity: Plain })), /FW-LINK-003/],
  ['no relation', () => target('/x', rel('', { entity: Plain })), /FW-LINK-003/],
  [
    'a type beyond ASCII',
    () => target('/x', rel('x', { entity: Plain, type: 'é' })),
    /FW-LINK-003/,
  ],
  [
    'a name of several entities',
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

describe('mistakes in links', (test) => {
  table<MistakeRow>(test, mistakes, (_, make, expected) =>
    assert.throws(() => inMemory(make()), expected),
  )
  test('an entity whose variables are filled needs no identifier', () =>
    void inMemory(target('/{name}', rel('x', { entity: Plain }))))
})
