/** Signals that are made when somebody asks for them. */
import * as assert from 'uvu/assert'
import type { ClientRequest } from '../../src/client.ts'
import { LightSignal, signalled, signalOf } from '../../src/client/light-signal.ts'
import { describe } from '../support/describe.ts'

const request: Required<ClientRequest> = {
  operation: { name: 'find', template: '/', method: 'POST' },
  method: 'POST',
  url: 'http://localhost/',
  headers: ['accept', '*/*'],
  body: { _tag: 'Whole', content: '' },
  mayRedirect: false,
  signal: AbortSignal.abort('of the request itself'),
  timeout: '1s',
  strayed: true,
}

describe('light signals', (test) => {
  test('tell all who listen, once', () => {
    const told: unknown[] = []
    const signal = new LightSignal()
    const leaving = (): void => void told.push('left')
    signal.addEventListener('abort', () => told.push(signal.reason))
    signal.addEventListener('abort', leaving)
    signal.addEventListener('abort', () => told.push(signal.aborted))
    signal.removeEventListener('abort', leaving)
    assert.is(signal.aborted, false)
    signal.abort('late')
    signal.abort('later')
    assert.equal(told, ['late', true])
  })
  test('are whole for who asks, before and after they abort', () => {
    const [asked, aborted] = [new LightSignal(), new LightSignal()]
    const whole = asked.whole
    assert.ok(whole instanceof AbortSignal)
    assert.is(asked.whole, whole)
    asked.abort('late')
    aborted.abort('late')
    for (const signal of [whole, aborted.whole])
      assert.equal([signal.aborted, signal.reason], [true, 'late'])
  })
})

describe('requests under a light signal', (test) => {
  test('say all else as before', () => {
    const signal = new LightSignal()
    assert.equal({ ...signalled(request, signal) }, { ...request, signal: signal.whole })
    const { operation, method, url, headers, body } = request
    const least = { operation, method, url, headers, body, signal: undefined }
    assert.equal(Object.keys(signalled(least, signal)).toSorted(), [
      'body',
      'headers',
      'mayRedirect',
      'method',
      'operation',
      'signal',
      'url',
    ])
  })
  test('have it until somebody looks, and then the whole one', () => {
    const signal = new LightSignal()
    const under = signalled(request, signal)
    assert.is(signalOf(under), signal)
    assert.is(signal.isAsked, false)
    assert.is(under.signal, signal.whole)
    assert.is(signalOf(under), signal.whole)
  })
  test('have that of a copy, whatever it is', () => {
    const signal = new LightSignal()
    const under = signalled(request, signal)
    assert.is(signalOf({ ...under }), signal.whole)
    assert.is(signalOf({ ...under, signal: request.signal }), request.signal)
    assert.is(signalOf(request), request.signal)
  })
})
