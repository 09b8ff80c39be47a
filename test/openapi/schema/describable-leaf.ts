/** Codecs without inner codecs whose JSON Schema is exact. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  atLeast,
  atMost,
  between,
  length,
  maxLength,
  minLength,
  pattern,
} from '../../../src/codec/constraint.ts'
import { bigint, decimal } from '../../../src/codec/decimal.ts'
import {
  jsonArray,
  jsonObject,
  jsonStructure,
  jsonValue,
} from '../../../src/codec/json/json-value.ts'
import { enumOf, int, lastEventId, number, uuid } from '../../../src/codec/scalar.ts'
import { dateFormat } from '../../../src/codec/temporal/date-format.ts'
import {
  date,
  instant,
  offsetDateTime,
  offsetTime,
  plainDate,
  plainDateTime,
  plainTime,
  year,
  yearMonth,
  zonedDateTime,
} from '../../../src/codec/temporal/date-time.ts'
import { duration } from '../../../src/codec/temporal/duration.ts'
import { anyJson, texts } from './related-json.ts'
import type { Sample } from '../../support/sample.ts'
import { partialObject } from '../../support/sample.ts'

/** A sample whose values are those of the valid texts. */
const fromTexts = (codec: t.Mixed): Sample => {
  const values = texts.map((text) => codec.decode(text)).filter(E.isRight)
  return { codec, value: fc.constantFrom(...values.map(({ right }): unknown => right)) }
}

const constants = (codec: t.Mixed, ...values: ReadonlyArray<unknown>): Sample => ({
  codec,
  value: fc.constantFrom(...values),
})

const words = ['a', 'b', 'ab', '🍐', '']

export const leaves: ReadonlyArray<Sample> = [
  constants(t.string, ...words),
  constants(t.number, 0, 1, 1.5),
  constants(number, 0, 1, 1.5),
  constants(int, 0, 1, -5),
  constants(t.Int, 0, 1, 2 ** 53),
  constants(t.boolean, true, false),
  constants(t.null, null),
  constants(t.undefined, undefined),
  constants(t.void, undefined),
  { codec: t.unknown, value: anyJson },
  { codec: t.any, value: anyJson },
  { codec: t.UnknownArray, value: fc.array(anyJson, { maxLength: 2 }) },
  { codec: t.UnknownRecord, value: partialObject({ a: anyJson, z: anyJson }) },
  { codec: jsonValue, value: anyJson },
  { codec: jsonObject, value: partialObject({ a: anyJson }) },
  { codec: jsonArray, value: fc.array(anyJson, { maxLength: 2 }) },
  { codec: jsonStructure, value: partialObject({ a: anyJson }) },
  constants(t.literal('a'), 'a'),
  constants(t.literal(1), 1),
  constants(t.literal(true), true),
  constants(t.keyof({ a: null, b: null }), 'a', 'b'),
  constants(enumOf('a', 2, 'b', 0), 'a', 2),
  constants(between(1, 9)(int), 1, 9),
  constants(atLeast(0.1)(number), 0.1, 1),
  constants(atMost(5)(atLeast(-1)(t.number)), 5, -1, 1.5),
  constants(length(1, 2)(t.string), 'a', '🍐🍐'),
  constants(minLength(2)(t.string), 'ab', '🍐🍐'),
  constants(maxLength(1)(t.string), '', '🍐'),
  constants(minLength(1)(maxLength(2)(t.string)), 'a', 'ab'),
  constants(pattern(/^[ab]+$/)(t.string), 'a', 'ab'),
  constants(pattern(/^\w{1,2}$/i)(maxLength(1)(t.string)), 'a'),
  constants(pattern(/b/)(pattern(/^a/)(t.string)), 'ab', 'abc'),
  constants(t.intersection([t.string, t.literal('a')]), 'a'),
  constants(t.intersection([t.number, int]), 1),
  constants(
    t.brand(
      int,
      (id): id is t.Branded<number, { readonly Id: symbol }> => Number.isInteger(id),
      'Id',
    ),
    1,
  ),
  { codec: lastEventId, value: fc.constantFrom('a', undefined) },
  { codec: date, value: fc.constantFrom(new Date(0), new Date(1e12)) },
  ...[
    [uuid, decimal, bigint, duration, plainDate, plainTime, plainDateTime, year, yearMonth],
    [zonedDateTime, offsetDateTime, offsetTime, instant],
    [dateFormat('dd/MM/yyyy')(plainDate), dateFormat("EEE d MMM yy 'at' h a")(plainDateTime)],
  ]
    .flat()
    .map((codec: t.Mixed) => fromTexts(codec)),
]
