/** What is compressed, and how strongly, where nobody has said it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import * as zlib from 'node:zlib'
import { get, handle, mediaType, ok, path, produces, routes, text } from '../../src/index.ts'
import { contentOf, on, word } from '../support/compressing-api.ts'
import { base, contract } from '../support/contract.ts'

const api = routes({
  typed: pipe(
    path('/{type}/{subtype}'),
    get(),
    produces(text),
    handle(({ path: { type, subtype } }) => pipe(ok(word), mediaType(`${type}/${subtype}`))),
  ),
})

contract(
  'compression as it is by default',
  api,
  (test, call) => {
    const ask = (type: string, coding: string) =>
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
        for (const said of [type, `${type};charset=utf-8`]) {
          const response = await ask(said.replace(';', '%3B'), 'gzip')
          assert.is(response.headers.get('content-type'), said)
          assert.is(response.headers.get('content-encoding'), 'gzip')
          assert.is(await contentOf(response), word)
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
      test(`${type} is not`, async () => {
        const response = await ask(type, 'gzip')
        assert.is(response.headers.get('content-encoding'), null)
        assert.is(await response.text(), word)
      })
    for (const [coding, compress] of [
      ['gzip', zlib.gzipSync],
      ['deflate', zlib.deflateSync],
    ] as const)
      test(`the level of ${coding} is 6`, async () => {
        const octets = Buffer.from(await (await ask('text/html', coding)).arrayBuffer())
        assert.equal(octets, compress(word, { level: 6 }))
      })
  },
  on,
)

for (const level of [1, 9])
  contract(
    `level ${level} of deflate`,
    api,
    (test, call) =>
      test('is that of the setting', async () => {
        const headers = { 'Accept-Encoding': 'deflate' }
        const response = await call(new Request(`${base}/text/html`, { headers }))
        const octets = Buffer.from(await response.arrayBuffer())
        assert.equal(octets, zlib.deflateSync(word, { level }))
        assert.not.equal(octets, zlib.deflateSync(word, { level: 10 - level }))
      }),
    { ...on, 'fw.http.compression-level': level },
  )
