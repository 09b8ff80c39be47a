/** Compression of file responses: media types, validators, ranges and the threshold. */
import { pipe } from 'fp-ts/lib/function.js'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import {
  as,
  compressed,
  file,
  filePart,
  get,
  handle,
  path,
  produces,
  query,
  routes,
  string,
  uncompressed,
} from '../../../src/index.ts'
import { decodedBody, compressionEnabled } from '../../programs/compressing-api.ts'
import { contentCodings } from '../../support/decompress.ts'
import { table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'
import { createFile, newFolder } from '../../support/folder.ts'

const folder = newFolder()
const textOf = (size: number): string => 'espalier '.repeat(size).slice(0, size)
const small = textOf(1000)
// Larger than the part of a file that is read before the response head is sent.
const large = textOf(700_000)
for (const [size, content] of [
  ['small', small],
  ['large', large],
  ['empty', ''],
] as const)
  for (const extension of ['txt', 'html', 'json', 'bin', 'png', 'zzz', 'js'])
    createFile(folder, `${size}.${extension}`, content)

const resource = pipe(path('/'), query({ name: string }))

const operations = routes({
  plain: pipe(
    resource,
    get('/plain'),
    produces(file),
    handle((input) => join(folder, input.query.name)),
  ),
  always: pipe(
    resource,
    get('/always'),
    compressed,
    produces(file),
    handle((input) => join(folder, input.query.name)),
  ),
  never: pipe(
    resource,
    get('/never'),
    uncompressed,
    produces(file),
    handle((input) => join(folder, input.query.name)),
  ),
  typed: pipe(
    resource,
    get('/typed'),
    produces(as('text/css')(file)),
    handle((input) => join(folder, input.query.name)),
  ),
  part: pipe(
    resource,
    get('/part'),
    produces(file),
    handle((input) => filePart(join(folder, input.query.name), { offset: 9, count: 500_000 })),
  ),
})

const headersOf = ({ headers }: Response) =>
  [...headers].filter(([name]) => !['date', 'transfer-encoding'].includes(name))

contract(
  'compressed files',
  operations,
  (test, call) => {
    const send = (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
      call(
        new Request(`${base}${target}`, {
          method,
          headers: { 'Accept-Encoding': 'gzip', ...headers },
        }),
      )
    table(
      test,
      [
        ['text/plain', '/plain?name=large.txt', 'gzip', 'text/plain;charset=UTF-8'],
        ['text/html', '/plain?name=large.html', 'gzip', 'text/html;charset=UTF-8'],
        ['text/javascript', '/plain?name=large.js', 'gzip', 'text/javascript;charset=UTF-8'],
        ['application/json, not in the list', '/plain?name=large.json', null, 'application/json'],
        ['a small file', '/plain?name=small.txt', 'gzip', 'text/plain;charset=UTF-8'],
        [
          'application/octet-stream, not in the list',
          '/plain?name=large.bin',
          null,
          'application/octet-stream',
        ],
        ['image/png, already compressed', '/plain?name=large.png', null, 'image/png'],
        ['an unknown extension', '/plain?name=large.zzz', null, 'application/octet-stream'],
        ['an empty file', '/plain?name=empty.txt', null, 'text/plain;charset=UTF-8'],
        ['any type with compressed', '/always?name=large.bin', 'gzip', 'application/octet-stream'],
        ['any type with uncompressed', '/never?name=large.txt', null, 'text/plain;charset=UTF-8'],
        ['a declared media type', '/typed?name=large.bin', 'gzip', 'text/css;charset=UTF-8'],
        ['part of a file', '/part?name=large.txt', 'gzip', 'text/plain;charset=UTF-8'],
      ] as const,
      async (_, target, coding, type) => {
        const response = await send(target)
        assert.is(response.status, 200)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('content-type'), type)
        const whole = target.includes('empty') ? '' : target.includes('small') ? small : large
        const expected = target.startsWith('/part') ? whole.slice(9, 500_009) : whole
        // Unknown before the file has been read.
        const length = response.headers.get('content-length')
        if (coding === null) assert.is(length, String(expected.length))
        else if (expected.length > small.length) assert.is(length, null)
        assert.is((await decodedBody(response)) === expected, true)
      },
    )
    for (const coding of contentCodings)
      test(`a file is sent in the coding that the client accepts: ${coding}`, async () => {
        const response = await send('/plain?name=large.txt', { 'Accept-Encoding': coding })
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is((await decodedBody(response)) === large, true)
      })
    test('Vary is sent with a compressible file, whether it is compressed or not', async () => {
      for (const [target, accepted, expected] of [
        ['/plain?name=large.txt', 'gzip', 'Accept-Encoding'],
        ['/plain?name=large.txt', 'identity', 'Accept-Encoding'],
        ['/never?name=large.txt', 'gzip', null],
        ['/plain?name=large.bin', 'gzip', null],
      ] as const) {
        const response = await send(target, { 'Accept-Encoding': accepted })
        await response.arrayBuffer()
        assert.is(response.headers.get('vary'), expected, `${target} ${accepted}`)
      }
    })
    test('a compressed file has a weak ETag that matches If-None-Match', async () => {
      const plain = await send('/plain?name=large.txt', { 'Accept-Encoding': 'identity' })
      await plain.arrayBuffer()
      const encoded = await send('/plain?name=large.txt')
      await encoded.arrayBuffer()
      const etag = encoded.headers.get('etag') ?? ''
      assert.is(etag, `W/${plain.headers.get('etag')}`)
      assert.is(encoded.headers.get('accept-ranges'), null)
      assert.is(encoded.headers.get('last-modified'), plain.headers.get('last-modified'))
      const notModified = await send('/plain?name=large.txt', { 'If-None-Match': etag })
      assert.equal([notModified.status, notModified.headers.get('etag')], [304, etag])
      assert.is(notModified.headers.get('vary'), 'Accept-Encoding')
    })
    test('a range selects bytes of the file and is sent uncompressed', async () => {
      const response = await send('/plain?name=large.txt', { Range: 'bytes=9-12' })
      assert.is(response.status, 206)
      assert.is(response.headers.get('content-encoding'), null)
      assert.is(response.headers.get('content-range'), 'bytes 9-12/700000')
      assert.is(await response.text(), 'espa')
    })
    test('HEAD sends the headers of GET', async () => {
      const [getResponse, headResponse] = [
        await send('/plain?name=large.txt'),
        await send('/plain?name=large.txt', {}, 'HEAD'),
      ]
      assert.equal(headersOf(headResponse), headersOf(getResponse))
      assert.is(await headResponse.text(), '')
      await getResponse.arrayBuffer()
    })
  },
  compressionEnabled,
)

contract(
  'compressed files with a threshold',
  operations,
  (test, call) => {
    for (const [size, coding] of [
      [999, null],
      [1000, 'gzip'],
      [1001, 'gzip'],
      // Larger than the part that is read before the response head is sent.
      [70_000, 'gzip'],
    ] as const)
      test(`a file of ${size} bytes`, async () => {
        createFile(folder, `${size}.txt`, textOf(size))
        const headers = { 'Accept-Encoding': 'gzip' }
        const response = await call(new Request(`${base}/plain?name=${size}.txt`, { headers }))
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(await decodedBody(response), textOf(size))
      })
  },
  { ...compressionEnabled, 'fw.http.compression-threshold': 1000 },
)
