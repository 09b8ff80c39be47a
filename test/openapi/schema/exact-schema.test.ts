/**
 * Compares the schemas of arbitrary codecs with the codecs.
 *
 * The formats of dates are those of RFC 3339. The server also reads dates in other forms, and writes dates that RFC 3339 cannot represent.
 */
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Codec } from '../../../src/codec/codec.ts'
import { canGenerateCode } from '../../../src/codec/compiled/select-back-end.ts'
import {
  date,
  instant,
  offsetDateTime,
  offsetTime,
  plainDate,
} from '../../../src/codec/temporal/date-time.ts'
import type { SchemaContext } from '../../../src/openapi/schema/schema-generator.ts'
import { describe, repetitions } from '../../support/describe.ts'
import {
  accepts,
  dateFormats,
  jsonContext,
  schemaDocument,
  validator,
  visibilityRules,
  written,
} from './check-schema.ts'
import { describableSample, internalView, publicView } from './describable-sample.ts'
import { anyJson, memberNames } from './related-json.ts'

/** A codec with values, and JSON values that are valid for it, almost valid, or arbitrary. */
interface Case {
  readonly codec: Codec
  readonly values: ReadonlyArray<unknown>
  readonly inputs: ReadonlyArray<unknown>
}

const anyName = fc.constantFrom(...memberNames)

/** Returns a JSON value with one change at any depth. */
const mutated = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) {
    const elements: ReadonlyArray<unknown> = value
    const longer = anyJson.map((element) => [...elements, element])
    if (elements.length === 0) return longer
    const index = fc.nat({ max: elements.length - 1 })
    return fc.oneof(
      anyJson,
      longer,
      index.map((at) => elements.toSpliced(at, 1)),
      index.chain((at) => mutated(elements[at]).map((to) => elements.with(at, to))),
    )
  }
  if (typeof value !== 'object' || value === null) return anyJson
  const entries: ReadonlyArray<readonly [string, unknown]> = Object.entries(value)
  const added = fc
    .tuple(anyName, anyJson)
    .map(([name, member]): unknown => ({ ...value, [name]: member }))
  if (entries.length === 0) return added
  const index = fc.nat({ max: entries.length - 1 })
  return fc.oneof(
    anyJson,
    added,
    index.map((at): unknown => Object.fromEntries(entries.toSpliced(at, 1))),
    index.chain((at) => {
      const [name = '', member] = entries[at] ?? []
      return mutated(member).map((to): unknown => ({ ...value, [name]: to }))
    }),
  )
}

/** Returns the JSON form of an encoded value. Returns `null` if it has none. */
const toJson = (value: unknown): unknown => {
  const text: unknown = JSON.stringify(value)
  return typeof text === 'string' ? JSON.parse(text) : null
}

const everything = visibilityRules(undefined, false)

/** Whether a value can be decoded again. In a union, `t.UnknownRecord` encodes the dates of other codecs, because they are objects. */
const isUnambiguous = (codec: Codec, value: unknown): boolean =>
  accepts(codec, jsonContext('input'))(toJson(written(codec, value, everything, [])))

const anyCase: fc.Arbitrary<Case> = describableSample.chain(({ codec, value }) => {
  const encoded = value.map((decoded) => toJson(written(codec, decoded, everything, [])))
  const input = fc.oneof(
    encoded,
    encoded.chain(mutated),
    encoded.chain(mutated).chain(mutated),
    anyJson,
  )
  return fc
    .tuple(
      fc.array(value, { minLength: 1, maxLength: 3 }),
      fc.array(input, { minLength: 1, maxLength: 8 }),
    )
    .map(([values, inputs]) => ({
      codec,
      values: values.filter((decoded) => isUnambiguous(codec, decoded)),
      inputs: inputs.map(toJson),
      [fc.toStringMethod]: () => `${codec.name}: ${inspect({ values, inputs }, { depth: 12 })}`,
    }))
})

const inputContext = fc
  .record({
    view: fc.constantFrom(undefined, publicView, internalView),
    rejectsUndeclared: fc.boolean(),
  })
  .map(({ view, rejectsUndeclared }) =>
    jsonContext('input', { rejectsUndeclared, visibility: visibilityRules(view) }),
  )

const outputRules = fc
  .record({
    view: fc.constantFrom(undefined, publicView, internalView),
    secure: fc.boolean(),
  })
  .map(({ view, secure }) => visibilityRules(view, secure))

const dateCodecs: ReadonlyArray<readonly [format: string, codec: Codec]> = [
  ['date', plainDate],
  ['time', offsetTime],
  ['date-time', offsetDateTime],
  ['date-time', instant],
  ['date-time', date],
]

/** Whether a codec for dates accepts a text that does not have its format. */
const isOtherDate = (text: string): boolean =>
  dateCodecs.some(
    ([format, codec]) =>
      codec.decode(text)._tag === 'Right' && dateFormats[format]?.(text) !== true,
  )

/** Whether a value contains a text, or a name of a member, that is a date in another form. */
const hasOtherDates = (value: unknown): boolean =>
  typeof value === 'string'
    ? isOtherDate(value)
    : typeof value === 'object' &&
      value !== null &&
      (Object.keys(value).some(hasOtherDates) || Object.values(value).some(hasOtherDates))

const options = { numRuns: repetitions(15, 1000), includeErrorInReport: true }

const failure = (value: unknown, codec: Codec, context: SchemaContext): string =>
  `${JSON.stringify(value)}: ${JSON.stringify(schemaDocument(codec, context))}`

const suite: Parameters<typeof describe>[1] = (test) => {
  test('accept the same input as the codec, apart from dates in other forms', () =>
    fc.assert(
      fc.property(anyCase, inputContext, ({ codec, inputs }, context) => {
        const isValid = validator(codec, context)
        const isAccepted = accepts(codec, context)
        for (const input of inputs)
          if (isValid(input) || !hasOtherDates(input))
            assert.is(isValid(input), isAccepted(input), failure(input, codec, context))
      }),
      options,
    ))
  test('accept all output', () =>
    fc.assert(
      fc.property(anyCase, outputRules, ({ codec, values }, rules) => {
        const context = jsonContext('output', { visibility: rules })
        const isValid = validator(codec, context)
        for (const value of values)
          for (const roles of [[], ['chief']]) {
            const output = written(codec, value, rules, roles)
            if (output !== undefined && !hasOtherDates(output))
              assert.ok(isValid(output), failure(output, codec, context))
          }
      }),
      options,
    ))
}

// ajv generates code
if (canGenerateCode()) describe('schemas of arbitrary codecs', suite)
