/** The order of filters and interceptors, and the operations that they apply to. */
import type { EndpointInfo } from './context.ts'
import type { EntityProvider } from './entity.ts'
import type { AnyFilter, FilterOrder } from './filter.ts'
import type { AnyMapper } from './mapper.ts'
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'

/** A filter, interceptor, reader or writer. */
export type Placeable = AnyFilter | EntityProvider

/** Changes the order of a filter. Applies to each part of a combined filter. */
export const withOrder =
  (change: (before: FilterOrder) => Partial<FilterOrder>) =>
  <F extends Placeable>(filter: F) =>
    // only data that no type mentions changes
    setOrder(filter, change) as F

const setOrder = (
  filter: Placeable,
  change: (before: FilterOrder) => Partial<FilterOrder>,
): Placeable =>
  Object.freeze(
    'filters' in filter
      ? { ...filter, filters: filter.filters.map((part) => withOrder(change)(part)) }
      : { ...filter, ...change(filter) },
  )

/**
 * Sets the priority of a filter, an interceptor or a mapper. Default: 5000.
 *
 * Filters with smaller numbers see the request earlier and the response later. Authentication filters have 1000; 2000
 * is intended for authorization. With equal priority, outer filters see the request first, and filters of one
 * `withFilter` run in order. Interceptors run in the same order, for requests and for responses.
 *
 * If several mappers of one tree match an error equally well, the one with the smallest number runs. Throws a
 * `RangeError` for `NaN`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { mapError, NotFound, priority, reply, routes, withMapper } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const friendly = mapError(NotFound, () => reply(404, 'Nothing grows here.'))
 * const terse = mapError(NotFound, () => reply(404, 'No.'))
 * const send = inMemory(pipe(routes({}), withMapper(friendly, pipe(terse, priority(4000)))))
 *
 * assert.equal(await (await send('http://localhost/')).text(), 'No.')
 * ```
 */
export const priority = (
  number: number,
): (<X extends Placeable | AnyMapper>(placeable: X) => X) => {
  if (Number.isNaN(number)) throw new RangeError('priority must be a number, got NaN')
  return <X extends Placeable | AnyMapper>(placeable: X) =>
    // only data that no type mentions changes
    (isMapper(placeable)
      ? withPriority(placeable, number)
      : setOrder(placeable, () => ({ priority: number }))) as X
}

const isMapper = (value: Placeable | AnyMapper): value is AnyMapper =>
  '_tag' in value &&
  (value._tag === 'MapError' || value._tag === 'Unwrap' || value._tag === 'Mappers')

const withPriority = (mapper: AnyMapper, number: number): AnyMapper =>
  Object.freeze(
    mapper._tag === 'Mappers'
      ? { ...mapper, mappers: mapper.mappers.map((part) => withPriority(part, number)) }
      : { ...mapper, priority: number },
  )

/** Restricts a filter, interceptor, reader or writer to operations with all of these names. See {@link bind}. */
export const onlyFor = (
  ...names: readonly [string, ...string[]]
): (<F extends Placeable>(filter: F) => F) =>
  withOrder((before) => ({ names: [...before.names, ...names] }))

/**
 * Restricts a filter, interceptor, reader or writer to operations that satisfy a predicate. It runs when the tree is
 * compiled.
 */
export const onlyWhere = (
  predicate: (endpoint: EndpointInfo) => boolean,
): (<F extends Placeable>(filter: F) => F) =>
  withOrder((before) => ({
    appliesTo: (endpoint) => (before.appliesTo?.(endpoint) ?? true) && predicate(endpoint),
  }))

/**
 * Adds names to an operation, or to all operations of a resource or a tree. Filters select them with {@link onlyFor}.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { bind, get, handle, onlyFor, path, produces, responseFilter, routes, text, withFilter, withHeader } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const say = (word: string) =>
 *   pipe(
 *     path(`/${word}`),
 *     get(),
 *     produces(text),
 *     handle(() => word),
 *   )
 * const audited = pipe(responseFilter(withHeader('X-Audited', 'yes')), onlyFor('audited'))
 * const api = pipe(routes({ a: pipe(say('a'), bind('audited')), b: say('b') }), withFilter(audited))
 * const audit = async (url: string) =>
 *   (await inMemory(api)(url)).headers.get('X-Audited')
 *
 * assert.equal(await audit('http://localhost/a'), 'yes')
 * assert.equal(await audit('http://localhost/b'), null)
 * ```
 */
export const bind = (...names: ReadonlyArray<string>): AttributeStep => setAttributes({ names })
