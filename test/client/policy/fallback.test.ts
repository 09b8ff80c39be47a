import { getEventListeners } from 'node:events'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { circuitBreaker } from '../../../src/client/policy/circuit-breaker.ts'
import { clientResponse } from '../../../src/client/policy/client-filter.ts'
import { fallback } from '../../../src/client/policy/fallback.ts'
import type { Outcome } from '../../../src/client/policy/policy.ts'
import {
  contentOf,
  requestTo,
  responded,
  responseOf,
  scripted,
  send,
  textOf,
  unreachable,
  word,
} from '../../support/client-passage.ts'
import { describe, table } from '../../support/describe.ts'
import { settled } from '../../support/stepped-clock.ts'

const aborted: Outcome = E.left({ _tag: 'Aborted', message: '', operation: '', cause: undefined })

describe('fallback', (test) => {
  test('R-448: a response that was made', async () => {
    const policy = fallback((_, request) =>
      clientResponse(request, { headers: { 'Content-Type': 'application/json' }, content: '[]' }),
    )
    const response = responseOf(
      await send(
        policy,
        scripted(() => unreachable),
      ),
    )
    assert.equal(
      [response.status, response.headers, response.url],
      [200, ['Content-Type', 'application/json'], 'http://books.test/books/1'],
    )
    assert.is(await textOf(response.body), '[]')
  })
  test('R-448: another service', async () => {
    const other = scripted(() => responded(203))
    const policy = fallback((_, request) =>
      other.passage({ ...request, url: 'http://other.test/' }),
    )
    assert.is(
      word(
        await send(
          policy,
          scripted(() => unreachable),
        ),
      ),
      203,
    )
    assert.is(other.sent[0]?.url, 'http://other.test/')
  })
  test('R-448: what a breaker refuses', async () => {
    const policies = [
      fallback((failure) =>
        word(failure) === 'Refused' ? clientResponse(requestTo(), { status: 203 }) : undefined,
      ),
      circuitBreaker({ failures: 1 }),
    ]
    const network = scripted(() => unreachable)
    const passage = policies.reduceRight((next, { around }) => around(next), network.passage)
    assert.is(word(await passage(requestTo())()), 'NetworkError')
    assert.is(word(await passage(requestTo())()), 203)
  })
  table<readonly [name: string, outcome: Outcome, isAsked: boolean]>(
    test,
    [
      ['NetworkError', unreachable, true],
      ['500', responded(500), true],
      ['503', responded(503), true],
      ['404', responded(404), false],
      ['200', responded(200), false],
      ['Aborted: nobody waits any more', aborted, false],
    ],
    async (_, outcome, isAsked) => {
      let asked = 0
      const policy = fallback(() => {
        asked++
        return undefined
      })
      assert.is(
        word(
          await send(
            policy,
            scripted(() => outcome),
          ),
        ),
        word(outcome),
      )
      assert.is(asked, isAsked ? 1 : 0)
    },
  )
  test('content that is replaced is let go, content that stays is not', async () => {
    for (const [answer, isCancelled] of [
      [() => clientResponse(requestTo()), true],
      [() => undefined, false],
      [() => Promise.reject(new Error('oops')), true],
    ] as const) {
      const content = contentOf('a', '…')
      await send(
        fallback(answer),
        scripted(() => responded(500, [], content.body)),
      )
      assert.is(content.isCancelled(), isCancelled)
    }
  })
  test('content that goes on in another response is not let go', async () => {
    const policy = fallback((failure) =>
      E.isRight(failure) ? { ...failure.right, status: 200 } : undefined,
    )
    const response = responseOf(
      await send(
        policy,
        scripted(() => responded(503, [], contentOf('old').body)),
      ),
    )
    assert.equal([response.status, await textOf(response.body)], [200, 'old'])
  })
  test('R-457: a caller who goes does not wait for it', async () => {
    const caller = new AbortController()
    const sent = send(
      fallback(() => new Promise(() => undefined)),
      scripted(() => unreachable),
      requestTo(undefined, { signal: caller.signal }),
    )
    caller.abort()
    assert.is(word(await sent), 'Aborted')
    assert.is(getEventListeners(caller.signal, 'abort').length, 0)
  })
  test('R-457: what it gives when its caller is gone is let go', async () => {
    const caller = new AbortController()
    const content = contentOf('late')
    let give: ((outcome: Outcome) => void) | undefined
    const late = new Promise<Outcome>((resolve) => {
      give = resolve
    })
    const sent = send(
      fallback(() => late),
      scripted(() => unreachable),
      requestTo(undefined, { signal: caller.signal }),
    )
    await settled()
    caller.abort()
    assert.is(word(await sent), 'Aborted')
    give?.(responded(200, [], content.body))
    await settled()
    assert.ok(content.isCancelled())
  })
  test('what it throws is a Defect', async () =>
    assert.is(
      word(
        await send(
          fallback(() => Promise.reject(new Error())),
          scripted(() => unreachable),
        ),
      ),
      'Defect',
    ))
})
