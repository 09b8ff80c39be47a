/** Simulates how long readers wait for books. Its duration depends on the number of readers. */

export interface Copies {
  readonly isbn: string
  readonly copies: number
}

export interface WaitingTimeOptions {
  /** The number of readers. */
  readonly readers: number
  /** Days between two readers. */
  readonly every: number
}

/** Days that a reader keeps a book. */
const loanDays = 14

/** Returns a linear congruential generator of numbers below 2^31, so that reports are reproducible. */
const numberGenerator = (seed: number): (() => number) => {
  let state = seed
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff)
}

/** Returns the mean number of days that readers wait for a book, or 0 without books. */
export const meanWaitingTime = (
  books: ReadonlyArray<Copies>,
  { readers, every }: WaitingTimeOptions,
): number => {
  const random = numberGenerator(42)
  // for each copy of each book, the day on which it is returned
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
    copies[first] = from + loanDays
  }
  return waited / readers
}
