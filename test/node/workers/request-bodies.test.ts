/** Request bodies of blocking operations. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { api, receivingModule } from '../../support/receiving-api.ts'
import { options, until } from '../../support/workers.ts'

const x = (count: number): Buffer => Buffer.alloc(count, 'x')

type Row = readonly [
  name: string,
  to: string,
  content: Uint8Array,
  coding: string,
  status: number,
  said?: string,
]

describe('workers: contents', (test, { before, after }) => {
  const directory = mkdtempSync(join(tmpdir(), 'espalier-received-'))
  let server: Server
  before(async () => {
    server = await serve(api, {
      ...options,
      module: receivingModule,
      'fw.http.enable-decompression': true,
      'fw.http.limits.max-body-size': 10,
      'fw.http.body.uploads-directory': directory,
    })
  })
  after(async () => {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  })

  table<Row>(
    test,
    [
      ['as a whole', '/whole', x(1000), 'identity', 200, 'worker 1000 identity'],
      ['in pieces', '/pieces', x(1000), 'identity', 200, 'worker 1000'],
      ['in a file', '/file', x(1000), 'identity', 200, 'worker 1000 1000'],
      ['one byte too many', '/whole', x(1001), 'identity', 413],
      ['one byte too many, as a stream', '/pieces', x(1001), 'identity', 413],
      ['one byte too many, in a file', '/file', x(1001), 'identity', 413],
      ['parsed as a whole', '/parsed', x(500), 'identity', 200, 'worker 500'],
      ['parsed as a whole, one byte more', '/parsed', x(501), 'identity', 413],
      ['parsed as a whole, compressed', '/parsed', gzipSync(x(500)), 'gzip', 200, 'worker 500'],
      ['parsed as a whole, compressed, one byte more', '/parsed', gzipSync(x(501)), 'gzip', 413],
      ['compressed, as a whole', '/whole', gzipSync(x(1000)), 'gzip', 200, 'worker 1000 -'],
      ['compressed, as a stream', '/pieces', brotliCompressSync(x(1000)), 'br', 200, 'worker 1000'],
      ['compressed, in a file', '/file', gzipSync(x(1000)), 'gzip', 200, 'worker 1000 1000'],
      ['compressed, one byte too many', '/whole', gzipSync(x(1001)), 'gzip', 413],
      ['compressed, one byte too many, in a file', '/file', gzipSync(x(1001)), 'gzip', 413],
      ['malformed compressed data', '/whole', x(10), 'gzip', 400],
      ['truncated compressed data', '/file', gzipSync(x(10)).subarray(0, 10), 'gzip', 400],
      ['two content codings', '/whole', gzipSync(x(10)), 'gzip, br', 415],
      [
        'a field as large as it may be',
        '/form',
        Buffer.from('a=1234'),
        'identity',
        200,
        'worker 1234',
      ],
      ['a field that is too large', '/form', Buffer.from('a=12345'), 'identity', 413],
      ['a compressed form', '/form', gzipSync('a=1234'), 'gzip', 200, 'worker 1234'],
    ],
    async (_, to, content, coding, status, said) => {
      const type = to === '/form' ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}
      const response = await fetch(`${server.url}${to}`, {
        method: 'POST',
        headers: { ...type, 'Content-Encoding': coding },
        body: new Uint8Array(content),
      })
      const text = await response.text()
      assert.is(response.status, status)
      if (said !== undefined) assert.is(text, said)
      await until(() => !existsSync(directory) || readdirSync(directory).length === 0)
    },
  )
})
