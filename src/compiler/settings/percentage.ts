/** Numbers that may be said as a part of something. */
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { textOrValue } from '../../codec/text-or-value.ts'

/** A part of what there is. */
export interface Percentage {
  readonly percent: number
}

/** What `codec` accepts, or whole percents from 1 to 100: `80%`. */
export const orPercentage = (codec: t.Type<number, string>): t.Type<number | Percentage, string> =>
  textOrValue<number | Percentage>(
    `${codec.name}, or a percentage such as 80%`,
    (u): u is number | Percentage => codec.is(u) || isShare(u),
    (text): O.Option<number | Percentage> => {
      const [, digits] = /^(\d+)%$/.exec(text) ?? []
      return digits === undefined
        ? O.fromEither(codec.decode(text))
        : O.fromPredicate(isShare)({ percent: Number(digits) })
    },
    (value) => (typeof value === 'object' ? `${value.percent}%` : codec.encode(value)),
  )

const isShare = (u: unknown): u is Percentage =>
  typeof u === 'object' &&
  u !== null &&
  'percent' in u &&
  typeof u.percent === 'number' &&
  Number.isInteger(u.percent) &&
  u.percent >= 1 &&
  u.percent <= 100
