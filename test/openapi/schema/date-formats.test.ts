/** Compares codecs for dates with the formats of JSON Schema that describe them. */
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Codec } from '../../../src/codec/codec.ts'
import {
  date,
  instant,
  offsetDateTime,
  offsetTime,
  plainDate,
} from '../../../src/codec/temporal/date-time.ts'
import { patternOf } from '../../../src/openapi/schema/scalars.ts'
import { describe, table } from '../../support/describe.ts'
import { dateFormats, jsonContext, schemaDocument } from './check-schema.ts'

const digits = (min: number, max: number, length = 2): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((value) => String(value).padStart(length, '0'))

const anyDate = fc
  .tuple(digits(0, 9999, 4), digits(1, 12), digits(1, 31))
  .map((parts) => parts.join('-'))

const fraction = fc
  .option(fc.integer({ min: 1, max: 9 }).chain((length) => digits(0, 10 ** length - 1, length)))
  .map((text) => (text === null ? '' : `.${text}`))

const offset = fc.oneof(
  fc.constantFrom('Z', 'z', '-00:00'),
  fc
    .tuple(fc.constantFrom('+', '-'), digits(0, 23), digits(0, 59))
    .map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
)

const anyTime = fc
  .tuple(digits(0, 23), digits(0, 59), digits(0, 60), fraction, offset)
  .map(([hour, minute, second, part, zone]) => `${hour}:${minute}:${second}${part}${zone}`)

/** Texts of the formats, and a few texts of days that do not exist. */
const textsOf: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: anyDate,
  time: anyTime,
  'date-time': fc.tuple(anyDate, fc.constantFrom('T', 't'), anyTime).map((parts) => parts.join('')),
}

type Row = readonly [title: string, codec: Codec]

describe('formats of dates', (test) =>
  table<Row>(
    test,
    [
      ['plainDate', plainDate],
      ['offsetTime', offsetTime],
      ['offsetDateTime', offsetDateTime],
      ['instant', instant],
      ['date', date],
    ],
    (_, codec) => {
      const schema = schemaDocument(codec, jsonContext('input'))
      const { format = '' } = schema
      const isFormat = dateFormats[format] ?? (() => false)
      const pattern = new RegExp(patternOf(schema) ?? '(?!)', 'u')
      fc.assert(
        fc.property(textsOf[format] ?? fc.constant(''), (text) => {
          assert.ok(pattern.test(text), `${text} matches the pattern`)
          if (!isFormat(text)) return
          const decoded = codec.decode(text)
          assert.is(decoded._tag, 'Right', `${text} is accepted`)
          if (decoded._tag === 'Left') return
          const written = String(codec.encode(decoded.right))
          // the offset can lead to another year than 0 to 9999
          if (/^\d/.test(written)) assert.ok(isFormat(written), written)
        }),
      )
    },
  ))
