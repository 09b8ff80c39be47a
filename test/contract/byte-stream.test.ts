/** Octets in pieces, both ways. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Context } from '../../src/index.ts'
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
} from '../../src/index.ts'
import { base, contract } from '../support/contract.ts'

async function* counted(pieces: AsyncIterable<Uint8Array>) {
  for await (const piece of pieces) yield piece.map((octet) => octet + 1)
}

async function* refused(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Conflict('too early'))
}

async function* broken() {
  yield new Uint8Array([1, 2, 3])
  await new Promise((resolve) => setTimeout(resolve, 10))
  throw new Error('secret')
}

async function* brokenAtOnce() {
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
    handle((input) => counted(input.body)),
  ),
  size: pipe(
    path('/size'),
    post(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      let octets = 0
      for await (const piece of input.body) octets += piece.length
      return String(octets)
    }),
  ),
  unread: pipe(
    path('/unread'),
    post(),
    body(byteStream),
    produces(text),
    handle(() => 'not read'),
  ),
  refused: pipe(
    path('/refused'),
    get(),
    produces(byteStream),
    handle(() => refused()),
  ),
  brokenAtOnce: pipe(
    path('/broken-at-once'),
    get(),
    produces(byteStream),
    handle(() => brokenAtOnce()),
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
  'a stream of octets',
  operations,
  (test, call) => {
    const send = (to: string, content: string) =>
      call(new Request(`${base}${to}`, { method: 'POST', body: Buffer.from(content) }))
    test('is read and written piece by piece', async () => {
      const response = await send('/echo', 'HAL')
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-length'), null)
      assert.is(response.headers.get('content-type'), 'application/octet-stream')
      assert.is(await response.text(), 'IBM')
    })
    test('may be of any size within the limit', async () => {
      assert.is(await (await send('/size', 'x'.repeat(100_000))).text(), '100000')
      assert.is(await (await send('/size', '')).text(), '0')
    })
    test('need not be read', async () => {
      assert.is(await (await send('/unread', 'x'.repeat(100_000))).text(), 'not read')
      assert.is(await (await send('/size', 'x')).text(), '1')
    })
    test('is refused when it has more octets than the limit', async () => {
      assert.is((await send('/size', 'x'.repeat(100_001))).status, 413)
    })
    test('that fails before its first octet is an answer like any other', async () => {
      assert.is((await call(new Request(`${base}/refused`))).status, 409)
      assert.is((await call(new Request(`${base}/broken-at-once`))).status, 409)
    })
    test('that fails later is cut', async () => {
      const response = await call(new Request(`${base}/broken`))
      assert.is(response.status, 200)
      const error = await response.arrayBuffer().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof Error)
    })
    test('ends when the client goes away', async () => {
      closed.length = 0
      const response = await call(new Request(`${base}/endless`))
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      await new Promise((resolve) => setTimeout(resolve, 50))
      assert.equal(closed, ['/endless'])
    })
    test('is not asked for by HEAD', async () => {
      const response = await call(new Request(`${base}/refused`, { method: 'HEAD' }))
      assert.is(response.status, 200)
      assert.is(await response.text(), '')
    })
  },
  { 'fw.http.limits.max-body-size': 100_000 },
)
