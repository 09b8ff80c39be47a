/** `Content-Length` of responses: buffered bodies, streams with and without a declared length, and responses without a body. */
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { createRecorder } from '../../support/recorder.ts'

const Rows = t.array(t.type({ n: t.number }))
const log = createRecorder()

/** Yields `size` bytes in chunks of up to 1000 bytes. */
async function* chunks(size: number) {
  for (let offset = 0; offset < size; offset += 1000) {
    await Promise.resolve()
    yield new Uint8Array(Math.min(1000, size - offset))
  }
}

/** Fails to encode the word `bad`, after other words have been encoded. */
const words = representation({
  mediaType: 'text/x-words',
  write: (list: ReadonlyArray<string>) =>
    list
      .map((word) => {
        if (word === 'bad') throw new RangeError('a bad word')
        return word
      })
      .join(),
})

const invalidRow: unknown = { n: 1n }

const tree = pipe(
  routes({
    text: pipe(
      path('/text/{size}', { size: int }),
      get(),
      produces(text),
      handle(({ path: { size } }) => 'x'.repeat(size)),
    ),
    bytes: pipe(
      path('/bytes/{size}', { size: int }),
      get(),
      produces(bytes),
      handle(({ path: { size } }) => new Uint8Array(size)),
    ),
    json: pipe(
      path('/json/{rows}', { rows: int }),
      get(),
      produces(json(Rows)),
      handle(({ path: { rows } }) => Array.from({ length: rows }, (_, n) => ({ n }))),
    ),
    stream: pipe(
      path('/stream/{size}', { size: int }),
      get(),
      query({ length: string }),
      produces(byteStream),
      handle(({ path: { size }, query: { length } }) =>
        pipe(ok(chunks(size)), withHeader('Content-Length', length)),
      ),
    ),
    chunked: pipe(
      path('/chunked/{size}', { size: int }),
      get(),
      produces(byteStream),
      handle(({ path: { size } }) => chunks(size)),
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
      path('/invalid-rows'),
      get(),
      produces(json(Rows)),
      handle(() => [{ n: 1 }, invalidRow as { n: number }]),
    ),
    empty: pipe(
      path('/empty/{variant}'),
      get(),
      produces(json(optional(string))),
      responds(204),
      responds(205),
      responseHeader('Content-Encoding', 'gzip'),
      handle(({ path: { variant } }) =>
        variant === 'undefined'
          ? undefined
          : pipe(
              variant === '205' ? reply(205) : noContent,
              mediaType('text/plain'),
              withHeader('content-encoding', 'gzip'),
              withHeader('X-Kept', 'yes'),
            ),
      ),
    ),
    declaredHead: pipe(
      path('/declared-head'),
      head(),
      responds(200),
      handle(() =>
        pipe(reply(200), mediaType('text/x-custom'), withHeader('Content-Encoding', 'gzip')),
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
  'Content-Length of responses',
  tree,
  (test, call) => {
    const send = (target: string, method = 'GET') => sendRequest(call, `${method} ${target}`)

    table(
      test,
      [0, 1, 8190, 8191, 8192, 100_000, 3_000_000].map((size): [string, number] => [
        `a buffered body of ${size} bytes has a Content-Length`,
        size,
      ]),
      async (_, size) => {
        for (const kind of ['text', 'bytes']) {
          const response = await send(`/${kind}/${size}`)
          assert.is(lengthOf(response), String(size))
          assert.is(response.headers.get('transfer-encoding'), null)
          assert.is((await response.arrayBuffer()).byteLength, size)
        }
      },
    )
    test('a stream has no Content-Length', async () => {
      for (const size of [0, 1, 8191, 8192, 100_000]) {
        const response = await send(`/chunked/${size}`)
        assert.is(lengthOf(response), null)
        assert.is((await response.arrayBuffer()).byteLength, size)
      }
    })
    test('a JSON body of any size has a Content-Length', async () => {
      for (const rows of [0, 1, 1000, 100_000]) {
        const response = await send(`/json/${rows}`)
        assert.is(response.headers.get('transfer-encoding'), null)
        const received = await response.arrayBuffer()
        assert.is(lengthOf(response), String(received.byteLength))
        assert.is((JSON.parse(Buffer.from(received).toString()) as unknown[]).length, rows)
      }
      assert.ok(Number(lengthOf(await send('/missing'))) > 0)
    })

    test('a stream with a Content-Length is not chunked', async () => {
      for (const size of [0, 1, 1000, 100_000]) {
        const response = await send(`/stream/${size}?length=${size}`)
        assert.is(lengthOf(response), String(size))
        assert.is(response.headers.get('transfer-encoding'), null)
        assert.is((await response.arrayBuffer()).byteLength, size)
      }
      const texts = await send('/multi')
      assert.equal([lengthOf(texts), await texts.text()], ['3', 'éb'])
      const elements = await send('/elements')
      assert.equal([lengthOf(elements), await elements.text()], ['5', '[1,2]'])
    })
    test('HEAD sends the Content-Length of a stream', async () => {
      const response = await send('/stream/5000?length=5000', 'HEAD')
      assert.equal([lengthOf(response), await response.text()], ['5000', ''])
    })
    test('an invalid Content-Length is not sent', async () => {
      for (const length of ['', '-1', '1.5', '0x10', '5,5', '9'.repeat(16)]) {
        const response = await send(`/stream/5?length=${length}`)
        assert.is(lengthOf(response), null)
        assert.is((await response.arrayBuffer()).byteLength, 5)
      }
    })
    for (const length of [4999, 5001])
      test(`a stream of 5000 bytes with Content-Length ${length} is cut and logged as an error`, async () => {
        log.lines.length = 0
        // A chunk that exceeds the length is not sent, so the response may fail before its head is sent.
        assert.ok(await send(`/stream/5000?length=${length}`).then(isCut, () => true))
        assert.is(log.linesAt('error').length, 1)
      })

    test('no part of a body is sent if encoding fails', async () => {
      const mapped = await send('/words')
      assert.equal([mapped.status, await mapped.text()], [418, 'a bad word'])
      const internal = await send('/invalid-rows')
      assert.is(internal.status, 500)
      assert.is(internal.headers.get('content-type'), 'application/problem+json')
    })

    for (const [variant, status] of [
      ['undefined', 204],
      ['204', 204],
      ['205', 205],
    ] as const)
      test(`a response without a body has no representation headers: ${variant}`, async () => {
        const response = await send(`/empty/${variant}`)
        assert.is(response.status, status)
        for (const name of ['content-type', 'content-encoding'])
          assert.is(response.headers.get(name), null)
        assert.is(response.headers.get('x-kept'), variant === 'undefined' ? null : 'yes')
        assert.is(await response.text(), '')
      })
    test('a declared HEAD operation sends Content-Type and Content-Encoding', async () => {
      const { headers } = await send('/declared-head', 'HEAD')
      assert.equal(
        [headers.get('content-type'), headers.get('content-encoding')],
        ['text/x-custom', 'gzip'],
      )
    })
  },
  { logger: log.logger },
)

contract(
  'Content-Length of compressed responses',
  tree,
  (test, call) => {
    test('a compressed stream drops the declared Content-Length', async () => {
      const headers = { 'Accept-Encoding': 'gzip' }
      const response = await sendRequest(call, 'GET /multi', { headers })
      assert.is(response.headers.get('content-encoding'), 'gzip')
      assert.is(lengthOf(response), null)
      const compressed = Buffer.from(await response.arrayBuffer())
      assert.is(gunzipSync(compressed).toString(), 'éb')
    })
  },
  { 'fw.http.enable-compression': true },
)
