import { getEventListeners } from 'node:events'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { circuitBreaker } from '../../../src/client/policy/circuit-breaker.ts'
import { clientResponse, fallback } from '../../../src/client/policy/client-filter.ts'
import type { SendResult } from '../../../src/client/policy/policy.ts'
import {
  fakeBody,
  requestTo,
  responseOf,
  expectResponse,
  fakeTransport,
  send,
  readText,
  networkError,
  statusOrTag,
} from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { flushPromises } from '../fake-clock.ts'

const aborted: SendResult = E.left({
  _tag: 'Aborted',
  message: '',
  operation: '',
  cause: undefined,
})

describe('fallback', (test) => {
  test('a failure is replaced by a response of clientResponse', async () => {
    const policy = fallback((_, request) =>
      clientResponse(request, { headers: { 'Content-Type': 'application/json' }, content: '[]' }),
    )
    const response = expectResponse(
      await send(
        policy,
        fakeTransport(() => networkError),
      ),
    )
    assert.equal(
      [response.status, response.headers, response.url],
      [200, ['Content-Type', 'application/json'], 'http://books.test/books/1'],
    )
    assert.is(await readText(response.body), '[]')
  })
  test('a failure is replaced by the response of another service', async () => {
    const other = fakeTransport(() => responseOf(203))
    const policy = fallback((_, request) =>
      other.passage({ ...request, url: 'http://other.test/' }),
    )
    assert.is(
      statusOrTag(
        await send(
          policy,
          fakeTransport(() => networkError),
        ),
      ),
      203,
    )
    assert.is(other.sent[0]?.url, 'http://other.test/')
  })
  test('a rejection by a circuit breaker is replaced', async () => {
    const policies = [
      fallback((failure) =>
        statusOrTag(failure) === 'Rejected'
          ? clientResponse(requestTo(), { status: 203 })
          : undefined,
      ),
      circuitBreaker({ failures: 1 }),
    ]
    const network = fakeTransport(() => networkError)
    const passage = policies.reduceRight((next, { around }) => around(next), network.passage)
    assert.is(statusOrTag(await passage(requestTo())()), 'NetworkError')
    assert.is(statusOrTag(await passage(requestTo())()), 203)
  })
  table<readonly [name: string, result: SendResult, isCalled: boolean]>(
    test,
    [
      ['NetworkError', networkError, true],
      ['500', responseOf(500), true],
      ['503', responseOf(503), true],
      ['404', responseOf(404), false],
      ['200', responseOf(200), false],
      ['Aborted', aborted, false],
    ],
    async (_, result, isCalled) => {
      let calls = 0
      const policy = fallback(() => {
        calls++
        return undefined
      })
      assert.is(
        statusOrTag(
          await send(
            policy,
            fakeTransport(() => result),
          ),
        ),
        statusOrTag(result),
      )
      assert.is(calls, isCalled ? 1 : 0)
    },
  )
  test('the body of a replaced response is discarded, that of a returned response is not', async () => {
    for (const [replacement, isCancelled] of [
      [() => clientResponse(requestTo()), true],
      [() => undefined, false],
      [() => Promise.reject(new Error('oops')), true],
    ] as const) {
      const content = fakeBody('a', '…')
      await send(
        fallback(replacement),
        fakeTransport(() => responseOf(500, [], content.body)),
      )
      assert.is(content.isCancelled(), isCancelled)
    }
  })
  test('a body that is used by the replacement is not discarded', async () => {
    const policy = fallback((failure) =>
      E.isRight(failure) ? { ...failure.right, status: 200 } : undefined,
    )
    const response = expectResponse(
      await send(
        policy,
        fakeTransport(() => responseOf(503, [], fakeBody('old').body)),
      ),
    )
    assert.equal([response.status, await readText(response.body)], [200, 'old'])
  })
  test('an abort settles the call although the fallback is pending', async () => {
    const caller = new AbortController()
    const sent = send(
      fallback(() => new Promise(() => undefined)),
      fakeTransport(() => networkError),
      requestTo(undefined, { signal: caller.signal }),
    )
    caller.abort()
    assert.is(statusOrTag(await sent), 'Aborted')
    assert.is(getEventListeners(caller.signal, 'abort').length, 0)
  })
  test('a response that the fallback returns after an abort is discarded', async () => {
    const caller = new AbortController()
    const content = fakeBody('late')
    let give: ((result: SendResult) => void) | undefined
    const late = new Promise<SendResult>((resolve) => {
      give = resolve
    })
    const sent = send(
      fallback(() => late),
      fakeTransport(() => networkError),
      requestTo(undefined, { signal: caller.signal }),
    )
    await flushPromises()
    caller.abort()
    assert.is(statusOrTag(await sent), 'Aborted')
    give?.(responseOf(200, [], content.body))
    await flushPromises()
    assert.ok(content.isCancelled())
  })
  test('an exception becomes a Defect', async () =>
    assert.is(
      statusOrTag(
        await send(
          fallback(() => Promise.reject(new Error())),
          fakeTransport(() => networkError),
        ),
      ),
      'Defect',
    ))
})
