/** Responses whose content coding the client did not request. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { client } from '../../../src/client.ts'
import { bytes, file, get, json, path, produces, routes, textStream } from '../../../src/index.ts'
import { left, right } from '../../support/clients.ts'
import { describe, table } from '../../support/describe.ts'
import { readUntilFailure } from '../read-stream.ts'
import { transports, withService } from './scripted-service.ts'
import { waitUntil } from '../../support/wait-until.ts'

const api = routes({
  value: pipe(path('/value'), get(), produces(json(t.string))),
  bytes: pipe(path('/bytes'), get(), produces(bytes)),
  file: pipe(path('/file'), get(), produces(file)),
  texts: pipe(path('/texts'), get(), produces(textStream)),
  undeclared: pipe(path('/undeclared'), get(), produces(json(t.string))),
})

const types = new Map([
  ['/bytes', 'application/octet-stream'],
  ['/file', 'application/octet-stream'],
  ['/texts', 'text/plain'],
])

type Row = readonly [coding: string, content: Uint8Array, message: string | undefined]

const byUndici =
  'the transport decodes gzip, x-gzip, deflate: add interceptors.decompress() of undici to the dispatcher'
const byFetch = 'the transport decodes gzip, x-gzip, deflate, br, zstd, dcb, dcz'
const content = Buffer.from('"a"')
/** Bytes that are neither JSON nor UTF-8. */
const encoded = new Uint8Array([0xff, 0xfe, 0x0a, 0x0a])

const rows: Readonly<Record<string, ReadonlyArray<Row>>> = {
  fetch: [
    ['br', brotliCompressSync(content), undefined],
    ['deflate, GZIP', gzipSync(deflateSync(content)), undefined],
    ['identity', content, undefined],
    ['utf-8', content, undefined],
    ['compress', encoded, `unsupported Content-Encoding compress: ${byFetch}`],
    ['gzip, foo', encoded, `unsupported Content-Encoding foo: ${byFetch}`],
    ['"a b"', encoded, `unsupported Content-Encoding: ${byFetch}`],
  ],
  undici: [
    ['deflate, GZIP', gzipSync(deflateSync(content)), undefined],
    ['identity', content, undefined],
    ['utf-8', content, undefined],
    ['br', brotliCompressSync(content), `unsupported Content-Encoding br: ${byUndici}`],
    ['zstd', encoded, `unsupported Content-Encoding zstd: ${byUndici}`],
    ['gzip, foo', encoded, `unsupported Content-Encoding foo: ${byUndici}`],
    ['gzip, '.repeat(6), encoded, `unsupported Content-Encoding: ${byUndici}`],
  ],
}

describe('content codings of responses', (test) => {
  for (const [name, open] of transports)
    table<Row>(test, rows[name] ?? [], (coding, body, message) =>
      withService(
        (response, { url }) =>
          void response
            .writeHead(url === '/undeclared' ? 500 : 200, {
              'Content-Encoding': coding,
              'Content-Type': types.get(url) ?? 'application/json',
            })
            .end(body),
        async (service) => {
          const transport = open()
          const calls = client(api, { baseUrl: service.url, transport: transport.passage })
          if (message === undefined) assert.is((await right(calls.value())).body, 'a')
          else {
            for (const call of ['value', 'bytes', 'file', 'texts'] as const) {
              const result = await calls[call]()()
              const failure = E.isLeft(result)
                ? result.left
                : (await readUntilFailure(result.right.body as AsyncIterable<unknown>))[1]
              assert.ok('_tag' in failure && failure._tag === 'DecodeError')
              const { message: actual } = failure
              assert.is(
                actual,
                `${call}: invalid body in a response with status 200: body: ${message}`,
              )
            }
            const undeclared = await left(calls.undeclared())
            assert.ok('_tag' in undeclared && undeclared._tag === 'UndeclaredStatus')
            assert.is(undeclared.text, '')
            await waitUntil(() => service.pending() === 0)
          }
          await transport.close()
        },
      ),
    )
})
