/** Files that are compressed. */
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
} from '../../src/index.ts'
import { contentOf, on } from '../support/compressing-api.ts'
import { codings } from '../support/decoding.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'
import { fileWith, newFolder } from '../support/folder.ts'

const folder = newFolder()
const words = (octets: number): string => 'espalier '.repeat(octets).slice(0, octets)
const small = words(1000)
// more than is read before the head
const large = words(700_000)
for (const [size, content] of [
  ['small', small],
  ['large', large],
  ['empty', ''],
] as const)
  for (const extension of ['txt', 'html', 'json', 'bin', 'png', 'zzz', 'js'])
    fileWith(folder, `${size}.${extension}`, content)

const named = pipe(path('/'), query({ name: string }))

const operations = routes({
  plain: pipe(
    named,
    get('/plain'),
    produces(file),
    handle((input) => join(folder, input.query.name)),
  ),
  always: pipe(
    named,
    get('/always'),
    compressed,
    produces(file),
    handle((input) => join(folder, input.query.name)),
  ),
  never: pipe(
    named,
    get('/never'),
    uncompressed,
    produces(file),
    handle((input) => join(folder, input.query.name)),
  ),
  typed: pipe(
    named,
    get('/typed'),
    produces(as('text/css')(file)),
    handle((input) => join(folder, input.query.name)),
  ),
  part: pipe(
    named,
    get('/part'),
    produces(file),
    handle((input) => filePart(join(folder, input.query.name), { offset: 9, count: 500_000 })),
  ),
})

const fields = ({ headers }: Response) =>
  [...headers].filter(([name]) => !['date', 'transfer-encoding'].includes(name))

contract(
  'compressed files',
  operations,
  (test, call) => {
    const ask = (to: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
      call(
        new Request(`${base}${to}`, { method, headers: { 'Accept-Encoding': 'gzip', ...headers } }),
      )
    table(
      test,
      [
        [
          'by the type of the name: text',
          '/plain?name=large.txt',
          'gzip',
          'text/plain;charset=UTF-8',
        ],
        ['html', '/plain?name=large.html', 'gzip', 'text/html;charset=UTF-8'],
        ['JavaScript', '/plain?name=large.js', 'gzip', 'text/javascript;charset=UTF-8'],
        ['none that is not listed: JSON', '/plain?name=large.json', null, 'application/json'],
        ['small', '/plain?name=small.txt', 'gzip', 'text/plain;charset=UTF-8'],
        ['none that is not listed', '/plain?name=large.bin', null, 'application/octet-stream'],
        ['none that is compressed already', '/plain?name=large.png', null, 'image/png'],
        ['none of no known type', '/plain?name=large.zzz', null, 'application/octet-stream'],
        ['none that is empty', '/plain?name=empty.txt', null, 'text/plain;charset=UTF-8'],
        [
          'whatever its type, where it is said',
          '/always?name=large.bin',
          'gzip',
          'application/octet-stream',
        ],
        ['never, where it is said', '/never?name=large.txt', null, 'text/plain;charset=UTF-8'],
        ['by the type that is declared', '/typed?name=large.bin', 'gzip', 'text/css;charset=UTF-8'],
        ['a part', '/part?name=large.txt', 'gzip', 'text/plain;charset=UTF-8'],
      ] as const,
      async (_, to, coding, type) => {
        const response = await ask(to)
        assert.is(response.status, 200)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('content-type'), type)
        const whole = to.includes('empty') ? '' : to.includes('small') ? small : large
        const expected = to.startsWith('/part') ? whole.slice(9, 500_009) : whole
        // before it is read
        const length = response.headers.get('content-length')
        if (coding === null) assert.is(length, String(expected.length))
        else if (expected.length > small.length) assert.is(length, null)
        assert.is((await contentOf(response)) === expected, true)
      },
    )
    for (const coding of codings)
      test(`in the coding that the client prefers: ${coding}`, async () => {
        const response = await ask('/plain?name=large.txt', { 'Accept-Encoding': coding })
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is((await contentOf(response)) === large, true)
      })
    test('caches are told, whether it is compressed or not', async () => {
      for (const [to, accepted, expected] of [
        ['/plain?name=large.txt', 'gzip', 'Accept-Encoding'],
        ['/plain?name=large.txt', 'identity', 'Accept-Encoding'],
        ['/never?name=large.txt', 'gzip', null],
        ['/plain?name=large.bin', 'gzip', null],
      ] as const) {
        const response = await ask(to, { 'Accept-Encoding': accepted })
        await response.arrayBuffer()
        assert.is(response.headers.get('vary'), expected, `${to} ${accepted}`)
      }
    })
    test('its tag is weak, and is known again', async () => {
      const plain = await ask('/plain?name=large.txt', { 'Accept-Encoding': 'identity' })
      await plain.arrayBuffer()
      const coded = await ask('/plain?name=large.txt')
      await coded.arrayBuffer()
      const tag = coded.headers.get('etag') ?? ''
      assert.is(tag, `W/${plain.headers.get('etag')}`)
      assert.is(coded.headers.get('accept-ranges'), null)
      assert.is(coded.headers.get('last-modified'), plain.headers.get('last-modified'))
      const again = await ask('/plain?name=large.txt', { 'If-None-Match': tag })
      assert.equal([again.status, again.headers.get('etag')], [304, tag])
      assert.is(again.headers.get('vary'), 'Accept-Encoding')
    })
    test('a range is that of the file, and as it is', async () => {
      const response = await ask('/plain?name=large.txt', { Range: 'bytes=9-12' })
      assert.is(response.status, 206)
      assert.is(response.headers.get('content-encoding'), null)
      assert.is(response.headers.get('content-range'), 'bytes 9-12/700000')
      assert.is(await response.text(), 'espa')
    })
    test('HEAD says what GET says, and reads nothing', async () => {
      const [got, head] = [
        await ask('/plain?name=large.txt'),
        await ask('/plain?name=large.txt', {}, 'HEAD'),
      ]
      assert.equal(fields(head), fields(got))
      assert.is(await head.text(), '')
      await got.arrayBuffer()
    })
  },
  on,
)

contract(
  'compressed files from a size on',
  operations,
  (test, call) => {
    for (const [octets, coding] of [
      [999, null],
      [1000, 'gzip'],
      [1001, 'gzip'],
      // what is not read before the head
      [70_000, 'gzip'],
    ] as const)
      test(`${octets} octets`, async () => {
        fileWith(folder, `${octets}.txt`, words(octets))
        const headers = { 'Accept-Encoding': 'gzip' }
        const response = await call(new Request(`${base}/plain?name=${octets}.txt`, { headers }))
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(await contentOf(response), words(octets))
      })
  },
  { ...on, 'fw.http.compression-threshold': 1000 },
)
