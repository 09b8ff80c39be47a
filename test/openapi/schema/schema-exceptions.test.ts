/**
 * The exceptions to the rule that a schema accepts the same values as its codec. The schema accepts more in 1 to 3, and less in 4 to
 * 6:
 *
 * 1. Functions and regular expressions of the application: `constrained`, predicates of refinements, opaque codecs without
 *    `withSchema`, Standard Schemas that JSON Schema cannot express, and regular expressions with word boundaries, backreferences,
 *    lookbehinds, or surrogates that are matched separately because the flag `u` is missing. JSON Schema has no functions, and
 *    `pattern` only has what validators in all languages support.
 * 2. Dates, times, durations and time zones that have the syntax of the pattern, but do not exist, such as `29/02/2023`. A pattern
 *    cannot count days. Fractions with more than nine digits, which the formats of RFC 3339 allow.
 * 3. Bounds and limits of decimal numbers and large integers in strings (`x-minimum`, `x-maximum`). JSON Schema has no bounds for
 *    strings.
 * 4. `attempt`, whose schema describes the values without errors, although the server accepts all values.
 * 5. Members with names of `Object.prototype`. A missing member named `toString` is the inherited function, and members named
 *    `__proto__` are ignored, even in records.
 * 6. Dates in forms that RFC 3339 does not have, such as `2024-01-31 10:15Z`, and years before 0 and after 9999.
 */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Codec } from '../../../src/codec/codec.ts'
import { atLeast, constrained, pattern } from '../../../src/codec/constraint.ts'
import { bigint, decimal } from '../../../src/codec/decimal.ts'
import { fromString } from '../../../src/codec/from-string.ts'
import { canGenerateCode } from '../../../src/codec/compiled/select-back-end.ts'
import { attempt } from '../../../src/codec/structure/parameter-codecs.ts'
import { int, string } from '../../../src/codec/scalar.ts'
import { dateFormat } from '../../../src/codec/temporal/date-format.ts'
import { date, instant, plainDate, zonedDateTime } from '../../../src/codec/temporal/date-time.ts'
import { duration } from '../../../src/codec/temporal/duration.ts'
import { describe, table } from '../../support/describe.ts'
import { accepts, jsonContext, validator } from './check-schema.ts'

type Row = readonly [title: string, codec: Codec, input: unknown]

const rows: ReadonlyArray<Row> = [
  ['1: a condition of the application', constrained('even', (n: number) => n % 2 === 0)(int), 1],
  ['1: an opaque codec', fromString('a URI', () => undefined, String), 'x'],
  ['1: a word boundary', pattern(/^a\b/)(string), 'ab'],
  ['1: a dot that matches a surrogate', pattern(/^.$/)(string), '🍐'],
  ['2: a day that does not exist', dateFormat('dd/MM/yyyy')(plainDate), '29/02/2023'],
  ['2: ten digits of a fraction', instant, '2024-01-31T10:15:30.1234567890Z'],
  ['2: an unknown time zone', zonedDateTime, '2024-01-31T10:15Z[Nowhere]'],
  ['2: a duration with different signs', duration, 'P1DT-2H'],
  ['3: a bound of decimal numbers', atLeast(0)(decimal), '-0.5'],
  ['3: a bound of large integers', atLeast(0)(bigint), '-5'],
  ['3: too many digits', decimal, '1'.repeat(1001)],
  ['3: a large scale', decimal, '0.1e-9999'],
  ['4: attempt', attempt(int), 'x'],
  ['5: an ignored member', t.record(string, int), JSON.parse('{"__proto__":"x"}')],
  ['6: a time without seconds', instant, '2024-01-31 10:15Z'],
  ['6: a date as a time', date, '2024-01-31'],
  ['6: a large year', plainDate, '+12024-01-31'],
]

// ajv generates code
if (canGenerateCode())
  describe('exceptions of schemas', (test) =>
    table<Row>(test, rows, (title, codec, input) => {
      const context = jsonContext('input')
      const isAccepted = accepts(codec, context)(input)
      assert.is(isAccepted, /^[456]/.test(title))
      assert.is(validator(codec, context)(input), !isAccepted)
    }))
