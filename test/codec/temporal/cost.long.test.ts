import { isRight } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { dateFormat } from '../../../src/codec/temporal/date-format.ts'
import * as Date from '../../../src/codec/temporal/date-time.ts'
import { duration } from '../../../src/codec/temporal/duration.ts'
import { cpuMillis } from '../../support/cpu-time.ts'
import { describe } from '../../support/describe.ts'

const count = 2000

/** The codecs take 0.1 to 5 µs, and up to 10 µs for a local time in a time zone. `Duration.toString` takes 90 µs in `temporal-polyfill`. */
const maxMicroseconds = 15

const two = (n: number): string => String(n).padStart(2, '0')

interface Measurement {
  readonly name: string
  /** The number of texts that are decoded. */
  readonly decode: () => number
  readonly encode: () => number
}

/** Prepares the measurement of a codec with generated texts. */
const measurement = <A>(
  name: string,
  codec: t.Type<A, string>,
  textOf: (index: number) => string,
): Measurement => {
  const texts = Array.from({ length: count }, (_, index) => textOf(index))
  const values = texts.flatMap((text) => {
    const result = codec.decode(text)
    return isRight(result) ? [result.right] : []
  })
  return {
    name,
    decode: () => texts.map((text) => codec.decode(text)).filter(isRight).length,
    encode: () => values.map((value) => codec.encode(value)).length,
  }
}

const valid: ReadonlyArray<Measurement> = [
  measurement('plainDate', Date.plainDate, (n) => `2024-01-${two((n % 28) + 1)}`),
  measurement('plainTime', Date.plainTime, (n) => `10:15:${two(n % 60)}.123456789`),
  measurement(
    'plainDateTime',
    Date.plainDateTime,
    (n) => `2024-01-31T10:15:${two(n % 60)}.123456789`,
  ),
  measurement('instant', Date.instant, (n) => `2024-01-31T10:15:${two(n % 60)}.123456789Z`),
  measurement(
    'instant with an offset',
    Date.instant,
    (n) => `2024-01-31T10:15:${two(n % 60)}+05:30`,
  ),
  measurement(
    'offsetDateTime',
    Date.offsetDateTime,
    (n) => `2024-01-31T10:15:${two(n % 60)}+01:00`,
  ),
  measurement('offsetTime', Date.offsetTime, (n) => `10:15:${two(n % 60)}+01:00`),
  measurement(
    'zonedDateTime',
    Date.zonedDateTime,
    (n) => `2024-01-${two((n % 28) + 1)}T10:15:30+01:00[Europe/Paris]`,
  ),
  measurement('year', Date.year, (n) => `${2000 + n}`),
  measurement('yearMonth', Date.yearMonth, (n) => `2024-${two((n % 12) + 1)}`),
  measurement('duration', duration, (n) => `P1Y2M3DT4H5M${n}.5S`),
  measurement(
    'a pattern with words',
    dateFormat("EEE, dd MMM yyyy HH:mm:ss 'GMT'X")(Date.instant),
    (n) => `Wed, 31 Jan 2024 10:15:${two(n % 60)} GMTZ`,
  ),
  measurement(
    'a pattern with a time zone',
    dateFormat('yyyy-MM-dd HH:mm VV')(Date.zonedDateTime),
    (n) => `2024-01-31 10:${two(n % 60)} Europe/Paris`,
  ),
]

const invalid: ReadonlyArray<Measurement> = [
  measurement('plainDate', Date.plainDate, (n) => `${1000 + n}-02-30`),
  measurement('instant', Date.instant, (n) => `${1000 + n}-02-30T10:15:30Z`),
  measurement('zonedDateTime', Date.zonedDateTime, () => '2024-01-31T10:15:30+02:00[Europe/Paris]'),
  measurement('duration', duration, (n) => `PT${n + 1}H-1M`),
  measurement('a long duration', duration, (n) => `PT${9_007_199_254_750_000 + n}S`),
]

const assertFast = (run: () => unknown): void => {
  const micros = (cpuMillis(run) * 1000) / count
  assert.ok(micros < maxMicroseconds, `${micros} µs`)
}

describe('date codecs', (test) => {
  for (const { name, decode, encode } of valid) {
    test(`${name} decodes in less than ${maxMicroseconds} µs`, () =>
      assertFast(() => assert.is(decode(), count)))
    test(`${name} encodes in less than ${maxMicroseconds} µs`, () =>
      assertFast(() => assert.is(encode(), count)))
  }

  for (const { name, decode } of invalid)
    test(`${name} rejects an impossible value in less than ${maxMicroseconds} µs`, () =>
      assertFast(() => assert.is(decode(), 0)))
})
