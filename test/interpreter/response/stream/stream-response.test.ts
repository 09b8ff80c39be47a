import * as assert from 'uvu/assert'
import { bodyPlans } from '../../../../src/body/create-body-plans.ts'
import { defaultSettings } from '../../../../src/compiler/settings/settings.ts'
import { sse, string } from '../../../../src/index.ts'
import { isChunkSource } from '../../../../src/interpreter/exchange.ts'
import { bodyWriter } from '../../../../src/interpreter/response/body-writer.ts'
import { testContext } from '../../../../src/testing.ts'
import { describe } from '../../../support/describe.ts'
import { exchangeOf } from '../../../support/exchange.ts'

const head = { status: 200, headers: [] }
const plans = bodyPlans([sse(string)], [])
const respondWith = async (source: unknown, exchange = exchangeOf({}, () => undefined)) => {
  const [plan] = plans
  assert.ok(plan !== undefined)
  const context = { exchange, authenticated: undefined, context: testContext() }
  const response = bodyWriter(plan, defaultSettings)(source, {
    ...context,
    instance: '#1',
    prefixValues: {},
  })
  assert.ok(typeof response === 'function')
  return response(head, exchange)
}

/** Creates a source that never yields, and counts its closes. */
const silentSource = () => {
  let closeCount = 0
  const source = {
    [Symbol.asyncIterator]: () => source,
    next: () => new Promise<never>(() => undefined),
    return: () => {
      closeCount++
      return Promise.resolve({ done: true, value: undefined })
    },
  }
  return { source, closeCount: () => closeCount }
}

describe('the response with an event stream', (test) => {
  test('closes the source once at the end of the request', async () => {
    const { source, closeCount } = silentSource()
    const endCallbacks: Array<() => void> = []
    const exchange = exchangeOf({ onEnd: (then) => void endCallbacks.push(then) }, () => undefined)
    const { body } = await respondWith(source, exchange)
    assert.ok(isChunkSource(body))
    assert.is(closeCount(), 0)
    for (const callback of endCallbacks) callback()
    for (const callback of endCallbacks) callback()
    assert.is(closeCount(), 1)
  })
  test('closes the source at once after a disconnect', async () => {
    const { source, closeCount } = silentSource()
    const exchange = exchangeOf({ onEnd: (then) => then() }, () => undefined)
    await respondWith(source, exchange)
    assert.is(closeCount(), 1)
  })
  test('rejects a value that is not a stream source', async () => {
    const error = await respondWith('text').catch((reason: unknown) => reason)
    assert.instance(error, TypeError)
  })
})
