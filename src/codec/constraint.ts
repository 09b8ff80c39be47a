/** Constraints on values, and the JSON Schema keywords that express them. */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { Decimal } from './decimal.ts'
import { compareDecimals, parseDecimal } from './decimal.ts'
import * as RedosCheck from '../regex-safety/redos-check.ts'
import type { Codec, RejectedCodecOf, RejectedArgument } from './codec.ts'
import { isRegExp } from '../http/platform-value.ts'
import { maxTextLength } from './size.ts'
import { unwrap, wrapped } from './codec-structure.ts'

/** The JSON Schema (2020-12) keywords that describe a constraint, and the flags of `pattern`. */
export interface Constraint {
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  /** The source of a regular expression. */
  readonly pattern?: string
  /** The flags of the regular expression, such as `i`, or an empty string. */
  readonly flags?: string
}

/** A codec whose values satisfy a constraint. */
export class ConstrainedType<C extends t.Any> extends t.RefinementType<
  C,
  t.TypeOf<C>,
  t.OutputOf<C>,
  t.InputOf<C>
> {
  readonly constraint: Constraint
  constructor(
    codec: C,
    name: string,
    constraint: Constraint,
    holds: (value: t.TypeOf<C>) => boolean,
  ) {
    super(
      name,
      (value): value is t.TypeOf<C> => codec.is(value) && holds(value),
      (value, context) => {
        const decoded = codec.validate(value, context)
        if (isLeft(decoded)) return t.failures(referTo(codec, context, decoded.left))
        return holds(decoded.right) ? decoded : t.failure(value, context)
      },
      codec.encode,
      codec,
      holds,
    )
    this.constraint = constraint
  }
}

/** Whether the predicate of a refinement is that of `int` or `t.Int`, or another one that requires an integer. */
export const requiresIntegers = (predicate: (value: never) => boolean): boolean =>
  predicate === Number.isSafeInteger ||
  predicate === Number.isInteger ||
  String(predicate) === String(t.Int.predicate)

/** Whether a refinement has a constraint that can be expressed with JSON Schema keywords. */
export const isConstrained = <C extends t.Any>(
  codec: t.RefinementType<C>,
): codec is ConstrainedType<C> => 'constraint' in codec

/**
 * Makes errors that apply to the whole value at `context` refer to `codec`. Errors that refer to another codec already, such as
 * the errors of a nested constraint, are unchanged. Therefore, errors refer to the innermost codec that rejects the value.
 */
export const referTo = (codec: Codec, context: t.Context, errors: t.Errors): t.Errors => {
  const last = context.at(-1)
  if (last === undefined) return errors
  const inner = [...context.slice(0, -1), { ...last, type: codec }]
  return errors.map((error) =>
    error.context.length === context.length && error.context.at(-1)?.type === last.type
      ? { ...error, context: inner }
      : error,
  )
}

/** Returns the innermost codec that rejects a value, for a value that a codec with nested constraints rejects. */
export const rejectingCodec = (codec: Codec, value: unknown): Codec => {
  const inner = 'constraint' in codec ? wrapped(codec) : undefined
  return inner === undefined || inner.is(value) ? codec : rejectingCodec(inner, value)
}

/** A function that adds a constraint to a codec for values of type `A`. */
export type Constrain<A> = <C extends t.Type<A, unknown>>(codec: C) => ConstrainedType<C>

/** A codec for numbers: `number`, `int`, `bigint`, `decimal`, or a codec based on one of them. */
type NumericCodec = t.Type<number, unknown> | t.Type<bigint, unknown> | t.Type<Decimal, unknown>

/** A function that adds a constraint to a codec for numbers. */
export type ConstrainNumber = <
  C extends
    | NumericCodec
    | RejectedCodecOf<
        'StringType',
        'use length(1, 80)(string), minLength(1)(string) or maxLength(80)(string)'
      >,
>(
  codec: C,
) => ConstrainedType<C>

/** A function that adds a constraint to a codec for strings. */
export type ConstrainString = <
  C extends
    | t.Type<string, unknown>
    | RejectedCodecOf<
        'NumberType' | 'RefinementType',
        'use between(1, 80)(int), atLeast(1)(int) or atMost(80)(int)'
      >,
>(
  codec: C,
) => ConstrainedType<C>

/**
 * Restricts a codec to values for which `holds` returns `true`. `name` is the name of the new codec. It must be a noun phrase
 * for validation errors, such as `must be a price with two decimal places`.
 *
 * A validation error names the innermost codec that rejects the value. If an inner codec rejects it, `holds` is not called, and
 * the error contains the name of that codec. The same applies to all nested constraints.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import type { Decimal } from 'espalier'
 * import { atLeast, constrained, decimal } from 'espalier'
 *
 * const twoPlaces = constrained('a price with two decimal places', ({ scale }: Decimal) => scale === 2)
 * const price = twoPlaces(atLeast(0)(decimal))
 *
 * assert.equal(price.is({ unscaled: 1250n, scale: 2 }), true)
 * assert.equal(price.is({ unscaled: 125n, scale: 1 }), false)
 * assert.equal(price.is({ unscaled: -1250n, scale: 2 }), false) // rejected by the inner codec
 * ```
 */
export const constrained =
  <A>(name: string, holds: (value: A) => boolean): Constrain<A> =>
  (codec) =>
    new ConstrainedType(codec, name, {}, holds)

/**
 * Restricts a codec to numbers from `minimum` to `maximum`, inclusive. Large integers and decimal numbers are compared exactly.
 * Throws a `RangeError` if `minimum` is greater than `maximum`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { atLeast, atMost, between, decimal, int } from 'espalier'
 *
 * const size = between(1, 100)(int)
 *
 * assert.deepEqual([0, 1, 100, 101].map(size.is), [false, true, true, false])
 * assert.deepEqual([0, 1, 101].map(atLeast(1)(int).is), [false, true, true])
 * assert.deepEqual([0, 100, 101].map(atMost(100)(int).is), [true, true, false])
 * assert.equal(size.is(1.5), false) // rejected by the inner codec
 * assert.equal(atLeast(0)(decimal).is({ unscaled: -1n, scale: 2 }), false) // -0.01
 * ```
 */
export function between(minimum: number, maximum: number): ConstrainNumber
// the type of an error
export function between(
  codec: RejectedArgument<'call twice: between(1, 100)(int)'> & number,
  minimum: number,
  maximum: number,
): never
export function between(minimum: number, maximum: number): ConstrainNumber {
  checkBounds('between', minimum, maximum)
  return (codec) =>
    new ConstrainedType(
      numeric('between', codec),
      `${codec.name} from ${minimum} to ${maximum}`,
      { minimum, maximum },
      both(reaches(minimum), isWithin(maximum)),
    )
}

/** Returns a codec unchanged. Throws a `TypeError` for a codec of strings. */
const numeric = <C extends Codec>(name: string, codec: C): C => {
  if (unwrap(codec)._tag !== 'StringType') return codec
  throw new TypeError(
    `${name}: expected a codec of numbers, got ${codec.name}: use length(1, 80)(string), minLength(1)(string) or maxLength(80)(string)`,
  )
}

/** Returns a codec unchanged. Throws a `TypeError` for a codec of numbers. */
const textual = <C extends Codec>(name: string, codec: C): C => {
  if (unwrap(codec)._tag !== 'NumberType') return codec
  throw new TypeError(
    `${name}: expected a codec of strings, got ${codec.name}: use between(1, 80)(int), atLeast(1)(int) or atMost(80)(int)`,
  )
}

const checkBounds = (name: string, minimum: number, maximum: number): void => {
  if (!(minimum <= maximum))
    throw new RangeError(
      `${name}: invalid bounds ${minimum} and ${maximum}: the first must be at most the second`,
    )
}

/** Restricts a codec to numbers that are greater than or equal to `minimum`. */
export const atLeast =
  (minimum: number): ConstrainNumber =>
  (codec) =>
    new ConstrainedType(
      numeric('atLeast', codec),
      bounded(codec.name, `at least ${minimum}`),
      { minimum },
      reaches(minimum),
    )

/** Restricts a codec to numbers that are less than or equal to `maximum`. */
export const atMost =
  (maximum: number): ConstrainNumber =>
  (codec) =>
    new ConstrainedType(
      numeric('atMost', codec),
      bounded(codec.name, `at most ${maximum}`),
      { maximum },
      isWithin(maximum),
    )

type Holds = (value: number | bigint | Decimal) => boolean

const both =
  (first: Holds, second: Holds): Holds =>
  (value) =>
    first(value) && second(value)

const reaches = (minimum: number): Holds => {
  const compare = compareTo(minimum)
  return (value) => (typeof value === 'object' ? compare(value) >= 0 : value >= minimum)
}

const isWithin = (maximum: number): Holds => {
  const compare = compareTo(maximum)
  return (value) => (typeof value === 'object' ? compare(value) <= 0 : value <= maximum)
}

/**
 * Returns a function that compares decimal numbers with a bound. A bound such as 0.1 is the decimal number 0.1, which a double only
 * approximates. All decimal numbers compare to an infinite bound as 0 does.
 */
const compareTo = (bound: number): ((value: Decimal) => number) =>
  O.match(
    () => () => 0 - bound,
    (exact: Decimal) => (value: Decimal) => compareDecimals(value, exact),
  )(parseDecimal(String(bound)))

/** Adds a bound to a name, as in `int that is at least 1 and at most 9`. */
const bounded = (name: string, bound: string): string =>
  `${name} ${name.includes(' that is ') ? 'and' : 'that is'} ${bound}`

/**
 * Restricts a codec to strings with a length from `minimum` to `maximum` code points, inclusive. JSON Schema counts the same way,
 * whereas `String.length` counts UTF-16 code units. Throws a `RangeError` if `minimum` is greater than `maximum`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { length, string } from 'espalier'
 *
 * const initials = length(1, 3)(string)
 *
 * assert.deepEqual(['', 'a', 'abc', 'abcd'].map(initials.is), [false, true, true, false])
 * assert.equal(initials.is('🍐🍐'), true) // two code points of two code units each
 * ```
 */
export const length = (minimum: number, maximum: number): ConstrainString => {
  checkBounds('length', minimum, maximum)
  return (codec) =>
    new ConstrainedType(
      textual('length', codec),
      `${codec.name} with ${minimum} to ${maximum} characters`,
      { minLength: minimum, maxLength: maximum },
      hasLength(minimum, maximum),
    )
}

/** Restricts a codec to strings with a length of at least `minimum` code points. */
export const minLength =
  (minimum: number): ConstrainString =>
  (codec) =>
    new ConstrainedType(
      textual('minLength', codec),
      `${codec.name} with at least ${characters(minimum)}`,
      { minLength: minimum },
      hasLength(minimum, Infinity),
    )

/** Restricts a codec to strings with a length of at most `maximum` code points. */
export const maxLength =
  (maximum: number): ConstrainString =>
  (codec) =>
    new ConstrainedType(
      textual('maxLength', codec),
      `${codec.name} with at most ${characters(maximum)}`,
      { maxLength: maximum },
      hasLength(0, maximum),
    )

/**
 * Returns a function that tests the number of code points. A string of n code units has n/2 to n code points, so that most strings
 * need not be counted.
 */
const hasLength =
  (minimum: number, maximum: number) =>
  (value: string): boolean => {
    const units = value.length
    if (units < minimum || units > 2 * maximum) return false
    if (units >= 2 * minimum && units <= maximum) return true
    const points = value.replace(pair, ' ').length
    return points >= minimum && points <= maximum
  }

/** A surrogate pair. Each other code unit is a code point. */
const pair = /[\ud800-\udbff][\udc00-\udfff]/g

const characters = (count: number): string => (count === 1 ? '1 character' : `${count} characters`)

/**
 * Restricts a codec to strings that match a regular expression. Use `^` and `$` to match the whole string. The flags `g` and
 * `y` are ignored.
 *
 * Throws a `TypeError` if matching the expression could take too long. Expressions with exponential running time are always
 * rejected. Expressions with polynomial running time require a codec that limits the length of its strings. The limit must be
 * low enough that matching takes less than 10 ms. The length of a string is checked before the string is matched.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { maxLength, pattern, string } from 'espalier'
 *
 * assert.equal(pattern(/^[A-Z]{2}$/)(string).is('FR'), true)
 * assert.equal(pattern(/^[A-Z]{2}$/)(string).is('FRANCE'), false)
 * assert.equal(pattern(/[A-Z]{2}/)(string).is('FRANCE'), true)
 *
 * // for 100,000 digits, the engine tries 5,000,000,000 ways to split them
 * assert.throws(() => pattern(/^\d+\d+x$/)(string), TypeError)
 * assert.equal(pattern(/^\d+\d+x$/)(maxLength(100)(string)).is('12x'), true)
 * ```
 */
export function pattern(expression: RegExp): ConstrainString
// the type of an error
export function pattern(
  expression: RejectedArgument<'pass a regular expression: pattern(/^[A-Z]{2}$/)'> & RegExp,
): ConstrainString
export function pattern(expression: RegExp): ConstrainString {
  if (!isRegExp(expression))
    throw new TypeError('pattern: expected a regular expression: pattern(/^[A-Z]{2}$/)')
  const { source } = expression
  const flags = expression.flags.replace(/[gy]/g, '')
  const stateless = new RegExp(source, flags)
  const { maxLength: lengthLimit, diagnostic } = RedosCheck.lengthLimit(stateless)
  const reject = (remedy: string): never => {
    const reason = O.match(
      () => 'matching takes too long',
      (problem: RedosCheck.RegexDiagnostic) =>
        RedosCheck.remedy(problem) + RedosCheck.format(problem),
    )(diagnostic)
    throw new TypeError(`${String(expression)}: ${remedy}${reason}`)
  }
  if (lengthLimit === 0) reject('')
  return (codec) => {
    if (maxTextLength(codec) > lengthLimit)
      // a code point has at most two code units
      reject(
        `limit the length first, as in pattern(…)(maxLength(${Math.floor(lengthLimit / 2)})(string)), or `,
      )
    return new ConstrainedType(
      codec,
      `${codec.name} matching ${source}`,
      { pattern: source, flags },
      // a codec whose functions were replaced can accept longer text than its structure implies
      lengthLimit === Infinity
        ? (value) => stateless.test(value)
        : (value) => value.length <= lengthLimit && stateless.test(value),
    )
  }
}
