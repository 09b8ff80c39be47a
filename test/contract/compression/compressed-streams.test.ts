/** Compressed byte streams: each chunk is flushed immediately, and errors and disconnects close the stream. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import * as zlib from 'node:zlib'
import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../../../src/index.ts'
import {
  Conflict,
  byteStream,
  cache,
  compressed,
  get,
  handle,
  path,
  produces,
  routes,
} from '../../../src/index.ts'
import { contentCodings, decompress } from '../../support/decompress.ts'
import { base, contract } from '../../support/contract.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

/** Gates that a stream waits for between its chunks, by name. */
const gates = new Map<string, () => void>()
const closed: string[] = []

const gatePassed = (name: string): Promise<void> =>
  new Promise((resolve) => gates.set(name, resolve))

const openGate = (name: string): void => {
  gates.get(name)?.()
  gates.delete(name)
}

async function* gated() {
  yield Buffer.from('one ')
  await gatePassed('two')
  yield Buffer.from('two ')
  await gatePassed('three')
  yield Buffer.from('three')
}

async function* broken() {
  yield Buffer.from('one')
  await turns()
  throw new Error('secret')
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Conflict('too early'))
}

async function* endless({ request }: Context) {
  try {
    for (;;) {
      yield Buffer.from('chunk')
      await wait(1)
    }
  } finally {
    closed.push(request.path)
  }
}

const large = (): ReadonlyArray<Uint8Array> =>
  Array.from({ length: 100 }, (_, index) => Buffer.alloc(50_000, index))

const resource = pipe(path('/'), compressed, produces(byteStream), cache({ maxAge: 60 }))

const api = routes({
  gated: pipe(
    resource,
    get('/gated'),
    handle(() => gated()),
  ),
  broken: pipe(
    resource,
    get('/broken'),
    handle(() => broken()),
  ),
  failing: pipe(
    resource,
    get('/failing'),
    handle(() => failing()),
  ),
  endless: pipe(
    resource,
    get('/endless'),
    handle((_, context) => endless(context)),
  ),
  large: pipe(
    resource,
    get('/large'),
    handle(async function* () {
      yield* large()
    }),
  ),
  empty: pipe(
    resource,
    get('/empty'),
    handle(async function* () {}),
  ),
})

contract(
  'compressed streams',
  api,
  (test, call) => {
    const send = (target: string, coding = 'gzip', method = 'GET') =>
      call(new Request(`${base}${target}`, { method, headers: { 'Accept-Encoding': coding } }))
    for (const coding of contentCodings)
      test(`each chunk is flushed immediately: ${coding}`, async () => {
        const response = await send('/gated', coding)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('content-length'), null)
        assert.is(response.headers.get('vary'), 'Accept-Encoding')
        const { until, rest } = decompress(response)
        await until('one ')
        openGate('two')
        await until('one two ')
        openGate('three')
        await until('one two three')
        assert.is(await rest(), 'one two three')
      })
    test('a stream is sent with the declared Cache-Control', async () => {
      const { headers } = await send('/empty')
      assert.is(headers.get('cache-control'), 'max-age=60')
    })
    test('a stream of any size is compressed', async () => {
      const response = await send('/large')
      const received = zlib.gunzipSync(await response.arrayBuffer())
      assert.is(Buffer.compare(received, Buffer.concat(large())), 0)
    })
    test('an empty stream is compressed', async () => {
      const response = await send('/empty')
      assert.is(zlib.gunzipSync(await response.arrayBuffer()).length, 0)
    })
    test('a stream that fails before its first byte returns an uncompressed error response', async () => {
      const response = await send('/failing')
      assert.equal([response.status, response.headers.get('content-encoding')], [409, null])
    })
    test('a stream that fails after its first byte is cut', async () => {
      const response = await send('/broken')
      assert.is(response.status, 200)
      const error = await response.arrayBuffer().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof Error)
    })
    test('a client disconnect closes the stream', async () => {
      closed.length = 0
      const response = await send('/endless')
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      await waitUntil(() => closed.length > 0)
      assert.equal(closed, ['/endless'])
    })
    test('HEAD sends the headers of GET and does not read the stream', async () => {
      const { status, headers } = await send('/failing', 'gzip', 'HEAD')
      assert.is(status, 200)
      assert.is(headers.get('content-encoding'), 'gzip')
      assert.is(headers.get('content-length'), null)
    })
    test('a stream is sent uncompressed for Accept-Encoding: identity', async () => {
      const response = await send('/large', 'identity')
      assert.is(
        Buffer.compare(Buffer.from(await response.arrayBuffer()), Buffer.concat(large())),
        0,
      )
    })
  },
  { 'fw.http.enable-compression': true, 'fw.http.compression-threshold': '1M' },
)

const loggedErrors: string[] = []
const record = (level: string) => (members: object, message: string) => {
  if ('err' in members) loggedErrors.push(`${level}: ${message.replace(/ [0-9a-f-]{36}$/, '')}`)
}
const logger = {
  trace: record('trace'),
  debug: record('debug'),
  info: record('info'),
  warn: record('warn'),
  error: record('error'),
}

contract(
  'interrupted compressed streams',
  api,
  (test, call) => {
    test('an interrupted stream is logged once', async () => {
      loggedErrors.length = 0
      const headers = { 'Accept-Encoding': 'br' }
      const response = await call(new Request(`${base}/broken`, { headers }))
      await response.arrayBuffer().catch(() => undefined)
      assert.equal(loggedErrors, ['error: Response to /broken was interrupted, error ID:'])
    })
  },
  { 'fw.http.enable-compression': true, logger },
)
