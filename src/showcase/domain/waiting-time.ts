/** How long readers wait for books: a simulation, which takes as long as it is told to. */

export interface Copies {
  readonly isbn: string
  readonly copies: number
}

export interface WaitingTimeOptions {
  /** How many readers come. */
  readonly readers: number
  /** Days between one and the next. */
  readonly every: number
}

/** Days that a reader keeps a book. */
const kept = 14

/** A generator of numbers below 2^31 by linear congruence, so that a report can be made again. */
const numbers = (seed: number): (() => number) => {
  let state = seed
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff)
}

/** The mean of the days that readers wait for the book that they want; 0 where there is none. */
export const meanWaitingTime = (
  books: ReadonlyArray<Copies>,
  { readers, every }: WaitingTimeOptions,
): number => {
  const random = numbers(42)
  // for each copy of each book, the day on which it is back
  const lendable = books.flatMap(({ copies }) => (copies > 0 ? [new Float64Array(copies)] : []))
  if (lendable.length === 0) return 0
  let waited = 0
  for (let reader = 0; reader < readers; reader++) {
    const copies = lendable[random() % lendable.length] ?? new Float64Array(1)
    const today = reader * every
    let first = 0
    for (let copy = 1; copy < copies.length; copy++)
      if ((copies[copy] ?? 0) < (copies[first] ?? 0)) first = copy
    const from = Math.max(today, copies[first] ?? 0)
    waited += from - today
    copies[first] = from + kept
  }
  return waited / readers
}
