/** Constraints on values, with their JSON Schema keywords. */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import * as RedosCheck from '../regex-safety/redos-check.ts'
import { maxTextLength } from './structure/max-length.ts'

/** JSON Schema keywords (2020-12) that express a constraint. */
export interface Constraint {
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
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
        return isLeft(decoded) || holds(decoded.right) ? decoded : t.failure(value, context)
      },
      codec.encode,
      codec,
      holds,
    )
    this.constraint = constraint
  }
}

/** Whether a refinement has a known constraint. */
export const isConstrained = <C extends t.Any>(
  codec: t.RefinementType<C>,
): codec is ConstrainedType<C> => 'constraint' in codec

/** Adds a constraint to codecs of values of type `A`. */
export type Constrain<A> = <C extends t.Type<A, unknown>>(codec: C) => ConstrainedType<C>

/**
 * Requires a number from `minimum` to `maximum`, inclusive.
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

/** Requires a number of at least `minimum`. */
export const atLeast =
  (minimum: number): Constrain<number> =>
  (codec) =>
    new ConstrainedType(
      codec,
      `${codec.name} of at least ${minimum}`,
      { minimum },
      (value) => value >= minimum,
    )

/** Requires a number of at most `maximum`. */
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
 * Requires a length from `minLength` to `maxLength` UTF-16 code units.
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
 * Requires a match of the expression. Use `^` and `$` to match the whole text. The flags `g` and `y` are ignored.
 *
 * Throws a `TypeError` for an expression that is too slow for some text. Expressions with exponential running time are always
 * rejected. Those with polynomial running time are accepted if the codec limits the length so that matching takes less than 10
 * ms. The length is checked first.
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
      // a codec with replaced functions may accept longer texts than its structure implies
      maxLength === Infinity
        ? (value) => stateless.test(value)
        : (value) => value.length <= maxLength && stateless.test(value),
    )
  }
}
