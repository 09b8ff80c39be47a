import * as assert from 'uvu/assert'
import { isAbort, isDisconnect } from '../../../src/interpreter/errors/client-disconnect.ts'
import { describe, table } from '../../support/describe.ts'

const gone = () => AbortSignal.abort()
const here = () => new AbortController().signal
const coded = (code: string) => Object.assign(new Error(code), { code })

const cycle = new Error('cycle')
cycle.cause = cycle

describe('isDeparture', (test) => {
  table<readonly [string, unknown, () => AbortSignal, boolean]>(
    test,
    [
      ['the reason of the signal', gone().reason, gone, true],
      ['a connection that was reset', coded('ECONNRESET'), gone, true],
      ['a broken pipe', coded('EPIPE'), gone, true],
      ['a cause', new Error('a', { cause: new Error('b', { cause: gone().reason }) }), gone, true],
      ['another error', new TypeError('a defect'), gone, false],
      ['another code', coded('ENOENT'), gone, false],
      ['a cycle', cycle, gone, false],
      ['no error', 'ECONNRESET', gone, false],
      ['a database that was reset while the client is here', coded('ECONNRESET'), here, false],
      ['an operation that was aborted otherwise', gone().reason, here, false],
    ],
    (_, error, signal, expected) => assert.is(isAbort(error, signal), expected),
  )
  test('asks for no signal where the error is another one', () =>
    assert.not(
      isAbort(new Error('a defect'), () => {
        throw new Error('asked')
      }),
    ))
})

describe('isDisconnect', (test) => {
  table<readonly [string, unknown, () => AbortSignal, boolean]>(
    test,
    [
      ['the reason of the signal after the disconnect', gone().reason, gone, true],
      ['an error of the application after the disconnect', new Error('cancelled'), gone, true],
      ['a system error after the disconnect', coded('ENOENT'), gone, true],
      ['a value that is not an error after the disconnect', 'cancelled', gone, true],
      ['a TypeError after the disconnect', new TypeError('a defect'), gone, false],
      [
        'a TypeError whose cause is the abort',
        new TypeError('fetch failed', { cause: gone().reason }),
        gone,
        true,
      ],
      ['an error of the application while the client is connected', new Error('x'), here, false],
      ['an AbortError while the client is connected', gone().reason, here, false],
    ],
    (_, error, signal, expected) => assert.is(isDisconnect(error, signal), expected),
  )
})
