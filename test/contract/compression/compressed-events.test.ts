/** Compressed event streams: each event and each heartbeat is flushed immediately. */
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import {
  compressed,
  event,
  get,
  handle,
  path,
  produces,
  routes,
  sse,
  string,
} from '../../../src/index.ts'
import { contentCodings, decompress } from '../../support/decompress.ts'
import { base, contract } from '../../support/contract.ts'
import { waitUntil } from '../../support/wait-until.ts'

const heartbeat = 60
const gates: Array<() => void> = []
const gatePassed = (): Promise<void> => new Promise((resolve) => gates.push(resolve))
const openGate = (): void => gates.shift()?.()
const closed: string[] = []

const operations = routes({
  plain: pipe(
    path('/plain'),
    get(),
    produces(sse(string)),
    handle(() => ['a']),
  ),
  events: pipe(
    path('/events'),
    get(),
    compressed,
    produces(sse(string)),
    handle(async function* (_, { request }) {
      try {
        yield event('n', 'one', { id: '1' })
        await gatePassed()
        yield 'two'
        await gatePassed()
        yield 'three'
      } finally {
        closed.push(request.path)
      }
    }),
  ),
  quiet: pipe(
    path('/quiet'),
    get(),
    compressed,
    produces(sse(string)),
    handle(async function* (_, { request }) {
      try {
        yield 'one'
        for (; !request.signal.aborted;) await wait(10)
      } finally {
        closed.push(request.path)
      }
    }),
  ),
})

contract(
  'compressed event streams',
  operations,
  (test, call) => {
    const send = (target: string, coding: string) =>
      call(new Request(`${base}${target}`, { headers: { 'Accept-Encoding': coding } }))
    for (const coding of contentCodings) {
      test(`each event is flushed immediately: ${coding}`, async () => {
        const response = await send('/events', coding)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('content-type'), 'text/event-stream')
        assert.is(response.headers.get('cache-control'), 'no-cache')
        assert.is(response.headers.get('x-accel-buffering'), 'no')
        const reading = decompress(response)
        const first = 'id: 1\nevent: n\ndata: one\n\n'
        await reading.until(first)
        assert.is(gates.length, 1)
        openGate()
        await reading.until(`${first}data: two\n\n`)
        openGate()
        await reading.until(`${first}data: two\n\ndata: three\n\n`)
        assert.is(await reading.rest(), `${first}data: two\n\ndata: three\n\n`)
      })
    }
    test('an event stream is sent uncompressed unless its operation is declared as compressed', async () => {
      const response = await send('/plain', 'gzip, br')
      assert.is(response.headers.get('content-encoding'), null)
      assert.is(await response.text(), 'data: a\n\n')
    })
    test('a client disconnect closes the stream', async () => {
      closed.length = 0
      const reading = decompress(await send('/quiet', 'gzip'))
      await reading.until('data: one\n\n')
      await reading.cancel()
      await waitUntil(() => closed.length > 0)
      assert.equal(closed, ['/quiet'])
    })
    test('an event stream is sent uncompressed for Accept-Encoding: identity', async () => {
      const response = await send('/quiet', 'identity')
      assert.is(response.headers.get('content-encoding'), null)
      assert.is(response.headers.get('vary'), 'Accept-Encoding')
      await response.body?.cancel()
    })
  },
  { 'fw.http.enable-compression': true, 'fw.rest.sse.heartbeat': 0 },
)

contract(
  'compressed event streams with heartbeats',
  operations,
  (test, call) => {
    for (const coding of contentCodings)
      test(`each heartbeat is flushed immediately: ${coding}`, async () => {
        const headers = { 'Accept-Encoding': coding }
        const reading = decompress(await call(new Request(`${base}/quiet`, { headers })))
        for (const count of [0, 1, 2])
          await reading.untilLike(new RegExp(`^data: one\n\n(?::\n\n){${count},}$`))
        await reading.cancel()
      })
  },
  { 'fw.http.enable-compression': true, 'fw.rest.sse.heartbeat': heartbeat },
)
