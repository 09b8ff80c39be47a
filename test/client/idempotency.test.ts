/** Keys that clients add to requests of idempotent operations, and retries with the same key. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Fetch, Policy } from '../../src/client.ts'
import { promiseClient, retry } from '../../src/client.ts'
import {
  del,
  handle,
  header,
  idempotent,
  int,
  json,
  method,
  optional,
  path,
  patch,
  post,
  produces,
  put,
  routes,
  string,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

const runs = { count: 0, passed: Promise.resolve() }
const run = async (): Promise<number> => {
  runs.count++
  const { count } = runs
  await runs.passed
  return count
}
const numbered = produces(json(int))

const api = routes({
  keyed: pipe(
    routes({
      add: pipe(path('/add'), post(), numbered, handle(run)),
      change: pipe(path('/change'), patch(), numbered, handle(run)),
      lock: pipe(path('/lock'), method('LOCK')(), numbered, handle(run)),
      store: pipe(path('/store'), put(), numbered, handle(run)),
      remove: pipe(path('/remove'), del(), numbered, handle(run)),
      optional: pipe(
        path('/optional'),
        post(),
        numbered,
        idempotent({ required: false }),
        handle(run),
      ),
      excluded: pipe(path('/excluded'), post(), numbered, idempotent(false), handle(run)),
      declared: pipe(
        path('/declared'),
        post(),
        header({ idempotencyKey: optional(string) }),
        numbered,
        handle(run),
      ),
    }),
    idempotent({ strict: true }),
  ),
  plain: pipe(path('/plain'), post(), numbered, handle(run)),
})

/** A service, and the keys that it has received. The first `lost` responses are lost. */
const createService = (policies: ReadonlyArray<Policy> = [], lost = 0) => {
  const call = inMemory(api)
  const keys: Array<string | null> = []
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init)
    keys.push(request.headers.get('Idempotency-Key'))
    const response = await call(request)
    if (keys.length <= lost) throw new TypeError('the connection was closed')
    return response
  }
  return { keys, service: promiseClient(api, { baseUrl: 'http://localhost', fetch, policies }) }
}

const quick = { times: 20, backoff: { first: 1 }, budget: 'unlimited' } as const

describe('the key of a request', (test) => {
  type Name = keyof ReturnType<typeof createService>['service']['keyed']
  const rows: ReadonlyArray<[title: string, name: Name, hasKey: boolean]> = [
    ['is added to POST', 'add', true],
    ['is added to PATCH', 'change', true],
    ['is added to another method that is not idempotent', 'lock', true],
    ['is added if it is optional', 'optional', true],
    ['is added to an operation that declares the header', 'declared', true],
    ['is not added to PUT', 'store', false],
    ['is not added to DELETE', 'remove', false],
    ['is not added to an excluded operation', 'excluded', false],
  ]
  table(test, rows, async (_, name, hasKey) => {
    const { service, keys } = createService()
    const call: () => Promise<unknown> = service.keyed[name]
    await call()
    await call()
    if (hasKey) for (const key of keys) assert.match(key ?? '', /^"[0-9a-f]{32}"$/)
    assert.is(new Set(keys).size, hasKey ? 2 : 1)
    assert.is(keys[0] === null, !hasKey)
  })

  test('is not added to other operations', async () => {
    const { service, keys } = createService()
    await service.plain()
    assert.equal(keys, [null])
  })

  test('is that of the call if the call has one', async () => {
    const { service, keys } = createService()
    const headers = { 'Idempotency-Key': '"mine"' }
    const first = await service.keyed.add({}, { headers })
    const second = await service.keyed.add({}, { headers })
    await service.keyed.declared({ header: { idempotencyKey: '"input"' } })
    assert.is(second.body, first.body)
    assert.equal(keys, ['"mine"', '"mine"', '"input"'])
  })
})

describe('retry', (test) => {
  test('sends all attempts of an idempotent operation with the same key, and it runs once', async () => {
    const { service, keys } = createService([retry(quick)], 3)
    const { count } = runs
    const { body } = await service.keyed.add()
    assert.equal([body, runs.count], [count + 1, count + 1])
    assert.equal([keys.length, new Set(keys).size], [4, 1])
  })

  test('waits while an earlier attempt is running', async () => {
    const gate = { open: (): void => undefined }
    runs.passed = new Promise((resolve) => (gate.open = resolve))
    const { count } = runs
    const { service, keys } = createService([retry(quick)])
    const headers = { 'Idempotency-Key': '"busy"' }
    const first = service.keyed.add({}, { headers })
    const second = service.keyed.add({}, { headers })
    setTimeout(gate.open, 20)
    assert.is((await first).body, (await second).body)
    assert.is(runs.count, count + 1)
    assert.ok(keys.length >= 3)
  })

  test('does not repeat POST without a key', async () => {
    for (const name of ['excluded', 'plain'] as const) {
      const { service, keys } = createService([retry(quick)], 1)
      const call = name === 'plain' ? service.plain : service.keyed.excluded
      const failed = await call().then(
        () => false,
        () => true,
      )
      assert.equal([failed, keys.length], [true, 1])
    }
  })

  test('rejects POST and PATCH as methods', () => {
    for (const unsafe of ['POST', 'PATCH'].map((name): string => name))
      assert.throws(
        () => retry({ times: 1, methods: [unsafe] }),
        `retry.methods must not contain ${unsafe}, because a retry could run the operation twice: declare the operation with idempotent()`,
      )
  })
})
