/** Combinators that set the order of filters and interceptors, or restrict them to some operations. */
import type { EndpointInfo } from './context.ts'
import type { EntityProvider } from './entity.ts'
import type { AnyFilter, FilterOrder } from './filter.ts'
import type { AnyMapper } from './mapper.ts'
import type { AttributeStep } from './tree/tree-scope.ts'
import { setAttributes } from './tree/tree-scope.ts'
import { combinatorFactory } from './internal/combinator.ts'

/** A value that has an order: a filter, interceptor, reader or writer. */
export type Placeable = AnyFilter | EntityProvider

/**
 * Changes the order of a filter, interceptor, reader or writer. For a combined filter, changes the order of each
 * part.
 */
export const withOrder =
  (change: (before: FilterOrder) => Partial<FilterOrder>) =>
  <F extends Placeable>(filter: F) =>
    // changes only members that the type does not describe
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
 * Filters with smaller numbers receive the request earlier and the response later. Authentication filters have
 * priority 1000. Priority 2000 is intended for authorization. Among filters with equal priority, outer filters
 * receive the request first, and the filters passed to one `withFilter` run in argument order. Interceptors run in
 * the same order, both for requests and for responses.
 *
 * If multiple mappers in one tree match an error equally well, the mapper with the smallest number runs. Throws a
 * `RangeError` if `number` is `NaN`.
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
    // changes only members that the type does not describe
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

/**
 * Restricts a filter, interceptor, reader or writer to operations that have all of the given names. Use {@link bind}
 * to add names to operations.
 */
export const onlyFor = (
  ...names: readonly [string, ...string[]]
): (<F extends Placeable>(filter: F) => F) =>
  withOrder((before) => ({ names: [...before.names, ...names] }))

/**
 * Restricts a filter, interceptor, reader or writer to operations that satisfy a predicate. The predicate is called
 * when the tree is compiled.
 */
export const onlyWhere = (
  predicate: (endpoint: EndpointInfo) => boolean,
): (<F extends Placeable>(filter: F) => F) =>
  withOrder((before) => ({
    appliesTo: (endpoint) => (before.appliesTo?.(endpoint) ?? true) && predicate(endpoint),
  }))

/**
 * Adds names to an operation, or to all operations in a resource or a tree. Use {@link onlyFor} to restrict a filter
 * to operations with these names.
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
export const bind: (...names: ReadonlyArray<string>) => AttributeStep = combinatorFactory(
  'bind',
  (...names: ReadonlyArray<string>) => setAttributes({ names }),
)
