/** Long-running reports. They run on workers, with a copy of the data that they need. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  between,
  blocking,
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
} from 'espalier'
import { customSerialization } from 'espalier/json'
import { BookStore } from '../domain/book-store.ts'
import type { Copies } from '../domain/waiting-time.ts'
import { meanWaitingTime } from '../domain/waiting-time.ts'

/** The copies of each book at the time of the request. */
const Stock = slot<ReadonlyArray<Copies>>()('stock')

/** Workers cannot access the book store, so this filter runs on the event loop and provides a copy. */
const provideStock = pipe(
  requestFilter(
    { needs: { bookStore: BookStore }, gives: { stock: Stock } },
    async (_, { bookStore }) =>
      next({ stock: (await bookStore.all()).map(({ isbn, copies }) => ({ isbn, copies })) }),
  ),
  nonBlocking,
)

/** Indents JSON for human readers. */
const indented = customSerialization(() => (report) => `${JSON.stringify(report, null, 2)}\n`)

export const reportWaiting = pipe(
  path('/reports/waiting'),
  get(),
  indented,
  rolesAllowed('librarian'),
  blocking,
  query({
    readers: withDefault(between(1, 100_000_000)(int), 1_000_000),
    every: withDefault(between(1, 365)(int), 7),
  }),
  needs({ stock: Stock }),
  produces(json(t.type({ readers: int, every: int, meanWaiting: t.number }))),
  handle(({ query: options, needs: { stock } }) => ({
    ...options,
    meanWaiting: meanWaitingTime(stock, options),
  })),
)

export const reportRoutes = pipe(routes({ reportWaiting }), withFilter(provideStock))
