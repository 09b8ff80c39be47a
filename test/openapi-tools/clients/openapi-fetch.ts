/** Calls all operations of the showcase with `openapi-fetch`, whose types `openapi-typescript` generates. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import createClient from 'openapi-fetch'
import type { Middleware } from 'openapi-fetch'
import type { paths } from '../dist/clients/showcase/openapi-typescript.js'

const baseUrl = process.env['SHOWCASE'] ?? ''
const called = new Set<string>()

const options = { baseUrl, headers: { Authorization: `Basic ${btoa('ben:pear')}` } }
const client = createClient<paths>(options)
/** A client whose types describe only JSON. */
const json = createClient<paths, 'application/json'>(options)
const record: Middleware = {
  onRequest: ({ request, schemaPath }) => {
    called.add(`${request.method} ${schemaPath}`)
  },
}
client.use(record)
json.use(record)

/** Checks the status of a response and returns its data. */
const expectStatus = async <D>(
  status: number,
  result: Promise<{ readonly data?: D; readonly response: Response }>,
): Promise<NonNullable<D>> => {
  const { data, response } = await result
  assert.equal(response.status, status, response.url)
  return data as NonNullable<D>
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const isbn = '9780262510875'
const emma = '9780141439587'
const path = { isbn }

await expectStatus(200, client.GET('/'))
const books = await expectStatus(200, json.GET('/books', { params: { query: { size: 2 } } }))
assert.deepEqual(
  books.map(({ title }) => title),
  ['Structure and Interpretation of Computer Programs', 'The Art of Computer Programming'],
)
await expectStatus(200, client.GET('/books/export', { parseAs: 'text' }))
const book = await expectStatus(200, json.GET('/books/{isbn}', { params: { path } }))
assert.equal(book.author, 'Abelson')
const { published, copies } = book
const added = { title: 'Emma', author: 'Austen', published, copies }
assert.equal(
  (await expectStatus(201, client.POST('/books', { body: { ...added, isbn: emma } }))).isbn,
  emma,
)
const params = { path: { isbn: emma } }
assert.equal(
  (
    await expectStatus(
      200,
      client.PUT('/books/{isbn}', { params, body: { ...added, title: 'Emma, a novel' } }),
    )
  ).title,
  'Emma, a novel',
)
const cover = new FormData()
cover.set('cover', new Blob(['<png>'], { type: 'image/png' }), 'cover.png')
await expectStatus(
  204,
  client.PUT('/books/{isbn}/cover', {
    params,
    body: { cover: '' },
    bodySerializer: () => cover,
  }),
)
const image = await expectStatus(
  200,
  client.GET('/books/{isbn}/cover', { params, parseAs: 'text' }),
)
assert.equal(image, '<png>')
await expectStatus(200, client.GET('/books/{isbn}/dossier', { params, parseAs: 'text' }))
const { data: description, response } = await client.GET('/books/{isbn}/description', { params })
assert.equal(description?.title, 'Emma, a novel')
await expectStatus(
  200,
  client.PUT('/books/{isbn}/description', {
    params,
    headers: { 'If-Match': response.headers.get('ETag') ?? '' },
    body: added,
  }),
)
const loan = await expectStatus(201, client.POST('/loans', { body: { isbn } }))
assert.deepEqual(await expectStatus(200, client.GET('/loans')), [loan])
await expectStatus(204, client.DELETE('/loans/{id}', { params: { path: { id: loan.id } } }))
await expectStatus(204, client.DELETE('/books/{isbn}', { params }))
const found = await expectStatus(
  200,
  client.POST('/search/{field}', {
    params: { path: { field: 'author' }, query: { sort: ['title'] } },
    body: { text: 'Knuth' },
    headers: form,
  }),
)
assert.equal(found.books.length, 1)
const members = await expectStatus(200, json.GET('/members'))
assert.equal(members.length, 2)
await expectStatus(200, client.GET('/members/{name}', { params: { path: { name: 'ann' } } }))
await expectStatus(
  200,
  client.GET('/reports/waiting', { params: { query: { readers: 100, every: 1 } } }),
)
const events = await client.GET('/activity', { parseAs: 'stream' })
assert.equal(events.response.headers.get('Content-Type'), 'text/event-stream')
await events.response.body?.cancel().catch(() => undefined)
assert.equal(await expectStatus(200, client.GET('/demo/hello', { parseAs: 'text' })), 'Hello')
const everything = client.POST('/demo/hello/{name}/{age}', {
  params: {
    path: { name: 'ann', age: 7 },
    query: { q: 'q' },
    cookie: { level: 'high' },
    header: { 'x-cheese-secret-handshake': 'cheddar' },
  },
  headers: { ...form, Cookie: 'level=high' },
  body: { smell: 'nice' },
  parseAs: 'text',
})
assert.equal(await expectStatus(200, everything), 'ann/7/plain/q/high/cheddar/nice')
for (const probe of ['/health', '/health/live', '/health/ready', '/health/started'] as const)
  assert.equal((await expectStatus(200, client.GET(probe))).status, 'UP')

interface Document {
  readonly paths: Record<string, Record<string, { readonly operationId?: string }>>
}
const document = JSON.parse(readFileSync(process.env['DOCUMENT'] ?? '', 'utf8')) as Document
const operations = Object.entries(document.paths).flatMap(([template, item]) =>
  Object.entries(item)
    .filter(([, { operationId }]) => operationId !== undefined)
    .map(([method]) => `${method.toUpperCase()} ${template}`),
)
assert.deepEqual([...called].toSorted(), operations.toSorted())
console.log(`openapi-fetch: ${called.size} operations`)
process.exit()
