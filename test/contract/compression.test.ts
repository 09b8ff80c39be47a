/** Compression of responses. */
import * as assert from 'uvu/assert'
import * as zlib from 'node:zlib'
import { api, asking, contentOf, hasZstd, on, word } from '../support/compressing-api.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const fields = ({ headers }: Response) =>
  [...headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))

contract(
  'compression',
  api,
  (test, call) => {
    const ask = asking(call)
    const tagOf = async (target: string, accepted: string) =>
      (await ask(target, accepted)).headers.get('etag')
    const again = async (tag: string) => {
      const { status, headers } = await ask('/conditional', 'gzip', { 'If-None-Match': tag })
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
        ['a type of the list', '/plain', 'gzip', 'gzip', 'Accept-Encoding'],
        ['with parameters, in any case', '/parameters', 'gzip', 'gzip', 'Accept-Encoding'],
        ['a type that is not in the list', '/foo', 'gzip', null, null],
        ['the type that is sent counts', '/other-type', 'gzip', null, null],
        ['one of several types', '/page', 'gzip', 'gzip', 'Accept, Accept-Encoding'],
        ['any type where it is said', '/marked/foo', 'gzip', 'gzip', 'Accept-Encoding'],
        ['octets', '/marked/octets', 'gzip', 'gzip', 'Accept-Encoding'],
        ['not what is said not to be', '/unmarked/not', 'gzip', null, null],
        ['the operation wins over its tree', '/marked/not', 'gzip', null, null],
        ['the resource wins over its tree', '/unmarked/foo', 'gzip', 'gzip', 'Accept-Encoding'],
        ['the operation wins over its resource', '/unmarked/last', 'gzip', null, null],
        ['not without a type', '/marked/untyped', 'gzip', null, null],
        ['no field: as it is', '/plain', undefined, null, 'Accept-Encoding'],
        ['an empty field: as it is', '/plain', '', null, 'Accept-Encoding'],
        ['other codings: as it is', '/plain', 'compress', null, 'Accept-Encoding'],
        ['identity: as it is', '/plain', 'identity', null, 'Accept-Encoding'],
        ['refused: as it is', '/plain', 'gzip;q=0', null, 'Accept-Encoding'],
        ['nothing is acceptable: as it is', '/plain', 'identity;q=0', null, 'Accept-Encoding'],
        ['deflate', '/plain', 'deflate', 'deflate', 'Accept-Encoding'],
        ['br', '/plain', 'br', 'br', 'Accept-Encoding'],
        ['zstd, where Node has it', '/plain', 'zstd', hasZstd ? 'zstd' : null, 'Accept-Encoding'],
        ['the first of the setting', '/plain', 'br, gzip, deflate', 'gzip', 'Accept-Encoding'],
        ['unless another weighs more', '/plain', 'gzip;q=0.5, br;q=0.6', 'br', 'Accept-Encoding'],
        ['any', '/plain', '*', 'gzip', 'Accept-Encoding'],
        ['G14 no-transform', '/untransformed', 'gzip', null, null],
        ['other directives', '/transformed', 'gzip', 'gzip', 'Accept-Encoding'],
        ['G14 coded already', '/identity', 'gzip', 'identity', null],
        ['a digest of the octets', '/digest', 'gzip', null, null],
        ['G14 a part', '/part', 'gzip', null, null],
        ['Vary says so already', '/varied', 'gzip', 'gzip', 'Origin, accept-encoding'],
        ['Vary says everything already', '/varied-by-all', 'gzip', 'gzip', '*'],
        ['Vary says something else', '/varied-by-other', 'gzip', 'gzip', 'Origin, Accept-Encoding'],
        ['no content', '/empty', 'gzip', null, null],
        ['an empty content', '/nothing', 'gzip', null, 'Accept-Encoding'],
        ['a problem, whose type is not in the list', '/failing', 'gzip', null, null],
        ['nothing there', '/missing', 'gzip', null, null],
      ],
      async (_, target, accepted, coding, varies) => {
        const response = await ask(target, accepted)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('vary'), varies)
        const length = response.headers.get('content-length')
        const octets = await response.clone().arrayBuffer()
        if (response.status !== 204) assert.is(length, String(octets.byteLength))
        if (response.status === 200 && !/octets|untyped|nothing/.test(target))
          assert.is(await contentOf(response), word)
      },
    )
    test('octets are what they were', async () => {
      const response = await ask('/marked/octets', 'br')
      assert.is(await contentOf(response), '\0'.repeat(100))
    })
    test('a problem in a listed type is compressed, unless its tree is not', async () => {
      const wanted = { Accept: 'text/html, text/plain;q=0.5' }
      for (const target of ['/failing', '/missing']) {
        const response = await ask(target, 'gzip', wanted)
        assert.equal([response.status, response.headers.get('content-encoding')], [404, 'gzip'])
        assert.match(await contentOf(response), /<html/)
      }
      const other = await ask('/unmarked/failing', 'gzip', wanted)
      assert.equal([other.status, other.headers.get('content-encoding')], [404, null])
    })
    test('HEAD says what GET says', async () => {
      for (const target of ['/plain', '/tagged', '/foo', '/sized/100000'])
        for (const accepted of ['gzip', 'identity']) {
          const got = await ask(target, accepted)
          const head = await ask(target, accepted, {}, 'HEAD')
          assert.equal(fields(head), fields(got))
          assert.is(await head.text(), '')
        }
    })
    test('G14 a tag becomes weak, and matches still', async () => {
      assert.is(await tagOf('/tagged', 'gzip'), 'W/"v1"')
      assert.is(await tagOf('/tagged', 'identity'), '"v1"')
      assert.is(await tagOf('/weak', 'gzip'), 'W/"v1"')
      assert.is(await tagOf('/conditional', 'gzip'), 'W/"v1"')
      assert.equal(await again('W/"v1"'), [304, 'W/"v1"', 'Accept-Encoding', null])
      assert.equal(await again('"v0", W/"v1"'), [304, 'W/"v1"', 'Accept-Encoding', null])
      assert.equal(await again('"v1"'), [304, '"v1"', 'Accept-Encoding', null])
    })
    test('no ranges are on offer of what is compressed', async () => {
      assert.is((await ask('/ranges', 'gzip')).headers.get('accept-ranges'), null)
      assert.is((await ask('/ranges', 'identity')).headers.get('accept-ranges'), 'bytes')
    })
    test('what cannot be sent is a defect, also when that shows later', async () => {
      for (const coding of ['gzip', 'identity'])
        assert.is((await ask('/unsendable', coding)).status, 500)
    })
    test('what filters add is there', async () => {
      const { headers } = await ask('/filtered', 'gzip')
      assert.equal([headers.get('x-seen'), headers.get('x-added')], ['yes', 'yes'])
      assert.is(headers.get('content-encoding'), 'gzip')
    })
    table(
      test,
      [0, 1, 8191, 8192, 8193, 100_000, 3_000_000].map((octets): [string, number] => [
        `of ${octets} octets`,
        octets,
      ]),
      async (_, octets) => {
        for (const coding of ['gzip', 'deflate', 'br', 'zstd']) {
          const response = await ask(`/sized/${octets}`, coding)
          assert.is(await contentOf(response), 'x'.repeat(octets))
        }
      },
    )
  },
  on,
)

contract('compression is off', api, (test, call) => {
  for (const target of ['/plain', '/marked/foo'])
    test(`by default: ${target}`, async () => {
      const response = await asking(call)(target, 'gzip')
      assert.is(response.headers.get('content-encoding'), null)
      assert.is(response.headers.get('vary'), null)
      assert.is(await response.text(), word)
    })
})

contract(
  'a threshold',
  api,
  (test, call) => {
    table(
      test,
      [
        ['n - 1', '/sized/99', null],
        ['n', '/sized/100', 'gzip'],
        ['n + 1', '/sized/101', 'gzip'],
        ['in octets, not characters: n - 2', '/umlauts/49', null],
        ['in octets, not characters: n', '/umlauts/50', 'gzip'],
      ] as const,
      async (_, target, coding) => {
        const response = await asking(call)(target, 'gzip')
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('vary'), 'Accept-Encoding')
      },
    )
  },
  { ...on, 'fw.http.compression-threshold': 100 },
)

contract(
  'types and codings of the settings',
  api,
  (test, call) => {
    table(
      test,
      [
        ['/foo', 'gzip, br, deflate', 'br'],
        ['/foo', 'gzip, deflate', 'deflate'],
        ['/foo', 'gzip', null],
        ['/plain', 'br', null],
      ] as const,
      async (target, accepted, coding) => {
        const response = await asking(call)(target, accepted)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(await contentOf(response), word)
      },
    )
  },
  { ...on, 'fw.http.compress-media-types': 'Foo/Bar', 'fw.http.compressors': 'br, deflate' },
)

for (const [level, other] of [
  [1, 9],
  ['9', 1],
] as const)
  contract(
    `level ${level}`,
    api,
    (test, call) => {
      test('is that of gzip', async () => {
        const response = await asking(call)('/plain', 'gzip')
        const octets = Buffer.from(await response.arrayBuffer())
        assert.equal(octets, zlib.gzipSync(word, { level: Number(level) }))
        assert.not.equal(octets, zlib.gzipSync(word, { level: other }))
      })
    },
    { ...on, 'fw.http.compression-level': level },
  )
