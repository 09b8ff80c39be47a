/** The time of decoding that fails late. */
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { list } from '../../../src/codec/collection.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { instant } from '../../../src/codec/temporal/date-time.ts'
import { describe, table } from '../../support/describe.ts'
import { backEnds } from '../back-ends.ts'

const rounds = [1, 2, 3, 4, 5]

describe('rejecting a long array takes at most three times the time of accepting it', (test) => {
  table<(typeof backEnds)[number]>(test, backEnds, (_, backEnd) => {
    const { decode } = compileCodec(list(instant), 'drop', backEnd)
    const valid = Array<unknown>(30_000).fill('2024-01-31T10:15:30Z')
    const millis = (array: ReadonlyArray<unknown>, isValid: boolean): number => {
      const start = process.cpuUsage()
      assert.is(E.isRight(decode(array)), isValid)
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1000
    }
    for (const _round of rounds) millis(valid, true)
    const accepting = Math.min(...rounds.map(() => millis(valid, true)))
    const rejecting = Math.min(...rounds.map(() => millis([...valid, null], false)))
    assert.ok(rejecting < 3 * accepting + 5, `${rejecting} ms, ${accepting} ms`)
  })
})
