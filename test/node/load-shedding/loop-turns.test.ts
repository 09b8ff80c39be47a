import * as assert from 'uvu/assert'
import { LoopTurns } from '../../../src/node/load-shedding/loop-turns.ts'
import { describe } from '../../support/describe.ts'

const followed = () => {
  let now = 0
  const turns = new LoopTurns({ now: () => now, idle: () => 0 })
  return {
    turns,
    /** Handles requests in one turn, each of which takes so many milliseconds; returns how long the last one has waited at least. */
    turn: (count: number, milliseconds: number): number => {
      for (let index = 0; index < count; index++) {
        turns.waited(now)
        now += milliseconds
      }
      const waited = turns.waitedAtLeast(now)
      turns.turned()
      return waited
    },
  }
}

describe('LoopTurns', (test) => {
  test('a turn begins anew after each poll', () => {
    const { turns, turn } = followed()
    turns.start(0, 0)
    assert.is(turn(4, 10), 40)
    assert.is(turn(2, 10), 20)
    turns.stop()
  })
  test('turns that have accepted a connection each count as one', () => {
    const { turns, turn } = followed()
    turns.start(0, 0)
    for (const expected of [10, 20, 30]) {
      turns.connected()
      assert.is(turn(1, 10), expected)
    }
    turns.stop()
  })
  test('turns in which most requests come on earlier connections count as one only if all connections count', () => {
    for (const [counts, expected] of [
      [false, 40],
      [true, 80],
    ] as const) {
      const { turns, turn } = followed()
      turns.start(0, 0)
      turns.countsConnections = counts
      turns.connected()
      turn(4, 10)
      assert.is(turn(4, 10), expected)
      turns.stop()
    }
  })
  test('connections that were accepted before the start do not count', () => {
    const { turns, turn } = followed()
    for (let index = 0; index < 100; index++) turns.connected()
    turns.start(0, 0)
    turns.connected()
    turn(4, 10)
    assert.is(turn(4, 10), 40)
    turns.stop()
  })
})
