/** Default media types and level of compression, and `fw.http.compression-level` for deflate. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import * as zlib from 'node:zlib'
import { get, handle, mediaType, ok, path, produces, routes, text } from '../../../src/index.ts'
import { decodedBody, compressionEnabled, word } from '../../programs/compressing-api.ts'
import { base, contract } from '../../support/contract.ts'

const api = routes({
  typed: pipe(
    path('/{type}/{subtype}'),
    get(),
    produces(text),
    handle(({ path: { type, subtype } }) => pipe(ok(word), mediaType(`${type}/${subtype}`))),
  ),
})

contract(
  'default compression',
  api,
  (test, call) => {
    const send = (type: string, coding: string) =>
      call(new Request(`${base}/${type}`, { headers: { 'Accept-Encoding': coding } }))
    for (const type of [
      'text/html',
      'text/plain',
      'text/xml',
      'text/css',
      'text/javascript',
      'application/javascript',
    ])
      test(`${type} is compressed`, async () => {
        for (const contentType of [type, `${type};charset=utf-8`]) {
          const response = await send(contentType.replace(';', '%3B'), 'gzip')
          assert.is(response.headers.get('content-type'), contentType)
          assert.is(response.headers.get('content-encoding'), 'gzip')
          assert.is(await decodedBody(response), word)
        }
      })
    for (const type of [
      'application/json',
      'application/xml',
      'application/octet-stream',
      'text/csv',
      'image/svg+xml',
      'image/png',
    ])
      test(`${type} is not compressed`, async () => {
        const response = await send(type, 'gzip')
        assert.is(response.headers.get('content-encoding'), null)
        assert.is(await response.text(), word)
      })
    for (const [coding, compress] of [
      ['gzip', zlib.gzipSync],
      ['deflate', zlib.deflateSync],
    ] as const)
      test(`${coding} uses level 6`, async () => {
        const received = Buffer.from(await (await send('text/html', coding)).arrayBuffer())
        assert.equal(received, compress(word, { level: 6 }))
      })
  },
  compressionEnabled,
)

for (const level of [1, 9])
  contract(
    `compression level ${level}`,
    api,
    (test, call) =>
      test('deflate uses the configured level', async () => {
        const headers = { 'Accept-Encoding': 'deflate' }
        const response = await call(new Request(`${base}/text/html`, { headers }))
        const received = Buffer.from(await response.arrayBuffer())
        assert.equal(received, zlib.deflateSync(word, { level }))
        assert.not.equal(received, zlib.deflateSync(word, { level: 10 - level }))
      }),
    { ...compressionEnabled, 'fw.http.compression-level': level },
  )
