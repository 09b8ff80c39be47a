/** Failures of the store and expired leases: what is sent, and when an operation runs again. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { IdempotencyOptions, Store } from '../../../src/index.ts'
import {
  handle,
  idempotent,
  inMemoryStore,
  path,
  post,
  produces,
  routes,
  text,
  withStore,
} from '../../../src/index.ts'
import type { InMemoryCall } from '../../../src/testing.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { createRecorder } from '../../support/recorder.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** An operation whose runs wait until the test ends them. */
const keyed = (store: Store, options: IdempotencyOptions = {}) => {
  const log = createRecorder()
  const ends: Array<(result: string) => void> = []
  const operation = pipe(
    path('/run'),
    post(),
    produces(text),
    idempotent(options),
    handle(() => new Promise<string>((resolve) => ends.push(resolve))),
  )
  const call = inMemory(pipe(routes({ operation }), withStore(store)), { logger: log.logger })
  return { call, ends, log }
}

const send = (call: InMemoryCall, key = 'key'): Promise<Response> =>
  call(new Request('http://localhost/run', { method: 'POST', headers: { 'Idempotency-Key': key } }))

const clocked = (): { readonly store: Store; readonly clock: { time: number } } => {
  const clock = { time: 0 }
  return { store: inMemoryStore({ now: () => clock.time }), clock }
}

const broken = (): never => {
  throw new Error('connection lost')
}

const rejected = (): Promise<never> => Promise.reject(new Error('connection lost'))

describe('the store of an idempotent operation', (test) => {
  const failures: ReadonlyArray<[title: string, acquire: Store['acquire']]> = [
    ['that throws an error', broken],
    ['that rejects', rejected],
    [
      'that contains a malformed response',
      (_, fingerprint) => ({ _tag: 'Complete', fingerprint, value: new Uint8Array([1]) }),
    ],
  ]
  table(test, failures, async (_, acquire) => {
    const { call, ends, log } = keyed({ ...inMemoryStore(), acquire })
    const response = await send(call)
    assert.equal([response.status, response.headers.get('retry-after')], [503, '1'])
    assert.not.match(await response.text(), /lost|key/)
    assert.is(ends.length, 0)
    assert.is(log.lines.filter(({ level }) => level === 'error').length, 1)
  })

  test('that fails when the response is stored does not prevent the response', async () => {
    for (const complete of [broken, rejected, () => false]) {
      const { call, ends, log } = keyed({ ...inMemoryStore(), complete })
      const response = send(call)
      await waitUntil(() => ends.length === 1)
      ends[0]?.('done')
      assert.is(await (await response).text(), 'done')
      assert.is(log.lines.filter(({ level }) => level === 'warn').length, 1)
      // fail closed: the key is not free until the lease expires
      assert.is((await send(call)).status, 409)
    }
  })

  test('can be asynchronous', async () => {
    const store = inMemoryStore()
    const { call, ends } = keyed({
      ...store,
      acquire: async (...args) => store.acquire(...args),
      complete: async (...args) => store.complete(...args),
    })
    const response = send(call)
    await waitUntil(() => ends.length === 1)
    ends[0]?.('done')
    await response
    assert.is((await send(call)).headers.get('idempotent-replayed'), 'true')
  })
})

describe('the lease of an idempotent operation', (test) => {
  test('expires if the process does not extend it, and the response is sent but not stored', async () => {
    const { store, clock } = clocked()
    const { call, ends } = keyed(store)
    const lost = send(call)
    await waitUntil(() => ends.length === 1)
    clock.time = 29_999
    assert.is((await send(call)).status, 409)
    clock.time = 30_000
    const second = send(call)
    await waitUntil(() => ends.length === 2)
    ends[0]?.('first')
    assert.is(await (await lost).text(), 'first')
    assert.is((await send(call)).status, 409)
    ends[1]?.('second')
    await second
    assert.is(await (await send(call)).text(), 'second')
  })

  test('is extended while the operation runs', async () => {
    const { store, clock } = clocked()
    let renewed = 0
    const { call, ends } = keyed(
      {
        ...store,
        renew: (...args) => {
          renewed++
          if (renewed === 2) throw new Error('connection lost')
          return store.renew(...args)
        },
      },
      { lease: 30 },
    )
    const response = send(call)
    for (let extended = 1; extended <= 5; extended++) {
      await waitUntil(() => renewed >= extended)
      clock.time += 12
    }
    assert.is((await send(call)).status, 409)
    ends[0]?.('done')
    await response
    const atEnd = renewed
    clock.time += 86_399_999
    assert.is(await (await send(call)).text(), 'done')
    assert.is(renewed, atEnd)
  })

  test('of a stored response ends after the retention', async () => {
    const { store, clock } = clocked()
    const { call, ends } = keyed(store, { retention: '1h' })
    const first = send(call)
    await waitUntil(() => ends.length === 1)
    ends[0]?.('first')
    await first
    clock.time = 3_599_999
    assert.is(await (await send(call)).text(), 'first')
    clock.time = 3_600_000
    const second = send(call)
    await waitUntil(() => ends.length === 2)
    ends[1]?.('second')
    assert.is(await (await second).text(), 'second')
  })
})
