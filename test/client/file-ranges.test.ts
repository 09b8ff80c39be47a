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
import { called, errorIn, right } from '../support/clients.ts'
import { octets } from '../support/reading.ts'

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
  kept: pipe(
    path('/kept'),
    get(),
    produces(file),
    responds(304),
    handle(() => notes),
  ),
  made: pipe(
    path('/made'),
    post(),
    status(201),
    produces(file),
    handle(() => notes),
  ),
  either: pipe(
    path('/either'),
    get(),
    produces(json(t.type({ is: t.string })), file),
    handle(() => ({ is: 'json' })),
  ),
})

called('files in part', api, (test, calling) => {
  test('Range with one range returns 206', async () => {
    const answer = await right(calling().notes({}, { headers: { Range: 'bytes=5-7' } }))
    assert.is(answer.status, 206)
    assert.is(headerOf('content-range')(answer), 'bytes 5-7/15')
    assert.equal([answer.body.size, await octets(answer.body)], [3, 'two'])
  })
  test('Range with several ranges returns multipart/byteranges', async () => {
    const answer = await right(calling().notes({}, { headers: { Range: 'bytes=0-2,10-' } }))
    assert.is(answer.status, 206)
    assert.match(answer.body.contentType, /^multipart\/byteranges; *boundary=/)
    assert.match(await octets(answer.body), /one\r\n.*three\r\n/s)
  })
  test('a request without Range returns the complete file', async () => {
    const answer = await right(calling().notes())
    assert.equal([answer.status, await octets(answer.body)], [200, 'one, two, three'])
  })
  test('an unsatisfiable range returns 416', async () => {
    const error = await errorIn(calling().notes({}, { headers: { Range: 'bytes=15-' } }))
    assert.equal([error._tag, 'status' in error && error.status], ['UndeclaredStatus', 416])
  })
  test('a matching If-None-Match returns 304 if it is declared', async () => {
    const first = await right(calling().notes())
    await discard(first)
    const { headers } = first
    const condition = { headers: { 'If-None-Match': headerOf('etag')({ headers }) ?? '' } }
    const answer = await right(calling().kept({}, condition))
    assert.equal([answer.status, answer.body], [304, undefined])
    const error = await errorIn(calling().notes({}, condition))
    assert.equal([error._tag, 'status' in error && error.status], ['UndeclaredStatus', 304])
  })
  test('Range is ignored for other representations than files', async () => {
    const answer = await right(calling().either({}, { headers: { Range: 'bytes=0-1' } }))
    assert.equal([answer.status, answer.body], [200, { is: 'json' }])
    const made = await right(calling().made({}, { headers: { Range: 'bytes=0-1' } }))
    assert.is(made.status, 201)
    assert.is(await octets(made.body), 'one, two, three')
  })
})

process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
