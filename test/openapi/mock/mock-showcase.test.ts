/** A mock server of the lending library. */
import { inspect } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { client } from '../../../src/client.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { compileTree } from '../../../src/compiler/compile.ts'
import type { MockServerOptions } from '../../../src/openapi.ts'
import { mockServer } from '../../../src/openapi.ts'
import { library } from '../../../src/showcase/api.ts'
import { exampleBook } from '../../../src/showcase/domain/book.ts'
import { serve } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'

const origin = 'http://localhost'
const ben = { name: 'ben', roles: ['librarian'] }
const isbn = '9780262510875'
const book = { isbn, title: 'Emma', author: 'Austen', published: 1815, copies: 1 }

const jsonRequest = (value: unknown): RequestInit => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})

const formOf = (fields: Readonly<Record<string, string | Blob>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

/** The targets and bodies of operations, by their names. Other operations have no variables and no body. */
const requests: Readonly<Record<string, readonly [target: string, init?: RequestInit]>> = {
  'books.getBook': [`/books/${isbn}`],
  'books.createBook': ['/books', jsonRequest(book)],
  'books.replaceBook': [`/books/${isbn}`, jsonRequest(book)],
  'books.deleteBook': [`/books/${isbn}`],
  'search.searchBooks': [
    '/search/title?sort=title,author',
    { body: new URLSearchParams({ text: 'a' }) },
  ],
  'covers.setCover': [
    `/books/${isbn}/cover`,
    { body: formOf({ cover: new Blob(['x'], { type: 'image/png' }) }) },
  ],
  'covers.getCover': [`/books/${isbn}/cover`],
  'covers.getDossier': [`/books/${isbn}/dossier`],
  'descriptions.getDescription': [`/books/${isbn}/description`],
  'descriptions.replaceDescription': [`/books/${isbn}/description`, jsonRequest(book)],
  'loans.lendBook': ['/loans', jsonRequest({ isbn })],
  'loans.giveBack': ['/loans/3'],
  'members.getMember': ['/members/ann'],
  'demo.sayEverything': [
    '/demo/hello/a/3?q=b',
    {
      headers: { Cookie: 'level=c', 'X-Cheese-Secret-Handshake': 'd' },
      body: new URLSearchParams({ smell: 'e' }),
    },
  ],
}

const mocked = (options: MockServerOptions = {}) =>
  mockServer(library(), { principal: ben, ...options })

describe('mockServer of the showcase', (test) => {
  const send = inMemory(mocked())
  const all = compileTree(mocked()).plans
  // the routes of the OpenAPI document are not mocked
  const plans = all.filter(({ attributes }) => attributes.documentation?.hidden !== true)
  test('has all operations', () => {
    assert.equal(
      all.map(({ name }) => name),
      compileTree(library()).plans.map(({ name }) => name),
    )
    assert.ok(plans.length > 15)
  })
  for (const { name, method, template, success } of plans)
    test(`${name} responds with its default success status`, async () => {
      const [target, init] = requests[name] ?? [template]
      const request = () => send(`${origin}${target}`, { method, ...init })
      const response = await request()
      const content = await response.text()
      assert.is(response.status, success.status, content)
      if (success.alternatives.length > 0) assert.is.not(content, '')
      if (!/boundary=/.test(response.headers.get('Content-Type') ?? ''))
        assert.is(await (await request()).text(), content)
    })
  for (const { name, method, template, success } of plans)
    for (const { contentType, format } of success.alternatives)
      if (format._tag !== 'File' && format._tag !== 'MultipartOutput')
        test(`${name} responds with ${contentType}`, async () => {
          const [target, init] = requests[name] ?? [template]
          const headers = new Headers(init?.headers)
          headers.set('Accept', contentType)
          const response = await send(`${origin}${target}`, { method, ...init, headers })
          assert.is(response.status, success.status, await response.text())
          assert.is(response.headers.get('Content-Type')?.split(';')[0], contentType.split(';')[0])
        })
  test('declared failures are sent on request', async () => {
    let count = 0
    for (const { name, method, template, responses } of plans)
      for (const status of responses.keys()) {
        const [target, init] = requests[name] ?? [template]
        const headers = new Headers(init?.headers)
        headers.set('Prefer', `code=${status}`)
        const response = await send(`${origin}${target}`, { method, ...init, headers })
        assert.is(response.status, status, `${name}: ${await response.text()}`)
        count++
      }
    assert.ok(count > plans.length)
  })
  test('different seeds result in different books', async () => {
    const headers = { Prefer: 'dynamic=true' }
    const titles = [1, 2, 3].map(async (seed) =>
      (await inMemory(mocked({ seed }))(`${origin}/books`, { headers })).text(),
    )
    assert.is(new Set(await Promise.all(titles)).size, 3)
  })
  test('the declared example is the default response', async () => {
    const response = await send(`${origin}/books`)
    assert.equal(await response.json(), [exampleBook])
  })
  test('a typed client decodes the responses', async () => {
    const api = client(mocked(), { baseUrl: origin, fetch: send })
    const found = await api.books.getBook({ path: { isbn } })()
    assert.ok(E.isRight(found), inspect(found))
    assert.is(found.right.body.isbn, isbn)
    const results = await Promise.all([
      api.books.listBooks({ query: { tag: [] } })(),
      api.books.createBook({ body: book })(),
      api.books.replaceBook({ path: { isbn }, body: book })(),
      api.books.deleteBook({ path: { isbn } })(),
      api.members.listMembers()(),
      api.members.getMember({ path: { name: 'ann' } })(),
    ])
    for (const result of results) assert.is(result._tag, 'Right', inspect(result))
    const exported = await api.books.exportBooks()()
    assert.ok(E.isRight(exported))
    const titles: string[] = []
    for await (const { title } of exported.right.body) titles.push(title)
    assert.equal(titles, [exampleBook.title])
  })
  test('serve needs no workers for blocking operations, and sends files', async () => {
    const server = await serve(mocked(), {
      logger: silentLogger,
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
    })
    try {
      const report = await fetch(`${server.url}/reports/waiting`)
      assert.is(report.status, 200)
      assert.match(await report.text(), /"meanWaiting": \d/)
      const cover = await fetch(`${server.url}/books/${isbn}/cover`)
      assert.is(cover.status, 200)
      const text = await cover.text()
      assert.is(Number(cover.headers.get('Content-Length')), text.length)
      const headers = { Range: 'bytes=0-2' }
      const part = await fetch(`${server.url}/books/${isbn}/cover`, { headers })
      assert.equal([part.status, await part.text()], [206, text.slice(0, 3)])
    } finally {
      await server.close()
    }
  })
  test('credentials are checked without a principal', async () => {
    const request = inMemory(mockServer(library()))
    assert.is((await request(`${origin}/members`)).status, 401)
    const headers = { Authorization: `Basic ${btoa('ben:pear')}` }
    assert.is((await request(`${origin}/members`, { headers })).status, 200)
  })
})
