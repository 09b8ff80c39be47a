/** Byte streams as request and response bodies. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Context } from '../../../src/index.ts'
import {
  Conflict,
  body,
  byteStream,
  get,
  handle,
  path,
  post,
  produces,
  routes,
  text,
} from '../../../src/index.ts'
import { base, contract } from '../../support/contract.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

async function* incremented(chunks: AsyncIterable<Uint8Array>) {
  for await (const chunk of chunks) yield chunk.map((byte) => byte + 1)
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Conflict('too early'))
}

async function* broken() {
  yield new Uint8Array([1, 2, 3])
  await turns()
  throw new Error('secret')
}

async function* brokenSynchronously() {
  yield new Uint8Array([1, 2, 3])
  throw new Conflict('too early')
}

const closed: string[] = []

async function* endless({ request }: Context) {
  try {
    while (!request.signal.aborted) {
      yield new Uint8Array(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    closed.push(request.path)
  }
}

const operations = routes({
  echo: pipe(
    path('/echo'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle((input) => incremented(input.body)),
  ),
  size: pipe(
    path('/size'),
    post(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      let size = 0
      for await (const chunk of input.body) size += chunk.length
      return String(size)
    }),
  ),
  unread: pipe(
    path('/unread'),
    post(),
    body(byteStream),
    produces(text),
    handle(() => 'not read'),
  ),
  failing: pipe(
    path('/failing'),
    get(),
    produces(byteStream),
    handle(() => failing()),
  ),
  brokenSynchronously: pipe(
    path('/broken-synchronously'),
    get(),
    produces(byteStream),
    handle(() => brokenSynchronously()),
  ),
  broken: pipe(path('/broken'), get(), produces(byteStream), handle(broken)),
  endless: pipe(
    path('/endless'),
    get(),
    produces(byteStream),
    handle((_, context) => endless(context)),
  ),
})

contract(
  'byte streams',
  operations,
  (test, call) => {
    const send = (target: string, content: string) =>
      call(new Request(`${base}${target}`, { method: 'POST', body: Buffer.from(content) }))
    test('a stream is read and sent in chunks', async () => {
      const response = await send('/echo', 'HAL')
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-length'), null)
      assert.is(response.headers.get('content-type'), 'application/octet-stream')
      assert.is(await response.text(), 'IBM')
    })
    test('a stream of any size within the limit is read', async () => {
      assert.is(await (await send('/size', 'x'.repeat(100_000))).text(), '100000')
      assert.is(await (await send('/size', '')).text(), '0')
    })
    test('an unread stream does not affect the next request', async () => {
      assert.is(await (await send('/unread', 'x'.repeat(100_000))).text(), 'not read')
      assert.is(await (await send('/size', 'x')).text(), '1')
    })
    test('a stream above the limit returns 413', async () => {
      assert.is((await send('/size', 'x'.repeat(100_001))).status, 413)
    })
    test('a stream that fails before its first byte is sent returns an error response', async () => {
      assert.is((await call(new Request(`${base}/failing`))).status, 409)
      assert.is((await call(new Request(`${base}/broken-synchronously`))).status, 409)
    })
    test('a stream that fails after its first byte is cut', async () => {
      const response = await call(new Request(`${base}/broken`))
      assert.is(response.status, 200)
      const error = await response.arrayBuffer().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof Error)
    })
    test('a client disconnect closes the stream', async () => {
      closed.length = 0
      const response = await call(new Request(`${base}/endless`))
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      await waitUntil(() => closed.length > 0)
      assert.equal(closed, ['/endless'])
    })
    test('HEAD does not read the stream', async () => {
      const response = await call(new Request(`${base}/failing`, { method: 'HEAD' }))
      assert.is(response.status, 200)
      assert.is(await response.text(), '')
    })
  },
  { 'fw.http.limits.max-body-size': 100_000 },
)
