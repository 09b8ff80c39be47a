import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { BackEnd, CompiledCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { exactForm } from './exact-form.ts'
import { maxReportedErrors } from '../../../src/http/failure.ts'
import { backEnds } from '../back-ends.ts'
import type { CodecCase } from './codec-case.ts'
import { codecCase } from './codec-case.ts'
import { describe, law } from '../../support/describe.ts'
import { assertSame } from '../../support/same-value.ts'

/** Returns the result of a call, or the error that it throws. */
const resultOf = (run: () => unknown): unknown => {
  try {
    return { returned: run() }
  } catch (error) {
    return { threw: String(error) }
  }
}

/** The maximum number of errors that are compared, because collecting may stop afterwards. */
const comparedErrors = maxReportedErrors + 1

/** Converts errors to plain values with the names of their types. */
const toPlain = (result: t.Validation<unknown>): unknown =>
  E.isRight(result)
    ? { value: result.right }
    : result.left.slice(0, comparedErrors).map(({ value, context, message }) => ({
        value,
        message,
        context: context.map(({ key, type, actual }) => ({ key, type: type.name, actual })),
      }))

const context: t.Context = [
  { key: 'body', type: t.unknown },
  { key: 'x', type: t.string },
]

/** The hundred runs of a law have about a thousand cases. */
const cases = fc.array(codecCase, { minLength: 1, maxLength: 20, size: 'max' })

type Call = (functions: CompiledCodec | Codec, input: unknown) => unknown

const encodingError = 'encoding error'

/** Whether encoding has thrown an error. Values of other types can be rejected, or encoded as io-ts does. */
const isEncodingError = (result: unknown): boolean =>
  t.UnknownRecord.is(result) && result['returned'] === encodingError

const calls: Readonly<Record<'decode' | 'encode' | 'is', Call>> = {
  decode: (functions, input) => toPlain(functions.decode(input)),
  encode: (functions, input) => {
    try {
      return functions.encode(input)
    } catch {
      // if there are several reasons to throw, the messages may differ
      return encodingError
    }
  },
  is: (functions, input) => functions.is(input),
}

type Check = (compiled: CompiledCodec, form: Codec, input: unknown) => void

const eachOf =
  (backEnd: BackEnd, check: Check) =>
  (all: ReadonlyArray<CodecCase>): void => {
    for (const { codec, undeclared, inputs } of all)
      for (const input of inputs)
        check(compileCodec(codec, undeclared, backEnd), exactForm(codec, undeclared), input)
  }

for (const [name, backEnd] of backEnds)
  describe(`compileCodec laws, ${name} back end`, (test) => {
    law(
      test,
      'decode, encode and is agree with the exact form',
      cases,
      eachOf(backEnd, (compiled, form, input) => {
        for (const [purpose, call] of Object.entries(calls)) {
          const actual = resultOf(() => call(compiled, input))
          if (isEncodingError(actual) && !form.is(input)) continue
          assertSame({ [purpose]: actual }, { [purpose]: resultOf(() => call(form, input)) })
        }
      }),
    )
    law(
      test,
      'validate agrees with the exact form',
      cases,
      eachOf(backEnd, (compiled, form, input) => {
        // the value of an attempt contains errors, which have other contexts
        if (form._tag !== 'AttemptType')
          assertSame(
            resultOf(() => toPlain(compiled.validate(input, context))),
            resultOf(() => toPlain(form.validate(input, context))),
          )
      }),
    )
    law(
      test,
      'write returns the JSON text of the encoded value',
      cases,
      eachOf(backEnd, (compiled, form, input) => {
        const actual = resultOf(() => compiled.write(input))
        const expected = resultOf(() => JSON.stringify(form.encode(input)))
        if (isThrown(actual) && !compiled.is(input)) return
        // if there are several reasons to throw, the messages may differ
        if (isThrown(expected)) assert.ok(isThrown(actual))
        else assertSame(actual, expected)
      }),
    )
    law(
      test,
      'decode returns the same error for all values that a codec rejects uniformly',
      cases,
      (all) => {
        for (const { codec, undeclared, inputs } of all) {
          const { decode, rejectsUniformly } = compileCodec(codec, undeclared, backEnd)
          if (!rejectsUniformly()) continue
          const expected = [{ message: undefined, path: [''], type: codec }]
          for (const input of inputs) {
            const result = decode(input)
            if (E.isLeft(result)) assert.ok(isDeepStrictEqual(result.left.map(described), expected))
          }
        }
      },
    )
    law(test, 'decode does not change Object.prototype', fc.tuple(codecCase), (all) => {
      const before = Object.getOwnPropertyDescriptors(Object.prototype)
      eachOf(backEnd, (compiled, _, input) => resultOf(() => compiled.decode(input)))(all)
      assertSame(Object.getOwnPropertyDescriptors(Object.prototype), before)
    })
  })

const described = ({ message, context: [...entries] }: t.ValidationError): unknown => ({
  message,
  path: entries.map(({ key }) => key),
  type: entries.at(-1)?.type,
})

const isThrown = (result: unknown): boolean => t.type({ threw: t.string }).is(result)
