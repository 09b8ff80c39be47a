/**
 * Inclusion: parts of a tree that are there under conditions only. What is left out is as if it had never been written:
 * its path is 404, or 405 where another method of it is served, its mistakes are not reported, and what it would have given to
 * others is missing there. `explain` names it and the reason.
 */
import type { Condition, Conditional, IfMissing, Inclusion } from './condition.ts'
import { property } from './condition.ts'
import type { AnyFilter } from './filter.ts'
import type { AnyEntityProvider } from './interceptor.ts'
import type { AnyMapper } from './mapper.ts'
import type { AttributeTarget } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'

/** What can be put under a condition: an endpoint of any stage, a tree, a filter, a mapper, a reader, a writer, an interceptor. */
export type Includable = AttributeTarget | AnyFilter | AnyMapper | AnyEntityProvider

/** A step that puts something under a condition and leaves no trace in its type. */
export type Include = <X extends Includable>(conditional: X) => X

/**
 * Includes an operation, all of a resource or tree, or something around one (a filter, mapper, reader, writer or interceptor)
 * only when a condition holds. Of several conditions all have to. Decided once, when the tree is compiled; the types stay as
 * they are, and a client may know what is not served. Where a filter is left out, a slot that nothing else fills fails the
 * start (`FW-NEED-001`), and so does an entity that is left without a reader or writer (`FW-MEDIA-002`); where a mapper is, an
 * error that nothing else maps is a defect, answered with 500.
 *
 * With `fw.rest.build-time-condition-aware=false` everything is included that the tree lists, whatever `when` says.
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
 * Leaves an operation, all of a resource or tree, or something around one out when a property has exactly this text; when nothing
 * has the name, only if `ifMissing` is `true`. It counts whatever `fw.rest.build-time-condition-aware` says.
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
    // what comes out is what went in, with one datum more that no type tells of
    addCondition(conditional, inclusion) as typeof conditional

const addCondition = (conditional: Includable, inclusion: Inclusion): Includable => {
  switch (conditional._tag) {
    case 'Endpoint':
    case 'Routes':
      return setAttributes({ conditions: [inclusion] })(conditional)
    case 'Filters':
      return Object.freeze({
        ...conditional,
        filters: conditional.filters.map((one) => toMember(one, inclusion)),
      })
    case 'Mappers':
      return Object.freeze({
        ...conditional,
        mappers: conditional.mappers.map((one) => toMember(one, inclusion)),
      })
    default:
      return Object.freeze({ ...conditional, conditions: appendCondition(conditional, inclusion) })
  }
}

/** A filter stays a filter, and a mapper a mapper. */
const toMember = <X extends AnyFilter | AnyMapper>(conditional: X, inclusion: Inclusion): X =>
  addCondition(conditional, inclusion) as X

const appendCondition = (
  { conditions = [] }: Conditional,
  one: Inclusion,
): ReadonlyArray<Inclusion> => Object.freeze([...conditions, one])
