/** Calls all operations of the showcase with the client that `@hey-api/openapi-ts` generates. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { client } from '../dist/clients/showcase/hey-api/client.gen.js'
import * as sdk from '../dist/clients/showcase/hey-api/sdk.gen.js'

const called = new Set<string>()
const names = Object.entries<unknown>({ ...sdk })

client.setConfig({ baseUrl: process.env['SHOWCASE'] ?? '', auth: 'ben:pear' })
client.interceptors.request.use((request, options) => {
  called.add(`${request.method} ${options.url}`)
  return request
})

/** Returns the data of a response. Throws an error if the status is not the expected one. */
const expectStatus = async <D>(
  status: number,
  result: Promise<{ readonly data?: D; readonly response?: Response }>,
): Promise<NonNullable<D>> => {
  const { data, response } = await result
  assert.equal(response?.status, status, response?.url)
  return data as NonNullable<D>
}

const isbn = '9780262510875'
const path = { isbn: '9780141439587' }

const controller = new AbortController()
const { stream } = await sdk.activityFollowActivity({ signal: controller.signal })
const event = stream.next()

await expectStatus(200, sdk.homeOpenHome())
const books = await expectStatus(200, sdk.booksListBooks({ query: { size: 2 } }))
assert.deepEqual(
  books.map(({ author }) => author),
  ['Abelson', 'Knuth'],
)
await expectStatus(200, sdk.booksExportBooks({ parseAs: 'text' }))
assert.equal((await expectStatus(200, sdk.booksGetBook({ path: { isbn } }))).author, 'Abelson')
const body = { title: 'Emma', author: 'Austen', published: 1815, copies: 1 }
await expectStatus(201, sdk.booksCreateBook({ body: { ...body, isbn: path.isbn } }))

const followed = await event
assert.equal(followed.done, false)
const activity: { readonly what: 'added' | 'lent' | 'returned'; readonly isbn: string } | void =
  followed.value
assert.deepEqual(activity, { what: 'added', isbn: path.isbn })
controller.abort()

await expectStatus(200, sdk.booksReplaceBook({ path, body }))
const cover = new File(['<png>'], 'cover.png', { type: 'image/png' })
await expectStatus(204, sdk.coversSetCover({ path, body: { cover } }))
await expectStatus(200, sdk.coversGetCover({ path, parseAs: 'blob' }))
await expectStatus(200, sdk.coversGetDossier({ path, parseAs: 'text' }))
const { response } = await sdk.descriptionsGetDescription({ path })
await expectStatus(
  200,
  sdk.descriptionsReplaceDescription({
    path,
    body,
    headers: { 'If-Match': response?.headers.get('ETag') ?? '' },
  }),
)
const loan = await expectStatus(201, sdk.loansLendBook({ body: { isbn } }))
assert.deepEqual(await expectStatus(200, sdk.loansListLoans()), [loan])
await expectStatus(204, sdk.loansGiveBack({ path: { id: loan.id } }))
await expectStatus(204, sdk.booksDeleteBook({ path }))
const found = await expectStatus(
  200,
  sdk.searchSearchBooks({
    path: { field: 'author' },
    query: { sort: ['title', 'published'] },
    body: { text: 'Knuth', tag: ['algorithms'] },
  }),
)
assert.equal(found.books.length, 1)
assert.equal((await expectStatus(200, sdk.membersListMembers())).length, 2)
await expectStatus(200, sdk.membersGetMember({ path: { name: 'ann' } }))
await expectStatus(200, sdk.reportsReportWaiting({ query: { readers: 100, every: 1 } }))
assert.equal(await expectStatus(200, sdk.demoSayHello({ parseAs: 'text' })), 'Hello')
const everything = sdk.demoSayEverything({
  path: { name: 'ann', age: 7 },
  query: { q: 'q' },
  headers: { 'x-cheese-secret-handshake': 'cheddar', Cookie: 'level=high' },
  body: { smell: 'nice' },
  parseAs: 'text',
})
assert.equal(await expectStatus(200, everything), 'ann/7/plain/q/high/cheddar/nice')
for (const probe of [sdk.healthAll, sdk.healthLive, sdk.healthReady, sdk.healthStarted])
  assert.equal((await expectStatus(200, probe())).status, 'UP')

interface Document {
  readonly paths: Record<string, Record<string, { readonly operationId?: string }>>
}
const document = JSON.parse(readFileSync(process.env['DOCUMENT'] ?? '', 'utf8')) as Document
const operations = Object.entries(document.paths).flatMap(([template, item]) =>
  Object.entries(item)
    .filter(([, { operationId }]) => operationId !== undefined)
    .map(([method]) => `${method.toUpperCase()} ${template}`),
)
assert.equal(names.length, operations.length)
assert.deepEqual([...called].toSorted(), operations.toSorted())
console.log(`@hey-api/openapi-ts: ${called.size} operations`)
process.exit()
