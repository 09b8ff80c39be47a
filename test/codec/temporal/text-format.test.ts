/** Parses what text formats write. */
import * as fc from 'fast-check'
import { isRight } from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { type DateFields, defaultFields } from '../../../src/codec/temporal/calendar.ts'
import { textFormat } from '../../../src/codec/temporal/text-format.ts'
import type { DateElement } from '../../../src/codec/temporal/date-elements.ts'
import { time } from '../../../src/codec/temporal/date-elements.ts'
import { parse } from '../../../src/codec/temporal/date-format.ts'
import {
  isoInstant,
  isoLocal,
  offsetFromUtc,
  yyyyMMdd,
} from '../../../src/codec/temporal/date-time.ts'
import { suffixTags, timeZoneSuffix } from '../../../src/codec/temporal/offset-elements.ts'
import { describe, law } from '../../support/describe.ts'

type Elements = ReadonlyArray<DateElement>

const elementsOf = (pattern: string): Elements =>
  parse(pattern)
    .filter(isRight)
    .flatMap(({ right }) => (typeof right === 'object' ? [right] : []))

const iso: ReadonlyArray<Elements> = [
  yyyyMMdd,
  [time],
  [time, offsetFromUtc],
  isoLocal,
  [...isoLocal, offsetFromUtc, timeZoneSuffix, suffixTags],
  [...isoInstant, suffixTags],
]

const patterns = [
  'y-M-d',
  'dd/MM/yyyy',
  'yyyyMMdd',
  'dMMyyyy',
  'yyyyMMddHHmmssSSSX',
  'EEE, dd MMM yyyy HH:mm:ss X',
  'EEEE d MMMM yy h:mm a',
  'yyyyyMMdd hh:mm a',
  'HH:mm XX',
  'HHmmXXXX',
  'XHH',
  'XXXXX:ss',
  'yyyy-MM-dd HH:mm VV',
  'VV-dd',
  "VV'Z'HH",
  'h a S',
  'kk K a',
  'yyyy-DDD',
  'D.y QQQ',
  'NNN',
  'n',
  'HH:mm O',
  'HH:mm ZZZZ',
]

const formats: ReadonlyArray<Elements> = [...iso, ...patterns.map(elementsOf)]

const fields: fc.Arbitrary<DateFields> = fc
  .record({
    year: fc.oneof(fc.integer({ min: -271_821, max: 275_760 }), fc.integer({ min: 0, max: 9999 })),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
    hour: fc.nat(23),
    minute: fc.nat(59),
    second: fc.nat(59),
    millisecond: fc.nat(999),
    microsecond: fc.constantFrom(0, 1, 999),
    nanosecond: fc.constantFrom(0, 1, 999),
    offset: fc.constantFrom(0, 3600, -19_800, 561),
    timeZone: fc.constantFrom('UTC', 'Europe/Paris', 'Etc/GMT+5', '+01:00', '+00:00'),
  })
  .map((values) => ({ ...defaultFields(), ...values }))

describe('text formats', (test) => {
  law(
    test,
    'formatted fields are parsed',
    fc.tuple(fc.constantFrom(...formats), fields),
    ([elements, values]) => {
      const { format, parse: read } = textFormat(elements)
      const text = format(values)
      assert.ok(read(text) !== undefined, text)
    },
  )
})
