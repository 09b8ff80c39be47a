/** Ranges and conditional requests of files. */
import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { discard, headerOf } from '../../src/client.ts'
import {
  file,
  get,
  handle,
  json,
  path,
  post,
  produces,
  responds,
  routes,
  status,
} from '../../src/index.ts'
import { clientContract, errorIn, right } from '../support/clients.ts'
import { readLatin1 } from './read-stream.ts'

const folder = await mkdtemp(join(tmpdir(), 'espalier-'))
const notes = join(folder, 'notes.txt')
await writeFile(notes, 'one, two, three')

const api = routes({
  notes: pipe(
    path('/notes'),
    get(),
    produces(file),
    handle(() => notes),
  ),
  cached: pipe(
    path('/cached'),
    get(),
    produces(file),
    responds(304),
    handle(() => notes),
  ),
  created: pipe(
    path('/created'),
    post(),
    status(201),
    produces(file),
    handle(() => notes),
  ),
  either: pipe(
    path('/either'),
    get(),
    produces(json(t.string), file),
    handle(() => 'json'),
  ),
})

clientContract('ranges of files', api, (test, createClient) => {
  test('Range with one range returns 206', async () => {
    const response = await right(createClient().notes({}, { headers: { Range: 'bytes=5-7' } }))
    assert.is(response.status, 206)
    assert.is(headerOf('content-range')(response), 'bytes 5-7/15')
    assert.equal([response.body.size, await readLatin1(response.body)], [3, 'two'])
  })
  test('Range with several ranges returns multipart/byteranges', async () => {
    const response = await right(createClient().notes({}, { headers: { Range: 'bytes=0-2,10-' } }))
    assert.is(response.status, 206)
    assert.match(response.body.contentType, /^multipart\/byteranges; *boundary=/)
    assert.match(await readLatin1(response.body), /one\r\n.*three\r\n/s)
  })
  test('a request without Range returns the complete file', async () => {
    const response = await right(createClient().notes())
    assert.equal([response.status, await readLatin1(response.body)], [200, 'one, two, three'])
  })
  test('an unsatisfiable range returns 416', async () => {
    const error = await errorIn(createClient().notes({}, { headers: { Range: 'bytes=15-' } }))
    assert.equal([error._tag, 'status' in error && error.status], ['UndeclaredStatus', 416])
  })
  test('a matching If-None-Match returns 304 if it is declared', async () => {
    const first = await right(createClient().notes())
    await discard(first)
    const { headers } = first
    const condition = { headers: { 'If-None-Match': headerOf('etag')({ headers }) ?? '' } }
    const response = await right(createClient().cached({}, condition))
    assert.equal([response.status, response.body], [304, undefined])
    const error = await errorIn(createClient().notes({}, condition))
    assert.equal([error._tag, 'status' in error && error.status], ['UndeclaredStatus', 304])
  })
  test('Range is ignored for JSON, and for a file in a response to POST', async () => {
    const response = await right(createClient().either({}, { headers: { Range: 'bytes=0-1' } }))
    assert.equal([response.status, response.body], [200, 'json'])
    const created = await right(createClient().created({}, { headers: { Range: 'bytes=0-1' } }))
    assert.is(created.status, 201)
    assert.is(await readLatin1(created.body), 'one, two, three')
  })
})

process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
