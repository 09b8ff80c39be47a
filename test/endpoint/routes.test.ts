import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, path, prefix, produces, provide, routes, text } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

const ping = pipe(path('/ping'), get(), produces(text))
const pong = pipe(path('/pong'), get(), produces(text))

describe('routes', (test) => {
  test('holds endpoints and trees by name, in their order', () => {
    const inner = routes({ pong })
    const tree = routes({ ping, inner })
    assert.is(tree._tag, 'Routes')
    assert.equal(tree.wrappers, [])
    assert.equal([...tree.children.keys()], ['ping', 'inner'])
    assert.is(tree.children.get('ping'), ping)
    assert.is(tree.children.get('inner'), inner)
  })
  test('one endpoint may stand in several places', () => {
    const tree = routes({ one: ping, other: ping, inner: routes({ ping }) })
    assert.is(tree.children.get('one'), tree.children.get('other'))
  })
  test('is not changed by changing the record it was made of', () => {
    const record = { ping }
    const tree = routes(record)
    Object.assign(record, { pong })
    assert.equal([...tree.children.keys()], ['ping'])
  })
  test('a tree may be empty', () => assert.is(routes({}).children.size, 0))
})

describe('prefix, provide', (test) => {
  const tree = routes({ ping })

  test('stand around the tree, the outermost first', () => {
    const wrapped = pipe(tree, prefix('/a'), provide({ n: 1 }), prefix('/b'))
    assert.equal(wrapped.wrappers, [
      { _tag: 'Prefix', path: '/b' },
      { _tag: 'Provide', values: { n: 1 } },
      { _tag: 'Prefix', path: '/a' },
    ])
    assert.is(wrapped.children, tree.children)
  })
  test('leave the tree as it was', () => {
    pipe(tree, prefix('/a'), provide({ n: 1 }))
    assert.equal(tree.wrappers, [])
  })
  test('what is provided is not changed by changing the record it was given in', () => {
    const values = { n: 1 }
    const wrapped = pipe(tree, provide(values))
    values.n = 2
    assert.equal(wrapped.wrappers, [{ _tag: 'Provide', values: { n: 1 } }])
  })
})
