/** Compares the codecs, which compute dates without `Temporal`, with `Temporal`. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { dateFormat } from '../../../src/codec/temporal/date-format.ts'
import * as Date from '../../../src/codec/temporal/date-time.ts'
import { duration } from '../../../src/codec/temporal/duration.ts'
import { temporal } from '../../../src/codec/temporal/temporal-api.ts'
import { anyInstant } from './date-time-tables.ts'
import { describe, law } from '../../support/describe.ts'

const { Duration, Instant, PlainDate, PlainDateTime, PlainTime, PlainYearMonth, ZonedDateTime } =
  temporal()

const digits = (width: number, max: number): fc.Arbitrary<string> =>
  fc.nat(max).map((n) => String(n).padStart(width, '0'))

const join = (...parts: ReadonlyArray<fc.Arbitrary<string>>): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(''))

const constant = (text: string): fc.Arbitrary<string> => fc.constant(text)

const year = fc.oneof(
  digits(4, 9999),
  fc.integer({ min: 1850, max: 2150 }).map(String),
  fc.constantFrom('-000001', '-271821', '-271822', '+275760', '+275761', '+010000'),
)
const yearMonth = join(year, constant('-'), digits(2, 13))
const date = join(yearMonth, constant('-'), digits(2, 32))
const minutes = join(digits(2, 24), constant(':'), digits(2, 60), constant(':'))
const clock = join(minutes, digits(2, 59)) // Temporal reads :60 as :59

const time = fc.oneof(
  join(minutes, digits(2, 61)),
  join(clock, fc.constantFrom('.', ','), digits(3, 999)),
  join(clock, constant('.'), digits(9, 999_999_999)),
)
/** Both ends of the ranges, where the offset determines whether a value is in range. */
const edge = fc.constantFrom(
  '+275760-09-13T00:00:00',
  '+275760-09-13T23:59:59.999999999',
  '-271821-04-19T00:00:00',
  '-271821-04-19T00:00:00.000000001',
  '-271821-04-20T00:00:00',
)
const dateTime = fc.oneof(
  { weight: 20, arbitrary: join(date, fc.constantFrom('T', 't', ' '), time) },
  edge,
)
const offset = fc.constantFrom(
  '+00:00',
  '+0000',
  '+00',
  'Z',
  'z',
  '+01:00',
  '+0100',
  '+01',
  '-05:00',
  '+02:00',
  '+05:30',
  '-0530',
  '-23:59',
  '+23:59',
)
const suffix = fc.constantFrom(
  '',
  '[Europe/Paris]',
  '[+0530]',
  '[u-ca=iso8601]',
  '[!u-ca=iso8601]',
  '[foo=bar]',
  '[!x-foo=bar]',
  '[Europe/Paris][u-ca=gregory][_a=b]',
  '[u-ca=iso8601][Europe/Paris]',
  '[',
  '[]',
)
const zone = fc.constantFrom(
  'UTC',
  'Europe/Paris',
  'EUROPE/BERLIN',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Gaza',
  'Nowhere/Else',
  '+05:30',
)

/** Returns the text of the value, or `undefined` for a text that Temporal rejects. */
const textOrUndefined = (create: () => unknown): string | undefined => {
  try {
    return String(create())
  } catch {
    return undefined
  }
}

const assertAgrees = <A>(codec: t.Type<A, string>, text: string, create: () => unknown): void => {
  const decoded = codec.decode(text)
  assert.is(E.isRight(decoded) ? String(decoded.right) : undefined, textOrUndefined(create), text)
}

describe('date codecs and Temporal', (test) => {
  law(test, 'plainDate decodes like PlainDate.from', date, (text) =>
    assertAgrees(Date.plainDate, text, () => PlainDate.from(text)),
  )
  law(test, 'plainTime decodes like PlainTime.from', time, (text) =>
    assertAgrees(Date.plainTime, text, () => PlainTime.from(text)),
  )
  law(test, 'plainDateTime decodes like PlainDateTime.from', dateTime, (text) =>
    assertAgrees(Date.plainDateTime, text, () => PlainDateTime.from(text)),
  )
  law(test, 'yearMonth decodes like PlainYearMonth.from', yearMonth, (text) =>
    assertAgrees(Date.yearMonth, text, () => PlainYearMonth.from(text)),
  )
  law(test, 'instant decodes like Instant.from', join(dateTime, offset, suffix), (text) =>
    assertAgrees(Date.instant, text, () => Instant.from(text)),
  )
  law(test, 'offsetDateTime decodes like ZonedDateTime.from', fc.tuple(dateTime, offset), (row) =>
    assertAgrees(Date.offsetDateTime, row.join(''), () =>
      ZonedDateTime.from(`${row.join('')}[${row[1].replace(/^z$/i, '+00:00')}]`),
    ),
  )
  law(
    test,
    'zonedDateTime decodes like ZonedDateTime.from',
    join(dateTime, offset, constant('['), zone, constant(']')),
    (text) => assertAgrees(Date.zonedDateTime, text, () => ZonedDateTime.from(text)),
  )

  const inZone = dateFormat("yyyy-MM-dd'T'HH:mm:ss VV")(Date.zonedDateTime)
  law(
    test,
    'a local time in a zone is the earlier of two, and rejected if the clocks skip it',
    fc.tuple(join(date, constant('T'), clock), zone),
    ([local, id]) =>
      assertAgrees(inZone, `${local} ${id}`, () => {
        const value = PlainDateTime.from(local, { overflow: 'reject' }).toZonedDateTime(id)
        if (value.toPlainDateTime().equals(local)) return value
        throw new RangeError('skipped')
      }),
  )
  law(
    test,
    'zonedDateTime encodes like ZonedDateTime.toString',
    fc.tuple(
      anyInstant,
      zone.filter((id) => id !== 'Nowhere/Else' && id !== '+05:30'),
    ),
    ([value, id]) => {
      const zoned = value.toZonedDateTimeISO(id)
      const text = Date.zonedDateTime.encode(zoned).replace('Z[', '+00:00[')
      const short = String(zoned).replace(/^([+-])0{1,2}(?=\d{4,5}-)/, '$1')
      if (zoned.offset.length === 6) assert.is(text, short)
    },
  )

  const amount = fc.oneof(fc.nat(9), fc.nat(99_999), fc.nat(2 ** 32), fc.maxSafeNat())
  const optional = (unit: string): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant(''),
      amount.map((n) => `${n}${unit}`),
    )
  const anyDuration = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      join(...['Y', 'M', 'W', 'D'].map(optional)),
      join(
        ...['H', 'M'].map(optional),
        fc.oneof(optional('S'), join(digits(1, 99), constant('.'), digits(3, 999), constant('S'))),
      ),
    )
    .map(([sign, days, times]) => `${sign}P${days}${times === '' ? '' : `T${times}`}`)

  law(test, 'duration decodes like Duration.from', anyDuration, (text) =>
    assertAgrees(duration, text, () => Duration.from(text)),
  )
  law(
    test,
    'duration encodes like Duration.toString',
    fc.tuple(fc.boolean(), fc.array(fc.oneof(fc.nat(9), fc.nat(2000)), { maxLength: 10 })),
    ([isNegative, parts]) => {
      const value = new Duration(...parts)
      const signed = isNegative ? value.negated() : value
      assert.is(duration.encode(signed), String(signed))
    },
  )
})
