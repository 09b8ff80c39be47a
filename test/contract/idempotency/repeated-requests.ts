/** Clients that repeat requests with the same key until they receive a response, and an operation that counts its effects. */
import { setImmediate as turn } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Store } from '../../../src/index.ts'
import {
  authenticateAs,
  authenticated,
  authentication,
  body,
  handle,
  HttpError,
  idempotent,
  inMemoryStore,
  int,
  json,
  path,
  post,
  produces,
  routes,
  withFilter,
  withStore,
} from '../../../src/index.ts'
import type { InMemoryCall } from '../../../src/testing.ts'
import { base } from '../../support/contract.ts'
import { newKey } from './keyed-operations.ts'

/** Returns numbers of at least 0 and less than 1, which depend on `seed` only. */
const randomNumbers = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  const mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
  const next = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))
  return ((next ^ (next >>> 14)) >>> 0) / 2 ** 32
}

const caller = authentication({ challenge: 'Test' }, ({ request }) => {
  const name = request.header('X-User')
  return name === undefined ? undefined : authenticateAs({ name, roles: [] })
})

/** A store whose results arrive in a later turn of the event loop, like those of a database. */
const remoteStore = (): Store => {
  const store = inMemoryStore({ maxValueBytes: 2 ** 30 })
  return {
    ...store,
    acquire: async (...args) => {
      await turn()
      const acquired = store.acquire(...args)
      await turn()
      return acquired
    },
    complete: async (...args) => {
      await turn()
      return store.complete(...args)
    },
    release: async (...args) => {
      await turn()
      store.release(...args)
    },
  }
}

/** Creates the tree, and the effects of its operation: the number of executions by principal and order. */
export const createService = (seed: number) => {
  const random = randomNumbers(seed)
  const effects = new Map<string, number>()
  const pay = pipe(
    path('/payments'),
    post(),
    authenticated,
    body(json(t.type({ order: int, at: t.UnknownRecord }))),
    produces(json(t.string)),
    idempotent(),
    handle(async ({ body: { order } }, { security, request }) => {
      if (random() < 0.1) throw new HttpError(503, 'busy')
      for (let turns = Math.floor(random() * 4); turns > 0; turns--) await turn()
      if (random() < 0.5) request.signal.throwIfAborted()
      const name = `${security.principal?.name} ${order}`
      effects.set(name, (effects.get(name) ?? 0) + 1)
      for (let turns = Math.floor(random() * 4); turns > 0; turns--) await turn()
      if (random() < 0.1) throw new HttpError(500, 'failed after the payment')
      return `${name} #${effects.get(name)}`
    }),
  )
  const api = pipe(routes({ pay }), withFilter(caller), withStore(remoteStore()))
  return { api, effects }
}

const maxAttempts = 10_000

/**
 * Sends about `count` requests of two principals, who use the same keys. Requests are repeated, duplicated and aborted at random. Asserts
 * that each payment was executed once, and that all responses to it are equal.
 */
export const checkRepeatedRequests = async (
  call: InMemoryCall,
  effects: ReadonlyMap<string, number>,
  count: number,
  seed: number,
): Promise<void> => {
  const random = randomNumbers(seed)
  const run = newKey()
  let sent = 0
  let orders = 0
  const attempt = async (principal: string, order: number): Promise<string | undefined> => {
    sent++
    const controller = new AbortController()
    const members = ['"a":1', '"b":2'].toSorted(() => random() - 0.5).join()
    const response = call(
      new Request(`${base}/payments`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': `"${run} ${order}"`,
          'X-User': principal,
        },
        body: `{"order":${order},"at":{${members}}}`,
        signal: controller.signal,
      }),
    ).then(
      async (received) => [received.status, await received.text()] as const,
      () => [0, ''] as const,
    )
    if (random() < 0.3) {
      for (let turns = Math.floor(random() * 10); turns > 0; turns--) await turn()
      controller.abort()
    }
    const [status, text] = await response
    if (status === 0 || status === 409 || status === 503) return undefined
    assert.ok(status === 200 || status === 500, `${status} ${text}`)
    return `${status} ${text.replace(/"instance":"[^"]*"/, '')}`
  }
  const untilAnswered = async (principal: string, order: number): Promise<string> => {
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const found = await attempt(principal, order)
      if (found !== undefined) return found
      await turn()
    }
    throw new Error(`no response after ${maxAttempts} attempts`)
  }
  const payTwice = async (order: number): Promise<void> => {
    for (const principal of ['ann', 'bob']) {
      const found = await Promise.all([
        untilAnswered(principal, order),
        untilAnswered(principal, order),
      ])
      found.push(await untilAnswered(principal, order))
      assert.is(new Set(found).size, 1, found.join(' / '))
      assert.is(effects.get(`${principal} ${order}`), 1)
    }
  }
  const isUnfinished = (): boolean => sent < count
  const client = async (): Promise<void> => {
    do await payTwice(++orders)
    while (isUnfinished())
  }
  await Promise.all(Array.from({ length: 40 }, client))
  assert.ok(sent >= count)
  assert.is(effects.size, 2 * orders)
  assert.ok([...effects.values()].every((executions) => executions === 1))
}
