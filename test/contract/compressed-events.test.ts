/** Event streams where responses are compressed. Each event can be read when it is there. */
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
} from '../../src/index.ts'
import { codings, decoded } from '../support/decoding.ts'
import { base, contract } from '../support/contract.ts'
import { until } from '../support/workers.ts'

const heartbeat = 60
const gates: Array<() => void> = []
const passed = (): Promise<void> => new Promise((resolve) => gates.push(resolve))
const open = (): void => gates.shift()?.()
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
        await passed()
        yield 'two'
        await passed()
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
    const ask = (target: string, coding: string) =>
      call(new Request(`${base}${target}`, { headers: { 'Accept-Encoding': coding } }))
    for (const coding of codings) {
      test(`each event can be read at once: ${coding}`, async () => {
        const response = await ask('/events', coding)
        assert.is(response.headers.get('content-encoding'), coding)
        assert.is(response.headers.get('content-type'), 'text/event-stream')
        assert.is(response.headers.get('cache-control'), 'no-cache')
        assert.is(response.headers.get('x-accel-buffering'), 'no')
        const reading = decoded(response)
        const first = 'id: 1\nevent: n\ndata: one\n\n'
        await reading.until(first)
        assert.is(gates.length, 1)
        open()
        await reading.until(`${first}data: two\n\n`)
        open()
        await reading.until(`${first}data: two\n\ndata: three\n\n`)
        assert.is(await reading.rest(), `${first}data: two\n\ndata: three\n\n`)
      })
    }
    test('are not, unless their operation says so', async () => {
      const response = await ask('/plain', 'gzip, br')
      assert.is(response.headers.get('content-encoding'), null)
      assert.is(await response.text(), 'data: a\n\n')
    })
    test('are closed with their client', async () => {
      closed.length = 0
      const reading = decoded(await ask('/quiet', 'gzip'))
      await reading.until('data: one\n\n')
      await reading.cancel()
      await until(() => closed.length > 0)
      assert.equal(closed, ['/quiet'])
    })
    test('are not for a client that cannot read them', async () => {
      const response = await ask('/quiet', 'identity')
      assert.is(response.headers.get('content-encoding'), null)
      assert.is(response.headers.get('vary'), 'Accept-Encoding')
      await response.body?.cancel()
    })
  },
  { 'fw.http.enable-compression': true, 'fw.rest.sse.heartbeat': 0 },
)

contract(
  'compressed event streams of which nothing is said',
  operations,
  (test, call) => {
    for (const coding of codings)
      test(`their heartbeats can be read at once too: ${coding}`, async () => {
        const headers = { 'Accept-Encoding': coding }
        const reading = decoded(await call(new Request(`${base}/quiet`, { headers })))
        for (const count of [0, 1, 2])
          await reading.untilLike(new RegExp(`^data: one\n\n(?::\n\n){${count},}$`))
        await reading.cancel()
      })
  },
  { 'fw.http.enable-compression': true, 'fw.rest.sse.heartbeat': heartbeat },
)
