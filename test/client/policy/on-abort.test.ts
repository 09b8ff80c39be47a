/** Abort signals that many calls share. */
import { getEventListeners } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { Agent } from 'undici'
import type { ClientOptions } from '../../../src/client.ts'
import { client, concurrencyLimit, retry, timeout, undiciTransport } from '../../../src/client.ts'
import { onAbort } from '../../../src/client/timer.ts'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { errorIn, right } from '../../support/clients.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { describe, table } from '../../support/describe.ts'
import { readUntilFailure } from '../read-stream.ts'
import { contract } from '../plain-services.ts'
import { withHttpServer } from '../../support/while-listening.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

/** More than the 10 listeners at which Node.js emits a warning. */
const many = 20

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

/** Returns the names of the process warnings that Node.js emits during `run`. */
const warnings = async (run: () => Promise<void>): Promise<ReadonlyArray<string>> => {
  const logged: string[] = []
  const note = (warning: Error): void => void logged.push(warning.name)
  process.on('warning', note)
  try {
    await run()
    // Node.js emits warnings asynchronously
    await turns()
  } finally {
    process.off('warning', note)
  }
  return logged
}

const dispatcher = new Agent()
const transport = undiciTransport(dispatcher)

/** A `fetch` that ignores its signal. */
const ignoresSignal = (): Promise<Response> => new Promise(() => undefined)

describe('many calls with one signal', (test) => {
  table<readonly [name: string, options: Partial<ClientOptions>]>(
    test,
    [
      ['fetch', {}],
      ['fetch without a limit', { timeout: false }],
      ['undici', { transport }],
      ['undici without a limit', { transport, timeout: false }],
      [
        'with timeout and retry policies',
        { policies: [timeout('1m'), retry({ times: 1 }), timeout('50s')] },
      ],
      ['with a concurrency limit', { policies: [concurrencyLimit(2)] }],
    ],
    (_, options) =>
      withHttpServer(
        () => undefined,
        async ({ url: baseUrl }) => {
          const caller = new AbortController()
          const { signal } = caller
          const library = client(contract, { baseUrl, ...options })
          let ended = 0
          const logged = await warnings(async () => {
            const calls = Array.from({ length: many }, () => errorIn(library.json({}, { signal })))
            await turns()
            assert.ok(listeners(signal) <= 1, `${listeners(signal)} listeners`)
            const begin = cpuTime()
            caller.abort('enough')
            for (const { _tag, cause } of await Promise.all(calls)) {
              assert.equal([_tag, cause], ['Aborted', 'enough'])
              ended++
            }
            assert.ok(cpuTime() - begin < 1000)
          })
          assert.equal([ended, logged, listeners(signal)], [many, [], 0])
        },
      ),
  )
  test('in memory add one listener', async () => {
    const api = routes({
      never: pipe(
        path('/'),
        get(),
        produces(text),
        handle(() => new Promise<string>(() => undefined)),
      ),
    })
    for (const limit of ['30s', false] as const) {
      const caller = new AbortController()
      const { signal } = caller
      const fetch = inMemory(api)
      const calls = client(api, { baseUrl: 'http://localhost', fetch, timeout: limit })
      const logged = await warnings(async () => {
        const errors = Array.from({ length: many }, () => errorIn(calls.never({}, { signal })))
        await turns()
        assert.is(listeners(signal), 1)
        caller.abort()
        for (const { _tag } of await Promise.all(errors)) assert.is(_tag, 'Aborted')
      })
      assert.equal([logged, listeners(signal)], [[], 0])
    }
  })
  test('are aborted if a custom fetch ignores the signal', async () => {
    for (const limit of ['30s', false] as const) {
      const library = client(contract, {
        baseUrl: 'http://localhost',
        fetch: ignoresSignal,
        timeout: limit,
      })
      const caller = new AbortController()
      const { signal } = caller
      const calls = Array.from({ length: many }, () => errorIn(library.json({}, { signal })))
      await turns()
      caller.abort('enough')
      for (const { _tag, cause, message } of await Promise.all(calls))
        assert.equal([_tag, cause, message], ['Aborted', 'enough', 'json: the call was aborted'])
      assert.is(listeners(signal), 0)
    }
  })
  test('that complete remove the listener', () =>
    withHttpServer(
      (_, response) =>
        void response.setHeader('Content-Type', 'application/json').end('{"title":"a"}'),
      async ({ url: baseUrl }) => {
        const { signal } = new AbortController()
        const logged = await warnings(async () => {
          for (const options of [{}, { timeout: false }, { transport, timeout: false }] as const) {
            const library = client(contract, { baseUrl, ...options })
            await Promise.all(
              Array.from({ length: many }, () => right(library.json({}, { signal }))),
            )
          }
        })
        assert.equal(logged, [])
        await waitUntil(() => listeners(signal) === 0)
      },
    ))
  test('whose streams are read remove the listener', () =>
    withHttpServer(
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
        response.write('{"title":"a"}\n')
      },
      async ({ url: baseUrl }) => {
        for (const options of [{}, { transport }]) {
          const caller = new AbortController()
          const { signal } = caller
          const library = client(contract, { baseUrl, ...options })
          const logged = await warnings(async () => {
            const responses = await Promise.all(
              Array.from({ length: many }, () => right(library.lines({}, { signal }))),
            )
            const failures = responses.map(({ body }) => readUntilFailure(body))
            await turns()
            assert.is(listeners(signal), 1)
            caller.abort('enough')
            for (const [, failure] of await Promise.all(failures))
              assert.is('_tag' in failure && failure._tag, 'Aborted')
          })
          await waitUntil(() => listeners(signal) === 0)
          assert.equal(logged, [])
        }
      },
    ))
})

describe('onAbort', (test) => {
  test('callbacks share one listener, which is removed with the last callback', () => {
    const { signal } = new AbortController()
    const releases = Array.from({ length: 3 }, () => onAbort(signal, () => undefined))
    assert.is(listeners(signal), 1)
    for (const [index, release] of releases.entries()) {
      release()
      release()
      assert.is(listeners(signal), index === 2 ? 0 : 1)
    }
    onAbort(signal, () => undefined)()
    assert.is(listeners(signal), 0)
  })
  test('calls callbacks once, without those removed by other callbacks', () => {
    const caller = new AbortController()
    const calls: string[] = []
    onAbort(caller.signal, () => {
      calls.push('a')
      leave()
    })
    const leave = onAbort(caller.signal, () => calls.push('b'))
    onAbort(caller.signal, () => calls.push('c'))
    caller.abort()
    caller.abort()
    assert.equal(calls, ['a', 'c'])
    onAbort(caller.signal, () => calls.push('late'))
    onAbort(undefined, () => calls.push('never'))()
    assert.equal([calls, listeners(caller.signal)], [['a', 'c'], 0])
  })
})
