import * as Either from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../src/index.ts'
import {
  fails,
  get,
  handle,
  implement,
  implementAll,
  int,
  json,
  needs,
  path,
  prefix,
  produces,
  provide,
  query,
  requestId,
  routes,
  slot,
  string,
  text,
  withFilter,
} from '../../src/index.ts'
import { endpointsOf, inMemory, testContext } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'

const Book = t.type({ isbn: t.string, pages: t.number })
interface Books {
  readonly pagesOf: (isbn: string) => number | undefined
}
const contract = pipe(
  path('/books/{isbn}'),
  get(),
  query({ minimum: int }),
  needs({ books: slot<Books>()('books') }),
  produces(json(Book)),
  fails(404, string),
)
const handler: HandlerOf<typeof contract> = ({
  path: { isbn },
  query: { minimum },
  needs: { books },
}) => {
  const pages = books.pagesOf(isbn)
  return pages === undefined || pages < minimum ? TE.left(`no ${isbn}`) : TE.right({ isbn, pages })
}
const context = testContext()
const pongHandler = (): string => 'ping'

describe('handle', (test) => {
  const endpoint = pipe(contract, handle(handler))

  test('run is the handler itself', () => {
    assert.is(endpoint.run, handler)
    assert.is(endpoint.definition.handler, handler)
  })
  test('adds only the handler to the definition', () =>
    assert.equal(endpoint.definition, { ...contract.definition, handler }))
  test('handle does not change the contract', () =>
    assert.is(contract.definition.handler, undefined))
  test('run accepts any values in a unit test', async () => {
    const books: Books = { pagesOf: (isbn) => (isbn === '1' ? 100 : undefined) }
    const call = async (isbn: string, minimum: number): Promise<unknown> => {
      const returned = endpoint.run(
        { path: { isbn }, query: { minimum }, needs: { books } },
        context,
      )
      return typeof returned === 'function' ? returned() : returned
    }
    assert.equal(await call('1', 1), Either.right({ isbn: '1', pages: 100 }))
    assert.equal(await call('1', 101), Either.left('no 1'))
    assert.equal(await call('2', 1), Either.left('no 2'))
  })
})

describe('implement', (test) => {
  test('equals handle with the endpoint as first argument', () => {
    const [implemented, piped] = [implement(contract, handler), pipe(contract, handle(handler))]
    assert.equal(implemented, piped)
    assert.is(implemented.run, handler)
  })
})

const ping = pipe(path('/ping'), get(), produces(text))
const pong = pipe(path('/pong'), get(), produces(text))
const existing = pipe(
  path('/existing'),
  get(),
  produces(text),
  handle(() => 'existing'),
)
const pingContract = pipe(
  routes({ ping, inner: pipe(routes({ pong, existing }), prefix('/inner')) }),
  prefix('/api'),
)
const api = implementAll(pingContract, { ping: () => 'pong', inner: { pong: () => 'ping' } })
const bodyOf = async (to: string): Promise<string> =>
  (await inMemory(api)(new Request(`http://localhost/api${to}`))).text()

describe('implementAll', (test) => {
  test('adds handlers to nested operations and keeps the wrappers', async () => {
    assert.equal(await Promise.all(['/ping', '/inner/pong'].map(bodyOf)), ['pong', 'ping'])
  })
  test('keeps an existing handler', async () =>
    assert.is(await bodyOf('/inner/existing'), 'existing'))
  test('an implemented endpoint runs in a unit test', () => {
    const endpoints = endpointsOf(api)
    assert.is(endpoints.ping.run({}, context), 'pong')
    assert.is(endpoints.inner.pong.run({}, context), 'ping')
    assert.is(endpoints.inner.existing.run({}, context), 'existing')
  })
  test('run is the handler, and a member of the child node', () => {
    const tree = implementAll(routes({ pong }), { pong: pongHandler })
    const child = tree.children.get('pong')
    assert.is(endpointsOf(tree).pong, child)
    assert.is(endpointsOf(tree).pong.run, pongHandler)
    assert.equal(child, implement(pong, pongHandler))
  })
  test('endpointsOf ignores prefixes, filters and provided values', () => {
    const wrapped = pipe(api, prefix('/v1'), provide({ unused: 1 }), withFilter(requestId()))
    assert.is(endpointsOf(wrapped).ping, endpointsOf(api).ping)
  })
  test('endpointsOf returns frozen records', () => {
    const endpoints = endpointsOf(api)
    assert.ok(Object.isFrozen(endpoints) && Object.isFrozen(endpoints.inner))
    assert.ok(Object.isFrozen(endpoints.ping))
  })
  test('implementAll does not change the contract', () => {
    assert.is(pingContract.children.get('ping'), ping)
    assert.is(ping.definition.handler, undefined)
  })
  test('an unknown operation throws a TypeError', () => {
    const unknown: object = { ping: () => '', inner: { pong: () => '', pang: () => '' } }
    assert.throws(
      // @ts-expect-error invalid types
      () => implementAll(pingContract, unknown),
      /unknown operation inner\.pang/,
    )
  })
  test('a handler that is not a function throws a TypeError', () => {
    const invalid: object = { ping: 'pong' }
    assert.throws(
      // @ts-expect-error invalid types
      () => implementAll(pingContract, invalid),
      /invalid handler for ping: expected a function/,
    )
  })
  test('missing handlers are reported when the tree is compiled', () => {
    const none: object = {}
    // @ts-expect-error invalid types
    const tree = implementAll(pingContract, none)
    assert.throws(() => inMemory(tree), /ping[^]*inner\.pong/)
  })
})
