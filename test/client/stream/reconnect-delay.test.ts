import * as assert from 'uvu/assert'
import { ReconnectDelay } from '../../../src/client/stream/event-stream.ts'
import { describe, table } from '../../support/describe.ts'

const delays = (
  configured: number,
  retry: number | undefined,
  count: number,
  random = 0,
): ReadonlyArray<number> => {
  const delay = new ReconnectDelay(configured, () => random)
  return Array.from({ length: count }, () => delay.next(retry))
}
describe('ReconnectDelay', (test) => {
  table<readonly [title: string, actual: ReadonlyArray<number>, expected: ReadonlyArray<number>]>(
    test,
    [
      [
        'doubles up to 30 seconds',
        delays(3000, undefined, 6),
        [3000, 6000, 12_000, 24_000, 30_000, 30_000],
      ],
      ['grows from the delay that the stream sets', delays(3000, 600, 3), [600, 1200, 2400]],
      ['is at least 500 ms if the stream sets it', delays(1, 0, 2), [500, 1000]],
      ['is at most one hour if the stream sets it', delays(1, 1e300, 2), [3_600_000, 3_600_000]],
      ['may be short if it is configured', delays(1, undefined, 2), [1, 2]],
      ['grows from 1 ms if 0 is configured', delays(0, undefined, 2), [1, 2]],
      ['may be long if it is configured', delays(60_000, undefined, 2), [60_000, 60_000]],
      ['contains a random part', delays(1000, undefined, 2, 0.5), [1250, 2500]],
    ],
    (_, actual, expected) => assert.equal(actual, expected),
  )
  test('starts again after an event', () => {
    const delay = new ReconnectDelay(1000, () => 0)
    assert.equal([delay.next(undefined), delay.next(undefined)], [1000, 2000])
    delay.onEvent()
    assert.is(delay.next(undefined), 1000)
  })
  test('starts again after a connection of 30 seconds, and not after attempts of 30 seconds', () => {
    let now = 0
    const delay = new ReconnectDelay(
      1000,
      () => 0,
      () => now,
    )
    assert.equal([delay.next(undefined), delay.next(undefined)], [1000, 2000])
    now = 30_000
    assert.is(delay.next(undefined), 4000)
    delay.onConnection()
    now = 60_000
    assert.is(delay.next(undefined), 1000)
  })
})
