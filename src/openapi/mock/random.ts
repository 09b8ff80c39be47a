/** Deterministic pseudo-random numbers. */

/**
 * A generator of pseudo-random numbers. `fork` derives a generator that depends only on the seed and on the keys of all forks, and
 * not on the numbers that have been drawn. A value that is added to a contract therefore does not change other generated values.
 */
export interface Random {
  /** Returns a number from 0 to 1, excluding 1. */
  readonly next: () => number
  /** Returns an integer from `min` to `max`. */
  readonly integer: (min: number, max: number) => number
  readonly pick: <A>(values: readonly [A, ...ReadonlyArray<A>]) => A
  readonly fork: (key: string | number) => Random
}

/** Creates a generator for a seed. */
export const random = (seed: string | number): Random => generator(hash(String(seed), 0))

const generator = (seed: number): Random => {
  const next = mulberry32(seed)
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    integer,
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
    fork: (key) => generator(hash(String(key), seed)),
  }
}

/**
 * Creates a function that returns the numbers of the generator mulberry32, which has a state of 32 bits.
 *
 * @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
 */
const mulberry32 = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), state | 1)
    const result = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))
    return ((result ^ (result >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a hash of 32 bits (FNV-1a with the final mixing step of MurmurHash3). */
const hash = (text: string, seed: number): number => {
  let value = 0x811c9dc5 ^ seed
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
