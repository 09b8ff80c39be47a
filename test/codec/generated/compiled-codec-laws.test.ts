import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { BackEnd, CompiledCodec } from '../../../src/codec/generated/compiled-codec.ts'
import { compileCodec } from '../../../src/codec/generated/compiled-codec.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import { exactForm } from '../../../src/codec/structure/exact-form.ts'
import { maxReportedErrors } from '../../../src/http/failure.ts'
import { backEnds } from '../../support/back-ends.ts'
import type { CodecCase } from '../../support/codec-case.ts'
import { codecCase } from '../../support/codec-case.ts'
import { describe, law } from '../../support/describe.ts'
import { assertSame } from '../../support/same-value.ts'

/** What came of a call: the value, or what was thrown. */
const outcome = (run: () => unknown): unknown => {
  try {
    return { returned: run() }
  } catch (error) {
    return { threw: String(error) }
  }
}

/** No more errors than these are compared: collecting them may stop after the next one. */
const comparedErrors = maxReportedErrors + 1

/** The errors as plain values, their types by name. */
const plainly = (result: t.Validation<unknown>): unknown =>
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

/** About a thousand of them in the hundred runs of a law. */
const cases = fc.array(codecCase, { minLength: 1, maxLength: 20, size: 'max' })

type Ask = (functions: CompiledCodec | Codec, input: unknown) => unknown

const asked: Readonly<Record<'decode' | 'encode' | 'is', Ask>> = {
  decode: (functions, input) => plainly(functions.decode(input)),
  encode: (functions, input) => functions.encode(input),
  is: (functions, input) => functions.is(input),
}

type Check = (made: CompiledCodec, form: Codec, input: unknown) => void

const eachOf =
  (backEnd: BackEnd, check: Check) =>
  (all: ReadonlyArray<CodecCase>): void => {
    for (const { codec, undeclared, inputs } of all)
      for (const input of inputs)
        check(compileCodec(codec, undeclared, backEnd), exactForm(codec, undeclared), input)
  }

for (const [name, backEnd] of backEnds)
  describe(`compiled, its laws, ${name}`, (test) => {
    law(
      test,
      'decode, encode and is are those of the exact form',
      cases,
      eachOf(backEnd, (made, form, input) => {
        for (const [what, ask] of Object.entries(asked))
          assertSame(
            { [what]: outcome(() => ask(made, input)) },
            { [what]: outcome(() => ask(form, input)) },
          )
      }),
    )
    law(
      test,
      'validate is that of the exact form',
      cases,
      eachOf(backEnd, (made, form, input) => {
        // an attempt has errors for a value, and is not told where they stand
        if (form._tag !== 'AttemptType')
          assertSame(
            outcome(() => plainly(made.validate(input, context))),
            outcome(() => plainly(form.validate(input, context))),
          )
      }),
    )
    law(
      test,
      'write is the JSON of what is encoded',
      cases,
      eachOf(backEnd, (made, form, input) => {
        const found = outcome(() => made.write(input))
        const expected = outcome(() => JSON.stringify(form.encode(input)))
        // of several reasons to throw, either may be met first
        if (isThrown(expected)) assert.ok(isThrown(found))
        else assertSame(found, expected)
      }),
    )
    law(test, 'Object.prototype stays as it was', fc.tuple(codecCase), (all) => {
      const before = Object.getOwnPropertyDescriptors(Object.prototype)
      eachOf(backEnd, (made, _, input) => outcome(() => made.decode(input)))(all)
      assertSame(Object.getOwnPropertyDescriptors(Object.prototype), before)
    })
  })

const isThrown = (found: unknown): boolean => t.type({ threw: t.string }).is(found)
