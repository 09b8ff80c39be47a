/** When a filter or interceptor runs among others, and for which operations; the same of readers and writers. */
import type { EndpointInfo } from './context.ts'
import type { EntityProvider } from './entity-provider.ts'
import type { AnyFilter, Placing } from './filter.ts'

/** What has a place among others of its kind. */
export type Placeable = AnyFilter | EntityProvider

/** A filter with some of its placing said anew; of one that consists of several, all of them. */
export const placed =
  (placing: (before: Placing) => Partial<Placing>) =>
  <F extends Placeable>(filter: F) =>
    // what comes out is what went in, placed elsewhere, and no type tells of places
    place(filter, placing) as F

const place = (filter: Placeable, placing: (before: Placing) => Partial<Placing>): Placeable =>
  Object.freeze(
    'filters' in filter
      ? { ...filter, filters: filter.filters.map((one) => placed(placing)(one)) }
      : { ...filter, ...placing(filter) },
  )

/**
 * When a filter runs among others: smaller numbers see the request earlier and the response later. 1000 is for
 * authentication, 2000 for authorization, 5000 the default. Among equals, the outer filter sees the request first, and of
 * one `withFilter` they run in the order in which they are given. Interceptors keep the same order, inward in both directions.
 */
export const priority = (number: number): (<F extends Placeable>(filter: F) => F) =>
  placed(() => ({ priority: number }))

/** Restricts a filter, or an interceptor, reader or writer, to operations that are bound to all of these names. */
export const onlyFor = (
  ...names: readonly [string, ...string[]]
): (<F extends Placeable>(filter: F) => F) =>
  placed((before) => ({ names: [...before.names, ...names] }))

/** Restricts a filter, or an interceptor, reader or writer, to operations of which a function says so when the tree is compiled. */
export const onlyWhere = (
  concerns: (endpoint: EndpointInfo) => boolean,
): (<F extends Placeable>(filter: F) => F) =>
  placed((before) => ({
    concerns: (endpoint) => (before.concerns?.(endpoint) ?? true) && concerns(endpoint),
  }))
