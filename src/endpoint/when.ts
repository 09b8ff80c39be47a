/**
 * Combinators that include parts of a tree only under a condition.
 *
 * An excluded operation is not served. Requests for it result in a 404 response, or in 405 if the path has other operations.
 * Configuration errors in an excluded operation are not reported. `describeRoutes` lists excluded operations together
 * with the reason.
 */
import type { Condition, Conditional, IfMissing, AppliedCondition } from './condition.ts'
import { property } from './condition.ts'
import type { AnyFilter } from './filter.ts'
import type { AnyEntityProvider } from './interceptor.ts'
import type { AnyMapper } from './mapper.ts'
import type { AttributeTarget } from './tree/tree-scope.ts'
import { setAttributes } from './tree/tree-scope.ts'
import { combinatorFactory } from './internal/combinator.ts'

/**
 * A value that can have a condition: an endpoint, a tree, a filter, a mapper, a reader, a writer or an interceptor.
 */
export type ConditionTarget = AttributeTarget | AnyFilter | AnyMapper | AnyEntityProvider

/** A combinator that adds a condition to a value. The type of the value stays the same. */
export type ConditionStep = <X extends ConditionTarget>(target: X) => X

/**
 * Includes a value in the application only if a condition holds. The value can be an operation, a resource, a tree, a
 * filter, a mapper, a reader, a writer or an interceptor. If multiple conditions are added, all must hold.
 *
 * Conditions are evaluated once, when the tree is compiled. Types do not change, so typed clients still have methods
 * for excluded operations. If a filter is excluded, a dependency can remain unresolved (`FW-NEED-001`). If a reader or
 * writer is excluded, an entity can be left without a reader or writer (`FW-MEDIA-002`). If a mapper is excluded, the
 * errors that it would handle result in a 500 response.
 *
 * If the `fw.rest.build-time-condition-aware` setting is `false`, conditions added by `when` are ignored, and all
 * values are included.
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
export const when: (condition: Condition) => ConditionStep = combinatorFactory(
  'when',
  (condition: Condition) => conditionally(Object.freeze({ _tag: 'When', condition })),
)

/**
 * Excludes a target, such as an operation or a filter, from the application if the `name` property is exactly `value`.
 * If the property is missing, the target is excluded only if `ifMissing` is `true`. The setting
 * `fw.rest.build-time-condition-aware` does not affect this condition.
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
export const disabledWhen: (name: string, value: string, options?: IfMissing) => ConditionStep =
  combinatorFactory('disabledWhen', (name: string, value: string, options: IfMissing = {}) =>
    conditionally(
      Object.freeze({ _tag: 'DisabledWhen', condition: property(name, value, options) }),
    ),
  )

const conditionally =
  (condition: AppliedCondition): ConditionStep =>
  (target) =>
    // the type does not describe conditions
    addCondition(target, condition) as typeof target

const addCondition = (target: ConditionTarget, condition: AppliedCondition): ConditionTarget => {
  switch (target._tag) {
    case 'Endpoint':
    case 'Routes':
      return setAttributes({ conditions: [condition] })(target)
    case 'Filters':
      return Object.freeze({
        ...target,
        filters: target.filters.map((filter) => addConditionTo(filter, condition)),
      })
    case 'Mappers':
      return Object.freeze({
        ...target,
        mappers: target.mappers.map((mapper) => addConditionTo(mapper, condition)),
      })
    default:
      return Object.freeze({ ...target, conditions: appendCondition(target, condition) })
  }
}

/** Adds a condition to one part of a combined filter or mapper. */
const addConditionTo = <X extends AnyFilter | AnyMapper>(
  target: X,
  condition: AppliedCondition,
): X => addCondition(target, condition) as X

const appendCondition = (
  { conditions = [] }: Conditional,
  condition: AppliedCondition,
): ReadonlyArray<AppliedCondition> => Object.freeze([...conditions, condition])
