/**
 * Conditional parts of a tree.
 *
 * An excluded operation does not exist: its path responds with 404, or with 405 if it has other operations. Its
 * configuration errors are not reported. `explain` lists it with the reason.
 */
import type { Condition, Conditional, IfMissing, Inclusion } from './condition.ts'
import { property } from './condition.ts'
import type { AnyFilter } from './filter.ts'
import type { AnyEntityProvider } from './interceptor.ts'
import type { AnyMapper } from './mapper.ts'
import type { AttributeTarget } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'

/**
 * A value that can have a condition: an endpoint, a tree, a filter, a mapper, a reader, a writer or an interceptor.
 */
export type Includable = AttributeTarget | AnyFilter | AnyMapper | AnyEntityProvider

/** A combinator that adds a condition and does not change the type. */
export type Include = <X extends Includable>(conditional: X) => X

/**
 * Includes a value only if a condition holds: an operation, a resource, a tree, a filter, a mapper, a reader, a writer
 * or an interceptor. All of several conditions must hold.
 *
 * Conditions are evaluated once, when the tree is compiled. Types do not change, so typed clients still have excluded
 * operations. An excluded filter may leave a dependency unresolved (`FW-NEED-001`), and an excluded reader or writer
 * an entity without one (`FW-MEDIA-002`). Errors without a mapper result in 500.
 *
 * With `fw.rest.build-time-condition-aware=false`, everything is included.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, not, path, produces, profile, routes, text, when } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const greet = (word: string) =>
 *   pipe(
 *     path('/'),
 *     get(),
 *     produces(text),
 *     handle(() => word),
 *   )
 * const api = routes({
 *   developing: pipe(greet('Hi'), when(profile('dev', 'test'))),
 *   running: pipe(greet('Good day'), when(not(profile('dev', 'test')))),
 * })
 * const greeting = async (name: string) =>
 *   (await inMemory(api, { profile: name })('http://localhost/')).text()
 *
 * assert.equal(await greeting('dev'), 'Hi')
 * assert.equal(await greeting('prod'), 'Good day')
 * ```
 */
export const when = (condition: Condition): Include =>
  conditionally(Object.freeze({ _tag: 'When', condition }))

/**
 * Excludes a value if a property has exactly this text. If the property is missing, the value is excluded only with
 * `ifMissing: true`. Applies regardless of `fw.rest.build-time-condition-aware`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { disabledWhen, handle, path, post, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const order = pipe(
 *   path('/orders'),
 *   post(),
 *   disabledWhen('orders.closed', 'true'),
 *   handle(() => {}),
 * )
 * const status = async (properties: Record<string, string>) => {
 *   const request = new Request('http://localhost/orders', { method: 'POST' })
 *   return (await inMemory(routes({ order }), { properties })(request)).status
 * }
 *
 * assert.equal(await status({}), 204)
 * assert.equal(await status({ 'orders.closed': 'true' }), 404)
 * ```
 */
export const disabledWhen = (name: string, value: string, options: IfMissing = {}): Include =>
  conditionally(Object.freeze({ _tag: 'DisabledWhen', condition: property(name, value, options) }))

const conditionally =
  (inclusion: Inclusion): Include =>
  (conditional) =>
    // only data that no type mentions changes
    addCondition(conditional, inclusion) as typeof conditional

const addCondition = (conditional: Includable, inclusion: Inclusion): Includable => {
  switch (conditional._tag) {
    case 'Endpoint':
    case 'Routes':
      return setAttributes({ conditions: [inclusion] })(conditional)
    case 'Filters':
      return Object.freeze({
        ...conditional,
        filters: conditional.filters.map((filter) => addConditionTo(filter, inclusion)),
      })
    case 'Mappers':
      return Object.freeze({
        ...conditional,
        mappers: conditional.mappers.map((mapper) => addConditionTo(mapper, inclusion)),
      })
    default:
      return Object.freeze({ ...conditional, conditions: appendCondition(conditional, inclusion) })
  }
}

/** Adds the condition to a part of a combined filter or mapper. */
const addConditionTo = <X extends AnyFilter | AnyMapper>(conditional: X, inclusion: Inclusion): X =>
  addCondition(conditional, inclusion) as X

const appendCondition = (
  { conditions = [] }: Conditional,
  inclusion: Inclusion,
): ReadonlyArray<Inclusion> => Object.freeze([...conditions, inclusion])
