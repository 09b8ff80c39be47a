/**
 * Constraints on values, each with the JSON Schema keywords that say the same, because the predicate of a refinement
 * cannot be read.
 */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import * as RedosCheck from '../regex-safety/redos-check.ts'
import { maxTextLength } from './structure/max-length.ts'

/** The keywords of JSON Schema (2020-12) that a constraint stands for. */
export interface Constraint {
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

/** A codec whose values keep to a constraint. */
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
        return isLeft(decoded) || holds(decoded.right) ? decoded : t.failure(value, context)
      },
      codec.encode,
      codec,
      holds,
    )
    this.constraint = constraint
  }
}

/** Whether a refinement is a constraint of ours, whose meaning can be read. */
export const isConstrained = <C extends t.Any>(
  codec: t.RefinementType<C>,
): codec is ConstrainedType<C> => 'constraint' in codec

/** Constrains codecs whose values are an `A`. */
export type Constrain<A> = <C extends t.Type<A, unknown>>(codec: C) => ConstrainedType<C>

/**
 * At least `minimum` and at most `maximum`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { atLeast, atMost, between, int } from 'espalier'
 *
 * const size = between(1, 100)(int)
 *
 * assert.deepEqual([0, 1, 100, 101].map(size.is), [false, true, true, false])
 * assert.deepEqual([0, 1, 101].map(atLeast(1)(int).is), [false, true, true])
 * assert.deepEqual([0, 100, 101].map(atMost(100)(int).is), [true, true, false])
 * assert.equal(size.is(1.5), false) // the codec inside has its say
 * ```
 */
export const between =
  (minimum: number, maximum: number): Constrain<number> =>
  (codec) =>
    new ConstrainedType(
      codec,
      `${codec.name} from ${minimum} to ${maximum}`,
      { minimum, maximum },
      (value) => value >= minimum && value <= maximum,
    )

/** `minimum` or more. */
export const atLeast =
  (minimum: number): Constrain<number> =>
  (codec) =>
    new ConstrainedType(
      codec,
      `${codec.name} of at least ${minimum}`,
      { minimum },
      (value) => value >= minimum,
    )

/** `maximum` or less. */
export const atMost =
  (maximum: number): Constrain<number> =>
  (codec) =>
    new ConstrainedType(
      codec,
      `${codec.name} of at most ${maximum}`,
      { maximum },
      (value) => value <= maximum,
    )

/**
 * From `minLength` to `maxLength` UTF-16 code units, which is what `length` counts.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { lengthBetween, string } from 'espalier'
 *
 * const initials = lengthBetween(1, 3)(string)
 *
 * assert.deepEqual(['', 'a', 'abc', 'abcd'].map(initials.is), [false, true, true, false])
 * assert.equal(initials.is('🍐🍐'), false) // two characters of two code units each
 * ```
 */
export const lengthBetween =
  (minLength: number, maxLength: number): Constrain<string> =>
  (codec) =>
    new ConstrainedType(
      codec,
      `${codec.name} of ${minLength} to ${maxLength} characters`,
      { minLength, maxLength },
      (value) => value.length >= minLength && value.length <= maxLength,
    )

/**
 * Matches the expression somewhere, so anchor it with `^` and `$`. Its `g` and `y` flags are ignored.
 *
 * Throws a `TypeError` for an expression that takes too long on some text. Expressions that take exponential time are always
 * rejected. Those that take polynomial time are accepted if the codec bounds the length, so that the worst case stays under
 * 10 milliseconds. The length is checked first.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { lengthBetween, matching, string } from 'espalier'
 *
 * assert.equal(matching(/^[A-Z]{2}$/)(string).is('FR'), true)
 * assert.equal(matching(/^[A-Z]{2}$/)(string).is('FRANCE'), false)
 * assert.equal(matching(/[A-Z]{2}/)(string).is('FRANCE'), true)
 *
 * // of 100,000 digits, 5,000,000,000 pairs of neighbours are tried
 * assert.throws(() => matching(/^\d+\d+x$/)(string), TypeError)
 * assert.equal(matching(/^\d+\d+x$/)(lengthBetween(0, 100)(string)).is('12x'), true)
 * ```
 */
export const matching = (expression: RegExp): Constrain<string> => {
  const stateless = new RegExp(expression.source, expression.flags.replace(/[gy]/g, ''))
  const { maxLength, diagnostic } = RedosCheck.lengthLimit(stateless)
  const reject = (remedy: string): never => {
    const reason = O.match(
      () => 'it takes too long',
      (found: RedosCheck.RegexDiagnostic) => RedosCheck.remedy(found) + RedosCheck.format(found),
    )(diagnostic)
    throw new TypeError(`${String(expression)}: ${remedy}${reason}`)
  }
  if (maxLength === 0) reject('')
  return (codec) => {
    const length = maxTextLength(codec)
    if (length > maxLength)
      reject(
        `limit the length first, as in matching(…)(lengthBetween(0, ${maxLength})(string)), or `,
      )
    return new ConstrainedType(
      codec,
      `${codec.name} like ${expression.source}`,
      { pattern: expression.source },
      // a codec whose functions were replaced may accept longer texts than its structure says
      maxLength === Infinity
        ? (value) => stateless.test(value)
        : (value) => value.length <= maxLength && stateless.test(value),
    )
  }
}
