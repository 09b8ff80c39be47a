import * as assert from 'uvu/assert'
import { isAbort, isDisconnect } from '../../../src/interpreter/errors/log-errors.ts'
import { describe, table } from '../../support/describe.ts'

const disconnected = () => AbortSignal.abort()
const connected = () => new AbortController().signal
const errorWithCode = (code: string) => Object.assign(new Error(code), { code })

const revoked = Proxy.revocable({}, {})
revoked.revoke()

const unreadable = Object.defineProperty(new Error('unreadable'), 'cause', {
  get: () => assert.unreachable(),
})

const cycle = new Error('cycle')
cycle.cause = cycle

describe('isAbort', (test) => {
  table<readonly [string, unknown, () => AbortSignal, boolean]>(
    test,
    [
      ['the reason of the signal', disconnected().reason, disconnected, true],
      ['a connection that was reset', errorWithCode('ECONNRESET'), disconnected, true],
      ['a broken pipe', errorWithCode('EPIPE'), disconnected, true],
      [
        'a nested cause',
        new Error('a', { cause: new Error('b', { cause: disconnected().reason }) }),
        disconnected,
        true,
      ],
      ['a TypeError', new TypeError('a defect'), disconnected, false],
      ['an unrelated error code', errorWithCode('ENOENT'), disconnected, false],
      ['a cycle of causes', cycle, disconnected, false],
      ['a string', 'ECONNRESET', disconnected, false],
      ['an error whose cause cannot be read', unreadable, disconnected, false],
      ['a revoked proxy', revoked.proxy, disconnected, false],
      ['ECONNRESET while the client is connected', errorWithCode('ECONNRESET'), connected, false],
      ['an AbortError while the client is connected', disconnected().reason, connected, false],
    ],
    (_, error, signal, expected) => assert.is(isAbort(error, signal), expected),
  )
  test('creates no signal for an unrelated error', () =>
    assert.not(
      isAbort(new Error('a defect'), () => {
        throw new Error('signal created')
      }),
    ))
})

describe('isDisconnect', (test) => {
  table<readonly [string, unknown, () => AbortSignal, boolean]>(
    test,
    [
      ['the reason of the signal after the disconnect', disconnected().reason, disconnected, true],
      [
        'an error of the application after the disconnect',
        new Error('cancelled'),
        disconnected,
        true,
      ],
      ['a system error after the disconnect', errorWithCode('ENOENT'), disconnected, true],
      ['a value that is not an error after the disconnect', 'cancelled', disconnected, true],
      ['a TypeError after the disconnect', new TypeError('a defect'), disconnected, false],
      [
        'a TypeError whose cause is the abort',
        new TypeError('fetch failed', { cause: disconnected().reason }),
        disconnected,
        true,
      ],
      ['an error whose cause cannot be read', unreadable, disconnected, false],
      ['a revoked proxy', revoked.proxy, disconnected, false],
      [
        'an error of the application while the client is connected',
        new Error('x'),
        connected,
        false,
      ],
      [
        'the reason of another abort signal while the client is connected',
        disconnected().reason,
        connected,
        false,
      ],
    ],
    (_, error, signal, expected) => assert.is(isDisconnect(error, signal), expected),
  )
})
