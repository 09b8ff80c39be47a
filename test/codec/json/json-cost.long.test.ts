/** Compares the CPU time to parse hostile JSON with that of `JSON.parse`. */
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import * as JsonParser from '../../../src/codec/json/json-guard.ts'
import { cpuMillis } from '../../support/cpu-time.ts'
import { describe, table } from '../../support/describe.ts'

const bounds: JsonParser.JsonBounds = { depth: 100, keys: 1000 }
const size = 500_000

const fill = (text: string): string => text.repeat(Math.floor(size / text.length))

/** Repeats a text to 5 MB, for which `JSON.parse` takes 200 to 1000 ms, and the scan 10 ms. */
const fillMore = (text: string): string => text.repeat(Math.floor(5_000_000 / text.length))

const parsed = (text: string): E.Either<JsonParser.JsonError, unknown> =>
  JsonParser.parse(new TextEncoder().encode(text), bounds)

const nested = (open: string, close: string): string => open.repeat(98) + close.repeat(98)

describe('JsonParser.parse: CPU time', (test) => {
  table(
    test,
    [
      ['arrays nested to 99 levels', `[${fill(`${nested('[', ']')},`)}0]`],
      ['siblings at level 99', `${'['.repeat(98)}${fill('[],')}[]${']'.repeat(98)}`],
      ['objects', `[${fill('{"a":1},')}0]`],
      ['distinct names', `[${fill('{"a":1,"b":2,"c":3},')}0]`],
      ['numbers after an escaped letter', `["\\u0061",${fill('0,')}0]`],
      ['arrays after an escaped letter', `["\\u0061",${fill('[],')}0]`],
      ['numbers after a large one', `[1e100,${fill('0,')}0]`],
      ['rows of 199 digits', `[${fill(`${'1'.repeat(199)},`)}0]`],
    ] as const,
    (name, text) => {
      assert.ok(E.isRight(parsed(text)))
      const floor = cpuMillis(() => JSON.parse(text), 3)
      const millis = cpuMillis(() => parsed(text), 3)
      assert.ok(millis < 10 * floor + 50, `${name}: ${millis} ms, JSON.parse ${floor} ms`)
    },
  )

  table(
    test,
    [
      ['unclosed arrays', `[${fillMore('[],')}0`],
      ['unclosed nested arrays', `[${fillMore(`${nested('[', ']')},`)}0`],
      ['unclosed objects', `[${fillMore('{},')}{`],
      ['an unclosed string', `[${fillMore('{},')}"`],
      ['a string that ends in an escape', `[${fillMore('{},')}"\\`],
    ] as const,
    (name, text) => {
      assert.equal(
        E.mapLeft(({ detail }: JsonParser.JsonError) => detail)(parsed(text)),
        E.left('malformed JSON: unclosed array, object or string'),
      )
      const millis = cpuMillis(() => parsed(text), 3)
      assert.ok(millis < 150, `${name}: ${millis} ms`)
    },
  )

  test('an unclosed text of up to 128 KB is rejected with the position of its error', () =>
    assert.equal(
      E.mapLeft(({ detail }: JsonParser.JsonError) => detail)(
        parsed(`{\n${'"a":1,\n'.repeat(900)}${' '.repeat(20_000)}b`),
      ),
      E.left('malformed JSON at line 902, column 20001'),
    ))
})
