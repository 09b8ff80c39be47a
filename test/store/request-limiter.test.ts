/** The filter that enforces limits: keys of callers, failing and asynchronous stores, bounded memory. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Store } from '../../src/endpoint/definition/store.ts'
import type { Logger } from '../../src/index.ts'
import { get, handle, inMemoryStore, path, rateLimit, routes, withStore } from '../../src/index.ts'
import type { RateLimitPolicy } from '../../src/store/rate-limit.ts'
import { toFetchHandler } from '../../src/fetch.ts'
import { inMemory } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

const at = 'http://localhost/'

/** Returns a function that sends a request to a limited operation and returns the status. */
const limited = (policy: Partial<RateLimitPolicy>, store: Store, logger?: Logger) => {
  const operation = pipe(
    path('/'),
    get(),
    handle(() => {}),
    rateLimit({ limit: 2, window: '1h', burst: 2, ...policy }),
  )
  const send = inMemory(
    pipe(routes({ operation }), withStore(store)),
    logger === undefined ? {} : { logger },
  )
  return async (headers: Record<string, string> = {}) => (await send(at, { headers })).status
}

/** A store that records its keys. */
const recording = (): { readonly store: Store; readonly keys: string[] } => {
  const keys: string[] = []
  const store = inMemoryStore()
  return {
    keys,
    store: { ...store, take: (key, ...rest) => (keys.push(key), store.take(key, ...rest)) },
  }
}

const ignore = (): void => {}

/** A logger that counts warnings. */
const counting = (): { readonly logger: Logger; readonly warnings: unknown[] } => {
  const warnings: unknown[] = []
  const logger: Logger = {
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn: (members) => warnings.push(members['err']),
    error: ignore,
  }
  return { logger, warnings }
}

const byHeader = (header: string) => ({
  by: ({ request }: Parameters<Exclude<RateLimitPolicy['by'], string | undefined>>[0]) =>
    request.header(header),
})

const fails = (): never => {
  throw new Error('no key')
}

describe('the key of a caller', (test) => {
  const token = `${'e'.repeat(300)}.${'s'.repeat(40)}`
  const rows: ReadonlyArray<[title: string, headers: Record<string, string>, key: string]> = [
    ['is what the function returns', { 'x-key': 'a' }, 'key:a'],
    ['differs from addresses', { 'x-key': 'unknown' }, 'key:unknown'],
    ['is shortened to its end', { 'x-key': token }, `key:341:${token.slice(-128)}`],
    ['is the address if the function returns undefined', {}, 'unknown'],
  ]
  table(test, rows, async (_, headers, key) => {
    const { store, keys } = recording()
    await limited(byHeader('x-key'), store)(headers)
    assert.equal(keys, [`rate:operation:default:2/3600000/2:${key}`])
  })
  test('is an internal error if the function throws', async () => {
    assert.is(await limited({ by: fails }, inMemoryStore())(), 500)
  })
})

describe('the address of a caller', (test) => {
  const { store, keys } = recording()
  const operation = pipe(
    path('/'),
    get(),
    handle(() => {}),
    rateLimit({ limit: 2, window: '1h' }),
  )
  const send = toFetchHandler(pipe(routes({ operation }), withStore(store)), {
    clientAddress: ({ headers }) => headers.get('x-address') ?? undefined,
  })
  const rows: ReadonlyArray<[address: string, key: string]> = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:0:ff01::1', '2001:db8:0:ff00::/56'],
    ['2001:db8:0:ff02::2', '2001:db8:0:ff00::/56'],
  ]
  table(test, rows, async (address, key) => {
    await send(new Request(at, { headers: { 'x-address': address } }))
    assert.is(keys.pop(), `rate:operation:default:2/3600000/1:address:${key}`)
  })
})

const failing = (take: Store['take']): Store => ({ ...inMemoryStore(), take })

describe('a store that is not available', (test) => {
  const error = new Error('not available')
  const rows: ReadonlyArray<[title: string, take: Store['take']]> = [
    [
      'that throws allows requests',
      () => {
        throw error
      },
    ],
    ['that rejects allows requests', () => Promise.reject(error)],
  ]
  table(test, rows, async (_, take) => {
    const { logger, warnings } = counting()
    const send = limited({}, failing(take), logger)
    for (let index = 0; index < 5; index++) assert.is(await send(), 204)
    // one line per second
    assert.ok(warnings.length > 0 && warnings.length < 5)
    assert.is(warnings[0], error)
  })
  test('does not disable the other limits', async () => {
    const store = inMemoryStore()
    const operation = pipe(
      path('/'),
      get(),
      handle(() => {}),
      rateLimit({ limit: 1, window: '1h', name: 'working' }),
      rateLimit({ limit: 1, window: '1h', name: 'failing' }),
    )
    const send = inMemory(
      pipe(
        routes({ operation }),
        withStore({
          ...store,
          take: (key, ...rest) =>
            key.includes('failing') ? Promise.reject(error) : store.take(key, ...rest),
        }),
      ),
      { logger: counting().logger },
    )
    assert.equal([(await send(at)).status, (await send(at)).status], [204, 429])
  })
})

describe('an asynchronous store', (test) => {
  test('limits requests that arrive at the same time', async () => {
    const store = inMemoryStore()
    const take: Store['take'] = async (...parameters) => {
      await Promise.resolve()
      return store.take(...parameters)
    }
    const send = limited({ limit: 10, burst: 10 }, { ...store, take })
    const statuses = await Promise.all(Array.from({ length: 50 }, () => send()))
    assert.is(statuses.filter((status) => status === 204).length, 10)
    assert.is(statuses.filter((status) => status === 429).length, 40)
  })
})

describe('requests from many callers', (test) => {
  test('need no more memory than the store allows', async () => {
    const store = inMemoryStore({ maxQuotas: 100 })
    const send = limited(byHeader('x-key'), store)
    for (let index = 0; index < 5000; index++)
      assert.is(await send({ 'x-key': String(index) }), 204)
    assert.equal(store.size(), { quotas: 100, entries: 0, evicted: 4900 })
  })
})
