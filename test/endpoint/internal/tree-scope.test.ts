import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import {
  bind,
  blocking,
  filters,
  mapError,
  mapTagged,
  prefix,
  provide,
  reply,
  requestFilter,
  responseFilter,
  routes,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import type { TreeScope } from '../../../src/endpoint/internal/tree-scope.ts'
import { rootScope, nestedScope } from '../../../src/endpoint/internal/tree-scope.ts'
import { describe } from '../../support/describe.ts'

const [a, b, c] = [1, 2, 3].map(() => requestFilter(() => undefined))
const seeing = responseFilter(() => undefined)
const failed = mapError(Error, () => reply(500))
const ranged = mapError(RangeError, () => reply(400))
const typed = mapError(TypeError, () => reply(400))
const tagged = mapTagged({ A: () => reply(400), B: () => reply(401) })
const tree = routes({})

/** The place inside trees, the outermost first. */
const inside = (...trees: ReadonlyArray<AnyNode>): TreeScope =>
  trees.reduce(
    (place, node) => (node._tag === 'Routes' ? nestedScope(place, node.wrappers) : place),
    rootScope('/'),
  )
const around = (place: TreeScope): ReadonlyArray<unknown> =>
  place.layers.map((one) => (one._tag === 'Filter' ? one.filter : one.values))

describe('nestedScope', (test) => {
  test('a tree without wrappers changes nothing', () => assert.equal(inside(tree), rootScope('/')))
  test('filters are outermost first, and in order within one withFilter', () => {
    const place = inside(
      pipe(tree, withFilter(c ?? seeing)),
      pipe(tree, withFilter(b ?? seeing), withFilter(a ?? seeing, seeing)),
    )
    assert.equal(around(place), [c, a, seeing, b])
    assert.is(around(place)[1], a)
  })
  test('combined filters are split', () => {
    const place = inside(pipe(tree, withFilter(filters(seeing, filters(seeing)), seeing)))
    assert.equal(around(place), [seeing, seeing, seeing])
  })
  test('provided values keep their position among filters', () => {
    const place = inside(pipe(tree, provide({ n: 1 }), withFilter(seeing), provide({ n: 2 })))
    assert.equal(around(place), [{ n: 2 }, seeing, { n: 1 }])
  })
  test('mappers of one tree form one level, in order of application', () => {
    const place = inside(pipe(tree, withMapper(failed, ranged), withMapper(typed)))
    assert.equal(place.mappers, [[failed, ranged, typed]])
    assert.is(place.mappers[0]?.[2], typed)
  })
  test('mappers of inner trees come before those of outer ones', () => {
    const place = inside(pipe(tree, withMapper(failed)), tree, pipe(tree, withMapper(typed)))
    assert.equal(place.mappers, [[typed], [failed]])
  })
  test('mapTagged is split into single mappers', () => {
    const place = inside(pipe(tree, withMapper(tagged)))
    assert.equal(
      place.mappers[0]?.map((mapper) => mapper._tag),
      ['MapError', 'MapError'],
    )
  })
  test('prefixes are joined from the outside', () => {
    assert.is(
      inside(pipe(tree, prefix('b'), prefix('/a/')), pipe(tree, prefix('c'))).path,
      '/a/b/c',
    )
  })
  test('attributes: names accumulate, other values are overridden', () => {
    const { attributes } = inside(pipe(tree, bind('a'), blocking), pipe(tree, bind('b')))
    assert.equal([attributes.names, attributes.execution], [['a', 'b'], 'blocking'])
  })
})
