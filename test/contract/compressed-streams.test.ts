/** Compression of what is sent in pieces: each leaves when it is there, and nothing is left behind. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import * as zlib from 'node:zlib'
import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../../src/index.ts'
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
} from '../../src/index.ts'
import { codings, decoded } from '../support/decoding.ts'
import { base, contract } from '../support/contract.ts'

/** What a stream waits for between its pieces. */
const gates = new Map<string, () => void>()
const closed: string[] = []

const passed = (name: string): Promise<void> => new Promise((resolve) => gates.set(name, resolve))

const open = (name: string): void => {
  gates.get(name)?.()
  gates.delete(name)
}

async function* gated() {
  yield Buffer.from('one ')
  await passed('two')
  yield Buffer.from('two ')
  await passed('three')
  yield Buffer.from('three')
}

async function* broken() {
  yield Buffer.from('one')
  await wait(10)
  throw new Error('secret')
}

async function* refused(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Conflict('too early'))
}

async function* endless({ request }: Context) {
  try {
    for (;;) {
      yield Buffer.from('piece')
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
  refused: pipe(
    resource,
    get('/refused'),
    handle(() => refused()),
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
  none: pipe(
    resource,
    get('/none'),
    handle(async function* () {}),
  ),
})

contract(
  'compressed streams',
  api,
  (test, call) => {
    const ask = (target: string, coding = 'gzip', method = 'GET') =>
      call(new Request(`${base}${target}`, { method, headers: { 'Accept-Encoding': coding } }))
    for (const coding of codings)
      test(`are flushed for each piece: ${coding}`, async () => {
        const response = await ask('/gated', coding)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('content-length'), null)
        assert.is(response.headers.get('vary'), 'Accept-Encoding')
        const { until, rest } = decoded(response)
        await until('one ')
        open('two')
        await until('one two ')
        open('three')
        await until('one two three')
        assert.is(await rest(), 'one two three')
      })
    test('have a Cache-Control like others', async () => {
      const { headers } = await ask('/none')
      assert.is(headers.get('cache-control'), 'max-age=60')
    })
    test('may be of any size', async () => {
      const response = await ask('/large')
      const octets = zlib.gunzipSync(await response.arrayBuffer())
      assert.is(Buffer.compare(octets, Buffer.concat(large())), 0)
    })
    test('may be empty', async () => {
      const response = await ask('/none')
      assert.is(zlib.gunzipSync(await response.arrayBuffer()).length, 0)
    })
    test('that fail before the first octet are an answer like any other', async () => {
      const response = await ask('/refused')
      assert.equal([response.status, response.headers.get('content-encoding')], [409, null])
    })
    test('that fail later are cut', async () => {
      const response = await ask('/broken')
      assert.is(response.status, 200)
      const error = await response.arrayBuffer().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof Error)
    })
    test('end when the client goes away', async () => {
      closed.length = 0
      const response = await ask('/endless')
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      for (let tries = 0; tries < 100 && closed.length === 0; tries++) await wait(10)
      assert.equal(closed, ['/endless'])
    })
    test('are not begun by HEAD, which says what GET says', async () => {
      const { status, headers } = await ask('/refused', 'gzip', 'HEAD')
      assert.is(status, 200)
      assert.is(headers.get('content-encoding'), 'gzip')
      assert.is(headers.get('content-length'), null)
    })
    test('are as they are for who cannot read them otherwise', async () => {
      const response = await ask('/large', 'identity')
      assert.is(
        Buffer.compare(Buffer.from(await response.arrayBuffer()), Buffer.concat(large())),
        0,
      )
    })
  },
  { 'fw.http.enable-compression': true, 'fw.http.compression-threshold': '1M' },
)

const failures: string[] = []
const told = (level: string) => (members: object, message: string) => {
  if ('err' in members) failures.push(`${level}: ${message.replace(/ [0-9a-f-]{36}$/, '')}`)
}
const logger = {
  trace: told('trace'),
  debug: told('debug'),
  info: told('info'),
  warn: told('warn'),
  error: told('error'),
}

contract(
  'compressed streams that are cut',
  api,
  (test, call) => {
    test('are told to the log once', async () => {
      failures.length = 0
      const headers = { 'Accept-Encoding': 'br' }
      const response = await call(new Request(`${base}/broken`, { headers }))
      await response.arrayBuffer().catch(() => undefined)
      assert.equal(failures, ['error: response of /broken was interrupted, error id:'])
    })
  },
  { 'fw.http.enable-compression': true, logger },
)
