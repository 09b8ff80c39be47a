/** Compression of buffered responses: negotiation, `Vary`, validators, and settings. */
import * as assert from 'uvu/assert'
import * as zlib from 'node:zlib'
import {
  api,
  createSend,
  decodedBody,
  hasZstd,
  compressionEnabled,
  word,
} from '../../programs/compressing-api.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const headersOf = ({ headers }: Response) =>
  [...headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))

contract(
  'compression',
  api,
  (test, call) => {
    const send = createSend(call)
    const etagOf = async (target: string, accepted: string) =>
      (await send(target, accepted)).headers.get('etag')
    const revalidate = async (etag: string) => {
      const { status, headers } = await send('/conditional', 'gzip', { 'If-None-Match': etag })
      return [status, headers.get('etag'), headers.get('vary'), headers.get('content-encoding')]
    }
    type Row = readonly [
      title: string,
      target: string,
      accepted: string | undefined,
      coding: string | null,
      vary: string | null,
    ]
    table<Row>(
      test,
      [
        ['a listed media type', '/plain', 'gzip', 'gzip', 'Accept-Encoding'],
        [
          'a listed media type with parameters in another case',
          '/parameters',
          'gzip',
          'gzip',
          'Accept-Encoding',
        ],
        ['a media type that is not listed', '/foo', 'gzip', null, null],
        ['a type set by the handler', '/other-type', 'gzip', null, null],
        ['a negotiated media type', '/page', 'gzip', 'gzip', 'Accept, Accept-Encoding'],
        ['any type in a tree with compressed', '/marked/foo', 'gzip', 'gzip', 'Accept-Encoding'],
        ['bytes in a tree with compressed', '/marked/bytes', 'gzip', 'gzip', 'Accept-Encoding'],
        ['uncompressed declared on an operation in a tree', '/unmarked/not', 'gzip', null, null],
        ['an uncompressed operation in a compressed tree', '/marked/not', 'gzip', null, null],
        [
          'a compressed resource in an uncompressed tree',
          '/unmarked/foo',
          'gzip',
          'gzip',
          'Accept-Encoding',
        ],
        [
          'an uncompressed operation of a compressed resource',
          '/unmarked/last',
          'gzip',
          null,
          null,
        ],
        ['a response without Content-Type', '/marked/untyped', 'gzip', null, null],
        ['no Accept-Encoding', '/plain', undefined, null, 'Accept-Encoding'],
        ['an empty Accept-Encoding', '/plain', '', null, 'Accept-Encoding'],
        ['an unsupported coding', '/plain', 'compress', null, 'Accept-Encoding'],
        ['identity', '/plain', 'identity', null, 'Accept-Encoding'],
        ['gzip with weight 0', '/plain', 'gzip;q=0', null, 'Accept-Encoding'],
        ['identity with weight 0', '/plain', 'identity;q=0', null, 'Accept-Encoding'],
        ['deflate', '/plain', 'deflate', 'deflate', 'Accept-Encoding'],
        ['br', '/plain', 'br', 'br', 'Accept-Encoding'],
        [
          'zstd, if supported by Node.js',
          '/plain',
          'zstd',
          hasZstd ? 'zstd' : null,
          'Accept-Encoding',
        ],
        [
          'several codings: the first configured',
          '/plain',
          'br, gzip, deflate',
          'gzip',
          'Accept-Encoding',
        ],
        [
          'several codings: the highest weight',
          '/plain',
          'gzip;q=0.5, br;q=0.6',
          'br',
          'Accept-Encoding',
        ],
        ['the wildcard *', '/plain', '*', 'gzip', 'Accept-Encoding'],
        ['Cache-Control: no-transform', '/untransformed', 'gzip', null, null],
        ['other Cache-Control directives', '/transformed', 'gzip', 'gzip', 'Accept-Encoding'],
        ['a Content-Encoding set by the handler', '/identity', 'gzip', 'identity', null],
        ['a Digest of the body', '/digest', 'gzip', null, null],
        ['a partial response', '/part', 'gzip', null, null],
        ['Vary with Accept-Encoding', '/varied', 'gzip', 'gzip', 'Origin, accept-encoding'],
        ['Vary: *', '/varied-by-all', 'gzip', 'gzip', '*'],
        ['Vary with another header', '/varied-by-other', 'gzip', 'gzip', 'Origin, Accept-Encoding'],
        ['status 204', '/empty', 'gzip', null, null],
        ['an empty body', '/nothing', 'gzip', null, 'Accept-Encoding'],
        ['a problem document, whose type is not listed', '/failing', 'gzip', null, null],
        ['an unknown path', '/missing', 'gzip', null, null],
      ],
      async (_, target, accepted, coding, vary) => {
        const response = await send(target, accepted)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('vary'), vary)
        const length = response.headers.get('content-length')
        const body = await response.clone().arrayBuffer()
        if (response.status !== 204) assert.is(length, String(body.byteLength))
        if (response.status === 200 && !/bytes|untyped|nothing/.test(target))
          assert.is(await decodedBody(response), word)
      },
    )
    test('a compressed byte body decompresses to the original', async () => {
      const response = await send('/marked/bytes', 'br')
      assert.is(await decodedBody(response), '\0'.repeat(100))
    })
    test('an error response with a listed type is compressed, except in an uncompressed tree', async () => {
      const preferHtml = { Accept: 'text/html, text/plain;q=0.5' }
      for (const target of ['/failing', '/missing']) {
        const response = await send(target, 'gzip', preferHtml)
        assert.equal([response.status, response.headers.get('content-encoding')], [404, 'gzip'])
        assert.match(await decodedBody(response), /<html/)
      }
      const other = await send('/unmarked/failing', 'gzip', preferHtml)
      assert.equal([other.status, other.headers.get('content-encoding')], [404, null])
    })
    test('HEAD sends the headers of GET', async () => {
      for (const target of ['/plain', '/tagged', '/foo', '/sized/100000'])
        for (const accepted of ['gzip', 'identity']) {
          const getResponse = await send(target, accepted)
          const headResponse = await send(target, accepted, {}, 'HEAD')
          assert.equal(headersOf(headResponse), headersOf(getResponse))
          assert.is(await headResponse.text(), '')
        }
    })
    test('a compressed response has a weak ETag that matches If-None-Match', async () => {
      assert.is(await etagOf('/tagged', 'gzip'), 'W/"v1"')
      assert.is(await etagOf('/tagged', 'identity'), '"v1"')
      assert.is(await etagOf('/weak', 'gzip'), 'W/"v1"')
      assert.is(await etagOf('/conditional', 'gzip'), 'W/"v1"')
      assert.equal(await revalidate('W/"v1"'), [304, 'W/"v1"', 'Accept-Encoding', null])
      assert.equal(await revalidate('"v0", W/"v1"'), [304, 'W/"v1"', 'Accept-Encoding', null])
      assert.equal(await revalidate('"v1"'), [304, 'W/"v1"', 'Accept-Encoding', null])
      assert.equal(await revalidate('*'), [304, 'W/"v1"', 'Accept-Encoding', null])
    })
    test('a compressed response has no Accept-Ranges', async () => {
      assert.is((await send('/ranges', 'gzip')).headers.get('accept-ranges'), null)
      assert.is((await send('/ranges', 'identity')).headers.get('accept-ranges'), 'bytes')
    })
    test('a response that cannot be encoded returns 500', async () => {
      for (const coding of ['gzip', 'identity'])
        assert.is((await send('/unsendable', coding)).status, 500)
    })
    test('headers added by filters are sent', async () => {
      const { headers } = await send('/filtered', 'gzip')
      assert.equal([headers.get('x-seen'), headers.get('x-added')], ['yes', 'yes'])
      assert.is(headers.get('content-encoding'), 'gzip')
    })
    table(
      test,
      [0, 1, 8191, 8192, 8193, 100_000, 3_000_000].map((size): [string, number] => [
        `a body of ${size} bytes`,
        size,
      ]),
      async (_, size) => {
        for (const coding of ['gzip', 'deflate', 'br', 'zstd']) {
          const response = await send(`/sized/${size}`, coding)
          assert.is(await decodedBody(response), 'x'.repeat(size))
        }
      },
    )
  },
  compressionEnabled,
)

contract('compression by default', api, (test, call) => {
  for (const target of ['/plain', '/marked/foo'])
    test(`a response is sent uncompressed: ${target}`, async () => {
      const response = await createSend(call)(target, 'gzip')
      assert.is(response.headers.get('content-encoding'), null)
      assert.is(response.headers.get('vary'), null)
      assert.is(await response.text(), word)
    })
})

contract(
  'compression threshold',
  api,
  (test, call) => {
    table(
      test,
      [
        ['one byte below', '/sized/99', null],
        ['exactly at the threshold', '/sized/100', 'gzip'],
        ['one byte above', '/sized/101', 'gzip'],
        ['multi-byte characters, two bytes below', '/umlauts/49', null],
        ['multi-byte characters, exactly at the threshold', '/umlauts/50', 'gzip'],
      ] as const,
      async (_, target, coding) => {
        const response = await createSend(call)(target, 'gzip')
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('vary'), 'Accept-Encoding')
      },
    )
  },
  { ...compressionEnabled, 'fw.http.compression-threshold': 100 },
)

contract(
  'compression with configured media types and codings',
  api,
  (test, call) => {
    table(
      test,
      [
        ['a configured type: the first configured coding', '/foo', 'gzip, br, deflate', 'br'],
        ['a configured type: an accepted coding', '/foo', 'gzip, deflate', 'deflate'],
        ['a configured type: no accepted coding', '/foo', 'gzip', null],
        ['another type', '/plain', 'br', null],
      ] as const,
      async (_, target, accepted, coding) => {
        const response = await createSend(call)(target, accepted)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(await decodedBody(response), word)
      },
    )
  },
  {
    ...compressionEnabled,
    'fw.http.compress-media-types': 'Foo/Bar',
    'fw.http.compressors': 'br, deflate',
  },
)

for (const [level, other] of [
  [1, 9],
  ['9', 1],
] as const)
  contract(
    `compression level ${level}`,
    api,
    (test, call) => {
      test('gzip uses the configured level', async () => {
        const response = await createSend(call)('/plain', 'gzip')
        const received = Buffer.from(await response.arrayBuffer())
        assert.equal(received, zlib.gzipSync(word, { level: Number(level) }))
        assert.not.equal(received, zlib.gzipSync(word, { level: other }))
      })
    },
    { ...compressionEnabled, 'fw.http.compression-level': level },
  )
