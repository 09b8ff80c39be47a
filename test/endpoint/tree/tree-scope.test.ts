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
import type { TreeScope } from '../../../src/endpoint/tree/tree-scope.ts'
import { rootScope, nestedScope } from '../../../src/endpoint/tree/tree-scope.ts'
import { describe } from '../../support/describe.ts'

const [a, b, c] = [1, 2, 3].map(() => requestFilter(() => undefined))
const seeing = responseFilter(() => undefined)
const failed = mapError(Error, () => reply(500))
const ranged = mapError(RangeError, () => reply(400))
const typed = mapError(TypeError, () => reply(400))
const tagged = mapTagged({ A: () => reply(400), B: () => reply(401) })
const tree = routes({})

/** Returns the scope inside nested trees, the outermost first. */
const scopeIn = (...trees: ReadonlyArray<AnyNode>): TreeScope =>
  trees.reduce(
    (scope, node) => (node._tag === 'Routes' ? nestedScope(scope, node.wrappers) : scope),
    rootScope('/'),
  )
const layersOf = (scope: TreeScope): ReadonlyArray<unknown> =>
  scope.layers.map((layer) =>
    layer._tag === 'Filter'
      ? layer.filter
      : layer._tag === 'Prefix'
        ? layer.variables
        : layer.values,
  )

describe('nestedScope', (test) => {
  test('a tree without wrappers changes nothing', () => assert.equal(scopeIn(tree), rootScope('/')))
  test('filters are outermost first, and in order within one withFilter', () => {
    const scope = scopeIn(
      pipe(tree, withFilter(c ?? seeing)),
      pipe(tree, withFilter(b ?? seeing), withFilter(a ?? seeing, seeing)),
    )
    assert.equal(layersOf(scope), [c, a, seeing, b])
    assert.is(layersOf(scope)[1], a)
  })
  test('combined filters become separate layers', () => {
    const scope = scopeIn(pipe(tree, withFilter(filters(seeing, filters(seeing)), seeing)))
    assert.equal(layersOf(scope), [seeing, seeing, seeing])
  })
  test('provided values keep their position among filters', () => {
    const scope = scopeIn(pipe(tree, provide({ n: 1 }), withFilter(seeing), provide({ n: 2 })))
    assert.equal(layersOf(scope), [{ n: 2 }, seeing, { n: 1 }])
  })
  test('mappers of one tree form one level, in order of application', () => {
    const scope = scopeIn(pipe(tree, withMapper(failed, ranged), withMapper(typed)))
    assert.equal(scope.mappers, [[failed, ranged, typed]])
    assert.is(scope.mappers[0]?.[2], typed)
  })
  test('mappers of inner trees come before those of outer ones', () => {
    const scope = scopeIn(pipe(tree, withMapper(failed)), tree, pipe(tree, withMapper(typed)))
    assert.equal(scope.mappers, [[typed], [failed]])
  })
  test('mapTagged is split into single mappers', () => {
    const scope = scopeIn(pipe(tree, withMapper(tagged)))
    assert.equal(
      scope.mappers[0]?.map((mapper) => mapper._tag),
      ['MapError', 'MapError'],
    )
  })
  test('prefixes are joined, the outermost first', () => {
    assert.is(
      scopeIn(pipe(tree, prefix('b'), prefix('/a/')), pipe(tree, prefix('c'))).path,
      '/a/b/c',
    )
  })
  test('attributes: names accumulate, other values are overridden', () => {
    const { attributes } = scopeIn(pipe(tree, bind('a'), blocking), pipe(tree, bind('b')))
    assert.equal([attributes.names, attributes.execution], [['a', 'b'], 'blocking'])
  })
})
