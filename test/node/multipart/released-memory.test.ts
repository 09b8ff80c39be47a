/** Large forms over a socket: data that a handler keeps does not change when the memory of received chunks is reused. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  fileBody,
  form,
  handle,
  multipartInput,
  multipartStream,
  path,
  post,
  produces,
  requestFilter,
  routes,
  string,
  text,
  upload,
  withFilter,
} from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { nodeRequest, serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { send } from '../../support/contract.ts'
import { encodeMultipart, multipartType, multipartRequest } from '../../support/multipart.ts'

const hashOf = (...chunks: ReadonlyArray<Uint8Array>): string =>
  chunks.reduce((hash, chunk) => hash.update(chunk), createHash('sha256')).digest('hex')

/** The chunks that an application has received with its own `data` listener. */
const receivedChunks: Uint8Array[] = []

const listenedOperation = pipe(
  path('/listened'),
  post(),
  body(fileBody),
  produces(text),
  handle((input) => `${hashOf(readFileSync(input.body.path))},${hashOf(...receivedChunks)}`),
)

const recordChunks = requestFilter((context) => {
  const request = nodeRequest(context)
  receivedChunks.length = 0
  if (request instanceof IncomingMessage)
    request.on('data', (chunk: Buffer) => receivedChunks.push(chunk)).pause()
})

const api = routes({
  uploads: pipe(
    path('/form'),
    post(),
    form({ one: upload, title: string, two: upload }),
    produces(text),
    handle(({ form: { one, title, two } }) =>
      [hashOf(readFileSync(one.path)), title, hashOf(readFileSync(two.path))].join(),
    ),
  ),
  parts: pipe(
    path('/parts'),
    post(),
    body(multipartInput),
    produces(text),
    handle(async (input) => {
      const read: string[] = []
      for (const [value] of input.body.values.values())
        if (value !== undefined)
          read.push(value.isFileItem ? hashOf(await value.fileItem.read()) : value.value)
      return read.join()
    }),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(multipartStream),
    produces(text),
    handle(async (input) => {
      const kept: Array<readonly [string, Uint8Array[]]> = []
      for await (const { name, content } of input.body) {
        const chunks: Uint8Array[] = []
        for await (const chunk of content) chunks.push(chunk)
        kept.push([name, chunks])
      }
      return kept
        .map(([name, chunks]) =>
          name === 'title' ? Buffer.concat(chunks).toString() : hashOf(...chunks),
        )
        .join()
    }),
  ),
  listened: pipe(routes({ listened: listenedOperation }), withFilter(recordChunks)),
})

const one = randomBytes(500_000)
const two = randomBytes(300_001)
const part = (name: string, bytes: Uint8Array): string =>
  `Content-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n${Buffer.from(bytes).toString('latin1')}`
const content = Buffer.from(
  encodeMultipart(
    part('one', one),
    'Content-Disposition: form-data; name="title"\r\n\r\nEmma',
    part('two', two),
  ),
  'latin1',
)
const expected = [hashOf(one), 'Emma', hashOf(two)].join()

describe('large forms', (test, { before, after }) => {
  const servers: Server[] = []
  before(async () => {
    for (const threshold of [0, 1_000_000])
      servers.push(
        await serve(api, {
          'fw.http.host': '127.0.0.1',
          'fw.http.port': 0,
          'fw.shutdown.grace': 0,
          'fw.http.body.multipart.file-size-threshold': threshold,
          'fw.http.body.uploads-directory': mkdtempSync(join(tmpdir(), 'espalier-')),
        }),
      )
  })
  after(async () => {
    for (const server of servers) await server.close()
  })
  table(
    test,
    [
      ['uploads of a form are unchanged', 0, '/form'],
      ['files of multipart input are unchanged', 0, '/parts'],
      ['parts in memory are unchanged', 1, '/parts'],
      ['parts of a multipart stream are unchanged', 0, '/stream'],
    ] as const,
    async (_, n, to) => {
      for (let i = 0; i < 3; i++) {
        const response = await send(
          servers[n]?.url ?? '',
          multipartRequest(to, content, multipartType),
        )
        assert.is(await response.text(), expected)
      }
    },
  )
  test('chunks that an application receives with a data listener are not reused', async () => {
    const request = multipartRequest('/listened', one, 'application/octet-stream')
    const response = await send(servers[0]?.url ?? '', request)
    assert.is(await response.text(), `${hashOf(one)},${hashOf(one)}`)
  })
})
