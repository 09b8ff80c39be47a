/** Tests of request bodies of blocking operations: limits, and decompression. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { api, receivingModule } from '../../programs/receiving-api.ts'
import { options } from '../../support/workers.ts'
import { waitUntil } from '../../support/wait-until.ts'

const x = (count: number): Buffer => Buffer.alloc(count, 'x')

type Row = readonly [
  name: string,
  target: string,
  body: Uint8Array,
  coding: string,
  status: number,
  expected?: string,
]

describe('request bodies of blocking operations', (test, { before, after }) => {
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
      ['in memory', '/whole', x(1000), 'identity', 200, 'worker 1000 identity'],
      ['as a stream', '/stream', x(1000), 'identity', 200, 'worker 1000'],
      ['in a file', '/file', x(1000), 'identity', 200, 'worker 1000 1000'],
      ['one byte above the limit', '/whole', x(1001), 'identity', 413],
      ['one byte above the limit, as a stream', '/stream', x(1001), 'identity', 413],
      ['one byte above the limit, in a file', '/file', x(1001), 'identity', 413],
      ['parsed, at the limit', '/parsed', x(500), 'identity', 200, 'worker 500'],
      ['parsed, one byte above the limit', '/parsed', x(501), 'identity', 413],
      ['parsed, compressed, at the limit', '/parsed', gzipSync(x(500)), 'gzip', 200, 'worker 500'],
      ['parsed, compressed, one byte above the limit', '/parsed', gzipSync(x(501)), 'gzip', 413],
      ['compressed, in memory', '/whole', gzipSync(x(1000)), 'gzip', 200, 'worker 1000 -'],
      ['compressed, as a stream', '/stream', brotliCompressSync(x(1000)), 'br', 200, 'worker 1000'],
      ['compressed, in a file', '/file', gzipSync(x(1000)), 'gzip', 200, 'worker 1000 1000'],
      ['compressed, one byte above the limit', '/whole', gzipSync(x(1001)), 'gzip', 413],
      ['compressed, one byte above the limit, in a file', '/file', gzipSync(x(1001)), 'gzip', 413],
      ['malformed compressed data', '/whole', x(10), 'gzip', 400],
      ['truncated compressed data', '/file', gzipSync(x(10)).subarray(0, 10), 'gzip', 400],
      ['two content codings', '/whole', gzipSync(x(10)), 'gzip, br', 415],
      ['a form field at the limit', '/form', Buffer.from('a=1234'), 'identity', 200, 'worker 1234'],
      ['a form field above the limit', '/form', Buffer.from('a=12345'), 'identity', 413],
      ['a compressed form', '/form', gzipSync('a=1234'), 'gzip', 200, 'worker 1234'],
    ],
    async (_, target, body, coding, status, expected) => {
      const type = target === '/form' ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}
      const response = await fetch(`${server.url}${target}`, {
        method: 'POST',
        headers: { ...type, 'Content-Encoding': coding },
        body: new Uint8Array(body),
      })
      const text = await response.text()
      assert.is(response.status, status)
      if (expected !== undefined) assert.is(text, expected)
      await waitUntil(() => !existsSync(directory) || readdirSync(directory).length === 0)
    },
  )
})
