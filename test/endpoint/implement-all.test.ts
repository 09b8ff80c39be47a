import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, implementAll, path, prefix, produces, routes, text } from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'

const ping = pipe(path('/ping'), get(), produces(text))
const pong = pipe(path('/pong'), get(), produces(text))
const there = pipe(
  path('/there'),
  get(),
  produces(text),
  handle(() => 'there'),
)
const contract = pipe(
  routes({ ping, inner: pipe(routes({ pong, there }), prefix('/inner')) }),
  prefix('/api'),
)
const api = implementAll(contract, { ping: () => 'pong', inner: { pong: () => 'ping' } })
const ask = async (to: string): Promise<string> =>
  (await inMemory(api)(new Request(`http://localhost/api${to}`))).text()

describe('implementAll', (test) => {
  test('gives the operations of a tree their handlers, in what stands around them', async () => {
    assert.equal(await Promise.all(['/ping', '/inner/pong'].map(ask)), ['pong', 'ping'])
  })
  test('leaves a handler that is there', async () => assert.is(await ask('/inner/there'), 'there'))
  test('does not change the contract', () => {
    assert.is(contract.children.get('ping'), ping)
    assert.is(ping.definition.handler, undefined)
  })
  test('knows each operation', () => {
    const unknown: object = { ping: () => '', inner: { pong: () => '', pang: () => '' } }
    assert.throws(
      // @ts-expect-error what the compiler does not know
      () => implementAll(contract, unknown),
      /there is no operation inner\.pang/,
    )
  })
  test('takes functions', () => {
    const wrong: object = { ping: 'pong' }
    assert.throws(
      // @ts-expect-error what the compiler does not know
      () => implementAll(contract, wrong),
      /the handler of ping is no function/,
    )
  })
  test('leaves what has no handler to be told with all other mistakes', () => {
    const some: object = {}
    // @ts-expect-error what the compiler does not know
    const tree = implementAll(contract, some)
    assert.throws(() => inMemory(tree), /ping[^]*inner\.pong/)
  })
})
