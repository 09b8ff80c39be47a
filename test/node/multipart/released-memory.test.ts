/**
 * Large forms over a socket: retained parts of a request do not change when the memory of its chunks is reused.
 */
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
import { formOf, multipart, send as sent } from '../../support/multipart.ts'

const hashOf = (...octets: ReadonlyArray<Uint8Array>): string =>
  octets.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest('hex')

/** What an application has heard that listens to the request itself. */
const heard: Uint8Array[] = []

const listened = pipe(
  path('/listened'),
  post(),
  body(fileBody),
  produces(text),
  handle((input) => `${hashOf(readFileSync(input.body.path))},${hashOf(...heard)}`),
)

const listening = requestFilter((context) => {
  const request = nodeRequest(context)
  heard.length = 0
  if (request instanceof IncomingMessage)
    request.on('data', (piece: Buffer) => heard.push(piece)).pause()
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
        const pieces: Uint8Array[] = []
        for await (const piece of content) pieces.push(piece)
        kept.push([name, pieces])
      }
      return kept
        .map(([name, pieces]) =>
          name === 'title' ? Buffer.concat(pieces).toString() : hashOf(...pieces),
        )
        .join()
    }),
  ),
  listened: pipe(routes({ listened }), withFilter(listening)),
})

const one = randomBytes(500_000)
const two = randomBytes(300_001)
const part = (name: string, octets: Uint8Array): string =>
  `Content-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n${Buffer.from(octets).toString('latin1')}`
const content = Buffer.from(
  formOf(
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
      ['files', 0, '/form'],
      ['files of an input', 0, '/parts'],
      ['parts in memory', 1, '/parts'],
      ['parts that a handler keeps', 0, '/stream'],
    ] as const,
    async (_, n, to) => {
      for (let i = 0; i < 3; i++) {
        const response = await send(servers[n]?.url ?? '', sent(to, content, multipart))
        assert.is(await response.text(), expected)
      }
    },
  )
  test('chunks that an application receives by a data listener are not reused', async () => {
    const request = sent('/listened', one, 'application/octet-stream')
    const response = await send(servers[0]?.url ?? '', request)
    assert.is(await response.text(), `${hashOf(one)},${hashOf(one)}`)
  })
})
