import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, path, prefix, produces, provide, routes, text } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

const ping = pipe(path('/ping'), get(), produces(text))
const pong = pipe(path('/pong'), get(), produces(text))

describe('routes', (test) => {
  test('keeps the names and the order of endpoints and trees', () => {
    const inner = routes({ pong })
    const tree = routes({ ping, inner })
    assert.is(tree._tag, 'Routes')
    assert.equal(tree.wrappers, [])
    assert.equal([...tree.children.keys()], ['ping', 'inner'])
    assert.is(tree.children.get('ping'), ping)
    assert.is(tree.children.get('inner'), inner)
  })
  test('an endpoint may occur several times', () => {
    const tree = routes({ one: ping, other: ping, inner: routes({ ping }) })
    assert.is(tree.children.get('one'), tree.children.get('other'))
  })
  test('is independent of the record it was created from', () => {
    const record = { ping }
    const tree = routes(record)
    Object.assign(record, { pong })
    assert.equal([...tree.children.keys()], ['ping'])
  })
  test('a tree may be empty', () => assert.is(routes({}).children.size, 0))
})

describe('prefix, provide', (test) => {
  const tree = routes({ ping })

  test('wrap the tree, outermost first', () => {
    const wrapped = pipe(tree, prefix('/a'), provide({ n: 1 }), prefix('/b'))
    assert.equal(wrapped.wrappers, [
      { _tag: 'Prefix', path: '/b' },
      { _tag: 'Provide', values: { n: 1 } },
      { _tag: 'Prefix', path: '/a' },
    ])
    assert.is(wrapped.children, tree.children)
  })
  test('do not change the tree', () => {
    pipe(tree, prefix('/a'), provide({ n: 1 }))
    assert.equal(tree.wrappers, [])
  })
  test('provided values are independent of the record they were passed in', () => {
    const values = { n: 1 }
    const wrapped = pipe(tree, provide(values))
    values.n = 2
    assert.equal(wrapped.wrappers, [{ _tag: 'Provide', values: { n: 1 } }])
  })
})
