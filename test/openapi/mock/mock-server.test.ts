import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  blocking,
  body,
  conditional,
  enumOf,
  example,
  fails,
  get,
  handle,
  instant,
  int,
  json,
  list,
  needs,
  optional,
  path,
  pattern,
  post,
  prefix,
  produces,
  put,
  query,
  representation,
  responds,
  routes,
  slot,
  string,
  text,
  withSchema,
} from '../../../src/index.ts'
import { client } from '../../../src/client.ts'
import { mockServer } from '../../../src/openapi.ts'
import type { MockServerOptions } from '../../../src/openapi.ts'
import { inMemory } from '../../../src/testing.ts'
import type { Routes } from '../../../src/endpoint/routes.ts'
import { describe } from '../../support/describe.ts'

const Author = t.type({ name: string, email: string }, 'Author')
const Book = t.intersection(
  [
    t.type({
      id: int,
      title: string,
      author: Author,
      published: instant,
      kind: enumOf('novel', 'poem'),
    }),
    t.partial({ isbn: pattern(/^\d{13}$/)(string) }),
  ],
  'Book',
)
const Missing = t.type({ id: int, reason: string }, 'Missing')

const bookPath = path('/books/{id}', { id: int })
const getBook = pipe(bookPath, get(), produces(json(Book)), fails(404, json(Missing)))
const listBooks = pipe(
  path('/books'),
  get(),
  query({ page: optional(int) }),
  produces(json(list(Book))),
)
const NewBook = t.type({ title: string, author: Author }, 'NewBook')
const createBook = pipe(path('/books'), post(), body(json(NewBook)), responds(201, json(Book)))
const contract = routes({ books: routes({ getBook, listBooks, createBook }) })

const origin = 'http://localhost'

const sender = <T, R, E>(tree: Routes<T, R, E>, options?: MockServerOptions) => {
  const send = inMemory(mockServer(tree, options))
  return (target: string, init?: RequestInit) => send(`${origin}${target}`, init)
}

const jsonOf = async (response: Promise<Response>): Promise<unknown> => (await response).json()

const post201 = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})

const memberOf = (value: unknown, name: string): unknown =>
  t.UnknownRecord.is(value) ? value[name] : undefined

const fail = (): never => {
  throw new Error('called')
}

describe('mockServer', (test) => {
  test('responds with values that the codec decodes', async () => {
    const send = sender(contract)
    for (let id = 1; id <= 20; id++) {
      const response = await send(`/books/${id}`)
      assert.is(response.status, 200)
      const value: unknown = await response.json()
      assert.is(Book.decode(value)._tag, 'Right', JSON.stringify(value))
      assert.is(memberOf(value, 'id'), id)
    }
  })
  test('the same request has the same response, regardless of the order of requests', async () => {
    const targets = ['/books/1', '/books/2', '/books', '/books?page=2']
    const [first, second] = [sender(contract), sender(contract)]
    const forwards = new Map<string, unknown>()
    for (const target of targets) forwards.set(target, await jsonOf(first(target)))
    for (const target of targets.toReversed())
      assert.equal(await jsonOf(second(target)), forwards.get(target))
    for (const target of targets) assert.equal(await jsonOf(first(target)), forwards.get(target))
    const titles = new Set([...forwards.values()].map((value) => JSON.stringify(value)))
    assert.is(titles.size, targets.length)
  })
  test('different seeds result in different values', async () => {
    const values = await Promise.all(
      [0, 1, 'a', 'b'].map((seed) => jsonOf(sender(contract, { seed })('/books'))),
    )
    assert.is(new Set(values.map((value) => JSON.stringify(value))).size, 4)
    assert.equal(values[0], await jsonOf(sender(contract)('/books')))
  })
  test('a created resource has the members of the request body and a location', async () => {
    const send = sender(contract)
    const author = { name: 'Jane Austen', email: 'jane@example.com' }
    const response = await send('/books', post201({ title: 'Emma', author }))
    assert.is(response.status, 201)
    const created: unknown = await response.json()
    assert.is(memberOf(created, 'title'), 'Emma')
    assert.equal(memberOf(created, 'author'), author)
    const location = response.headers.get('Location') ?? ''
    assert.is(location, `/books/${String(memberOf(created, 'id'))}`)
    assert.is(memberOf(await jsonOf(send(location)), 'id'), memberOf(created, 'id'))
    const other = await jsonOf(send('/books', post201({ title: 'Persuasion', author })))
    assert.is.not(memberOf(other, 'id'), memberOf(created, 'id'))
  })
  test('invalid parameters and bodies are rejected', async () => {
    const send = sender(contract)
    assert.is((await send('/books/one')).status, 404)
    assert.is((await send('/books?page=one')).status, 400)
    const invalid = await send('/books', post201({ title: 1 }))
    assert.is(invalid.status, 400)
    assert.is(invalid.headers.get('Content-Type'), 'application/problem+json')
    assert.is((await send('/authors')).status, 404)
    assert.is((await send('/books/1', { method: 'DELETE' })).status, 405)
  })
  test('existing handlers, their slots and preconditions are replaced', async () => {
    const Store = slot<{ readonly find: () => string }>()('store')
    const tree = routes({
      get: pipe(
        path('/a'),
        needs({ store: Store }),
        blocking,
        get(),
        produces(text),
        conditional(fail),
        handle(fail),
      ),
      put: pipe(
        path('/a'),
        needs({ store: Store }),
        put(),
        body(text),
        responds(204),
        conditional({ etag: fail }),
        handle(fail),
      ),
    })
    const send = sender(tree)
    const response = await send('/a')
    assert.is(response.status, 200)
    const etag = response.headers.get('ETag') ?? ''
    assert.match(etag, /^"\w+"$/)
    assert.is((await send('/a', { headers: { 'If-None-Match': etag } })).status, 304)
    const headers = { 'Content-Type': 'text/plain' }
    const update = (ifMatch: string) =>
      send('/a', { method: 'PUT', body: 'x', headers: { ...headers, 'If-Match': ifMatch } })
    assert.is((await update(etag)).status, 204)
    assert.is((await update('"other"')).status, 412)
  })
  test('keepHandlers mocks only operations without a handler', async () => {
    const tree = routes({
      real: pipe(
        path('/real'),
        get(),
        produces(text),
        handle(() => 'real'),
      ),
      planned: pipe(path('/planned'), get(), produces(json(t.type({ a: int })))),
    })
    const send = sender(tree, { keepHandlers: true })
    assert.is(await (await send('/real')).text(), 'real')
    assert.type(memberOf(await jsonOf(send('/planned')), 'a'), 'number')
    assert.is.not(await (await sender(tree)('/real')).text(), 'real')
  })
  test('unknown options are rejected', () => {
    const options: object = { sed: 1 }
    assert.throws(() => mockServer(contract, options), /unknown option "sed"/)
  })
  test('path variables of prefixes are known values', async () => {
    const Tenant = slot(string)('tenant')
    const Item = t.type({ tenant: string, id: int })
    const tree = pipe(
      routes({ item: pipe(path('/items/{id}', { id: int }), get(), produces(json(Item))) }),
      prefix('/tenants/{tenant}', { tenant: Tenant }),
    )
    assert.equal(await jsonOf(sender(tree)('/tenants/acme/items/3')), { tenant: 'acme', id: 3 })
  })
})

describe('mockServer: codecs without a usable schema', (test) => {
  const Even = new t.Type<number, string>(
    'Even',
    (value): value is number => typeof value === 'number',
    (value, context) =>
      typeof value === 'string' && /^[0-8]*[02468]$/.test(value)
        ? t.success(Number(value))
        : t.failure(value, context),
    String,
  )
  const impossible = t.refinement(t.string, (value) => value === 'abracadabra', 'Spell')
  test('a configuration error names the operation, the codec and the remedy', () => {
    const tree = routes({
      a: routes({
        spell: pipe(path('/spells'), get(), produces(json(t.type({ spell: impossible }, 'Magic')))),
      }),
      b: pipe(
        path('/custom'),
        get(),
        produces(representation({ mediaType: 'a/b', write: () => '' })),
      ),
      fine: pipe(path('/fine'), get(), produces(text)),
    })
    assert.throws(
      () => mockServer(tree),
      /GET \/spells {2}\(a\.spell\)[^]*application\/json of Magic: [^]*example\(…\)[^]*withSchema\(…\)[^]*GET \/custom {2}\(b\)[^]*a\/b/,
    )
    try {
      mockServer(tree)
    } catch (error) {
      const issues: unknown = memberOf(error, 'issues')
      assert.ok(Array.isArray(issues))
      assert.equal(
        issues.map((issue) => memberOf(issue, 'code')),
        ['FW-MOCK-001', 'FW-MOCK-001'],
      )
    }
  })
  test('an example replaces the generated value', async () => {
    const spell = pipe(
      path('/spells'),
      get(),
      produces(json(impossible)),
      example('only', 'abracadabra'),
    )
    assert.is(await jsonOf(sender(routes({ spell }))('/spells')), 'abracadabra')
  })
  test('withSchema describes an opaque codec', async () => {
    const even = withSchema({ type: 'string', pattern: '^[0-8]?[02468]$' })(Even)
    const tree = routes({ even: pipe(path('/even'), get(), produces(json(t.type({ even })))) })
    const value = memberOf(await jsonOf(sender(tree)('/even')), 'even')
    assert.is(Number(value) % 2, 0)
  })
})

describe('mockServer: clients', (test) => {
  test('a typed client decodes the responses', async () => {
    const api = client(contract, { baseUrl: origin, fetch: inMemory(mockServer(contract)) })
    const found = await api.books.getBook({ path: { id: 4 } })()
    assert.is(found._tag, 'Right', JSON.stringify(found))
  })
})
