/** When a response says its length, and when it is chunked. */
import { gunzipSync } from 'node:zlib'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  byteStream,
  bytes,
  get,
  handle,
  head,
  int,
  json,
  jsonStream,
  mapError,
  mediaType,
  multi,
  noContent,
  ok,
  optional,
  path,
  produces,
  query,
  reply,
  representation,
  responds,
  responseHeader,
  routes,
  string,
  text,
  textStream,
  withHeader,
  withMapper,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { recorder } from '../support/recorder.ts'

const Rows = t.array(t.type({ n: t.number }))
const log = recorder()

/** As many octets as it says, in pieces. */
async function* pieces(octets: number) {
  for (let at = 0; at < octets; at += 1000) {
    await Promise.resolve()
    yield new Uint8Array(Math.min(1000, octets - at))
  }
}

/** Refuses a word in the middle of what it has written. */
const words = representation({
  mediaType: 'text/x-words',
  write: (all: ReadonlyArray<string>) =>
    all
      .map((word) => {
        if (word === 'bad') throw new RangeError('a bad word')
        return word
      })
      .join(),
})

const odd: unknown = { n: 1n }

const tree = pipe(
  routes({
    text: pipe(
      path('/text/{octets}', { octets: int }),
      get(),
      produces(text),
      handle(({ path: { octets } }) => 'x'.repeat(octets)),
    ),
    bytes: pipe(
      path('/bytes/{octets}', { octets: int }),
      get(),
      produces(bytes),
      handle(({ path: { octets } }) => new Uint8Array(octets)),
    ),
    json: pipe(
      path('/json/{rows}', { rows: int }),
      get(),
      produces(json(Rows)),
      handle(({ path: { rows } }) => Array.from({ length: rows }, (_, n) => ({ n }))),
    ),
    stream: pipe(
      path('/stream/{octets}', { octets: int }),
      get(),
      query({ said: string }),
      produces(byteStream),
      handle(({ path: { octets }, query: { said } }) =>
        pipe(ok(pieces(octets)), withHeader('Content-Length', said)),
      ),
    ),
    unsaid: pipe(
      path('/unsaid/{octets}', { octets: int }),
      get(),
      produces(byteStream),
      handle(({ path: { octets } }) => pieces(octets)),
    ),
    multi: pipe(
      path('/multi'),
      get(),
      produces(textStream),
      handle(() => multi(['é', 'b'], { headers: { 'content-length': '3' } })),
    ),
    elements: pipe(
      path('/elements'),
      get(),
      produces(jsonStream(int)),
      handle(() => pipe(ok([1, 2]), withHeader('Content-Length', '5'))),
    ),
    words: pipe(
      path('/words'),
      get(),
      produces(words),
      handle(() => ['a', 'bad']),
    ),
    rows: pipe(
      path('/odd-rows'),
      get(),
      produces(json(Rows)),
      handle(() => [{ n: 1 }, odd as { n: number }]),
    ),
    none: pipe(
      path('/none/{how}'),
      get(),
      produces(json(optional(string))),
      responds(204),
      responds(205),
      responseHeader('Content-Encoding', 'gzip'),
      handle(({ path: { how } }) =>
        how === 'nothing'
          ? undefined
          : pipe(
              how === '205' ? reply(205) : noContent,
              mediaType('text/plain'),
              withHeader('content-encoding', 'gzip'),
              withHeader('X-Kept', 'yes'),
            ),
      ),
    ),
    own: pipe(
      path('/own'),
      head(),
      responds(200),
      handle(() =>
        pipe(reply(200), mediaType('text/x-own'), withHeader('Content-Encoding', 'gzip')),
      ),
    ),
  }),
  withMapper(mapError(RangeError, ({ message }) => reply(418, message))),
)

const lengthOf = ({ headers }: Response): string | null => headers.get('content-length')

const isCut = (response: Response): Promise<boolean> =>
  response.arrayBuffer().then(
    () => false,
    () => true,
  )

contract(
  'lengths of contents',
  tree,
  (test, call) => {
    const answer = (target: string, method = 'GET') => ask(call, `${method} ${target}`)

    table(
      test,
      [0, 1, 8190, 8191, 8192, 100_000, 3_000_000].map((octets): [string, number] => [
        `${octets} octets that are there are announced`,
        octets,
      ]),
      async (_, octets) => {
        for (const to of ['text', 'bytes']) {
          const response = await answer(`/${to}/${octets}`)
          assert.is(lengthOf(response), String(octets))
          assert.is(response.headers.get('transfer-encoding'), null)
          assert.is((await response.arrayBuffer()).byteLength, octets)
        }
      },
    )
    test('those that are still to come are not', async () => {
      for (const octets of [0, 1, 8191, 8192, 100_000]) {
        const response = await answer(`/unsaid/${octets}`)
        assert.is(lengthOf(response), null)
        assert.is((await response.arrayBuffer()).byteLength, octets)
      }
    })
    test('JSON has its length, however long it is', async () => {
      for (const rows of [0, 1, 1000, 100_000]) {
        const response = await answer(`/json/${rows}`)
        assert.is(response.headers.get('transfer-encoding'), null)
        const octets = await response.arrayBuffer()
        assert.is(lengthOf(response), String(octets.byteLength))
        assert.is((JSON.parse(Buffer.from(octets).toString()) as unknown[]).length, rows)
      }
      assert.ok(Number(lengthOf(await answer('/missing'))) > 0)
    })

    test('a Content-Length of a stream is kept, and nothing is chunked', async () => {
      for (const octets of [0, 1, 1000, 100_000]) {
        const response = await answer(`/stream/${octets}?said=${octets}`)
        assert.is(lengthOf(response), String(octets))
        assert.is(response.headers.get('transfer-encoding'), null)
        assert.is((await response.arrayBuffer()).byteLength, octets)
      }
      const many = await answer('/multi')
      assert.equal([lengthOf(many), await many.text()], ['3', 'éb'])
      const elements = await answer('/elements')
      assert.equal([lengthOf(elements), await elements.text()], ['5', '[1,2]'])
    })
    test('HEAD says it too', async () => {
      const response = await answer('/stream/5000?said=5000', 'HEAD')
      assert.equal([lengthOf(response), await response.text()], ['5000', ''])
    })
    test('what is no length is not sent', async () => {
      for (const said of ['', '-1', '1.5', '0x10', '5,5', '9'.repeat(16)]) {
        const response = await answer(`/stream/5?said=${said}`)
        assert.is(lengthOf(response), null)
        assert.is((await response.arrayBuffer()).byteLength, 5)
      }
    })
    for (const said of [4999, 5001])
      test(`a stream of 5000 octets that announced ${said} is cut, and told`, async () => {
        log.lines.length = 0
        // a piece that is too long is not sent, so the head may not have left before it
        assert.ok(await answer(`/stream/5000?said=${said}`).then(isCut, () => true))
        assert.is(log.told('error').length, 1)
      })

    test('nothing is sent of what cannot be written to its end', async () => {
      const mapped = await answer('/words')
      assert.equal([mapped.status, await mapped.text()], [418, 'a bad word'])
      const defect = await answer('/odd-rows')
      assert.is(defect.status, 500)
      assert.is(defect.headers.get('content-type'), 'application/problem+json')
    })

    for (const [how, status] of [
      ['nothing', 204],
      ['204', 204],
      ['205', 205],
    ] as const)
      test(`no content, and nothing that describes one: ${how}`, async () => {
        const response = await answer(`/none/${how}`)
        assert.is(response.status, status)
        for (const field of ['content-type', 'content-encoding'])
          assert.is(response.headers.get(field), null)
        assert.is(response.headers.get('x-kept'), how === 'nothing' ? null : 'yes')
        assert.is(await response.text(), '')
      })
    test('a HEAD of its own describes what GET would send', async () => {
      const { headers } = await answer('/own', 'HEAD')
      assert.equal(
        [headers.get('content-type'), headers.get('content-encoding')],
        ['text/x-own', 'gzip'],
      )
    })
  },
  { logger: log.logger },
)

contract(
  'lengths of what is compressed',
  tree,
  (test, call) => {
    test('the length of a stream is not that of its compressed content', async () => {
      const headers = { 'Accept-Encoding': 'gzip' }
      const response = await ask(call, 'GET /multi', { headers })
      assert.is(response.headers.get('content-encoding'), 'gzip')
      assert.is(lengthOf(response), null)
      const octets = Buffer.from(await response.arrayBuffer())
      assert.is(gunzipSync(octets).toString(), 'éb')
    })
  },
  { 'fw.http.enable-compression': true },
)
