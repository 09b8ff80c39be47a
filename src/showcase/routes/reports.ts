/** Long-running reports. Each report runs on a worker with a copy of the data it needs. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  between,
  blocking,
  example,
  get,
  handle,
  int,
  json,
  needs,
  next,
  nonBlocking,
  path,
  produces,
  query,
  requestFilter,
  rolesAllowed,
  routes,
  slot,
  withDefault,
  withFilter,
  summary,
  tags,
} from 'espalier'
import { customSerialization } from 'espalier/json'
import { BookStore } from '../domain/book.ts'

export interface Copies {
  readonly isbn: string
  readonly copies: number
}

export interface WaitingTimeOptions {
  /** Total number of readers. */
  readonly readers: number
  /** Number of days between the arrivals of successive readers. */
  readonly every: number
}

/** Number of days for which a reader keeps a book. */
const loanDays = 14

/**
 * Creates a linear congruential generator of integers from 0 to 2^31 - 1. The sequence depends only on the seed, which
 * makes reports reproducible.
 */
const numberGenerator = (seed: number): (() => number) => {
  let state = seed
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff)
}

/** Returns the mean number of days that readers wait for a book, or 0 if no copies can be lent. */
export const meanWaitingTime = (
  books: ReadonlyArray<Copies>,
  { readers, every }: WaitingTimeOptions,
): number => {
  const random = numberGenerator(42)
  // for each book, the days on which its copies will be returned
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

/** The slot that provides the number of copies of each book. */
const Stock = slot<ReadonlyArray<Copies>>()('stock')

/**
 * Provides the number of copies of each book. Workers cannot access the book store, so this filter runs on the event
 * loop.
 */
const provideStock = pipe(
  requestFilter(
    { needs: { bookStore: BookStore }, gives: { stock: Stock } },
    async (_, { bookStore }) =>
      next({ stock: (await bookStore.all()).map(({ isbn, copies }) => ({ isbn, copies })) }),
  ),
  nonBlocking,
)

/** Indents JSON to make it easier to read. */
const indented = customSerialization(() => (report) => `${JSON.stringify(report, null, 2)}\n`)

export const reportWaiting = pipe(
  path('/reports/waiting'),
  get(),
  summary('Simulate how long readers wait for a book'),
  indented,
  rolesAllowed('librarian'),
  blocking,
  query({
    readers: withDefault(between(1, 100_000)(int), 10_000),
    every: withDefault(between(1, 365)(int), 7),
  }),
  needs({ stock: Stock }),
  produces(json(t.type({ readers: int, every: int, meanWaiting: t.number }))),
  example('report', { readers: 10_000, every: 7, meanWaiting: 12.5 }),
  handle(({ query: options, needs: { stock } }) => ({
    ...options,
    meanWaiting: meanWaitingTime(stock, options),
  })),
)

export const reportRoutes = pipe(
  routes({ reportWaiting }),
  withFilter(provideStock),
  tags({ name: 'reports', description: 'Computations that run on workers' }),
)
