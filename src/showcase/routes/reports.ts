/** Reports, which compute for long: they run on workers, and what they need of the shelf is handed over. */
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

/** What the library has, at the time of the request. */
const Stock = slot<ReadonlyArray<Copies>>()('stock')

/** A worker shares no variables with the event loop, where the shelf is: so this filter runs there, and gives a copy. */
const countsStock = pipe(
  requestFilter({ needs: { shelf: BookStore }, gives: { stock: Stock } }, async (_, { shelf }) =>
    next({ stock: (await shelf.all()).map(({ isbn, copies }) => ({ isbn, copies })) }),
  ),
  nonBlocking,
)

/** People read reports as they are sent. */
const readable = customSerialization(() => (report) => `${JSON.stringify(report, null, 2)}\n`)

export const reportWaiting = pipe(
  path('/reports/waiting'),
  get(),
  readable,
  rolesAllowed('librarian'),
  blocking,
  query({
    readers: withDefault(between(1, 100_000_000)(int), 1_000_000),
    every: withDefault(between(1, 365)(int), 7),
  }),
  needs({ stock: Stock }),
  produces(json(t.type({ readers: int, every: int, meanWaiting: t.number }))),
  handle(({ query: plan, needs: { stock } }) => ({
    ...plan,
    meanWaiting: meanWaitingTime(stock, plan),
  })),
)

export const reportRoutes = pipe(routes({ reportWaiting }), withFilter(countsStock))
