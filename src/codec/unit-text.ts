/** Types that check texts of durations and sizes at compile time. */

/**
 * Resolves to `unknown` if `D` is a duration, or a text that is known only at run time. Otherwise, causes a compile error that ends in
 * the remedy.
 */
export type ValidDuration<D> = [D] extends [string]
  ? IsPattern<D> extends true
    ? unknown
    : IsDuration<Uppercase<D>> extends true
      ? unknown
      : InvalidText<'use the unit ms, s, m, h or d, as in 10s'>
  : unknown

/** Like {@link ValidDuration}, for a size in bytes. */
export type ValidSize<S> = [S] extends [string]
  ? IsPattern<S> extends true
    ? unknown
    : IsDigits<Strip<Uppercase<S>, 'K' | 'M' | 'G'>> extends true
      ? unknown
      : InvalidText<'use the unit K, M or G, as in 10M'>
  : unknown

/** A type that no text has. The error message of TypeScript ends in `Remedy`. */
export interface InvalidText<Remedy extends string> {
  readonly text: Remedy
}

/** A duration that is checked by {@link ValidDuration}. */
export type CheckedDuration<D> = D & ValidDuration<D>

/** Whether a type has infinitely many texts, such as `string` and `${number}s`. */
type IsPattern<D extends string> = {} extends Record<D, 0> ? true : false

type IsDuration<D extends string> = D extends `P${string}${'D' | 'H' | 'M' | 'S'}`
  ? true
  : IsDigits<D extends `${infer N}MS` ? N : Strip<D, 'S' | 'M' | 'H' | 'D'>>

type Strip<D extends string, Unit extends string> = D extends `${infer N}${Unit}` ? N : D

/** Whether a text consists of digits. A literal that TypeScript reads as a number can contain other characters. */
type IsDigits<N extends string> = N extends `${number}`
  ? N extends `${string}${'.' | 'E' | 'X' | 'O' | 'B' | '-' | '+' | ' '}${string}`
    ? false
    : true
  : false
