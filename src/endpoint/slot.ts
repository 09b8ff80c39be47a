/** Slots: typed dependencies of endpoints and filters. */
import type { Slot, AnySlot, PathSlot, ValueOf } from './internal/slot-types.ts'
import { withConflict, makeEndpoint } from './endpoint.ts'
import { combinator } from './internal/combinator.ts'
import type { AddTo, Needs } from './internal/declaration-errors.ts'
import type { VariableCodec } from './path.ts'

/**
 * Creates a slot: a typed dependency with a key that identifies it throughout the application.
 *
 * Declare the dependency with `needs`, and provide the value with `provide` or with a filter. Serving a tree with a
 * missing dependency is a compile error. The function is called in two steps, so that you can specify the type
 * explicitly while the compiler infers the key.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { slot } from 'espalier'
 *
 * interface Clock {
 *   readonly now: () => Date
 * }
 * const Clock = slot<Clock>()('clock')
 *
 * assert.equal(Clock.key, 'clock')
 * ```
 *
 * A slot with a codec has the type of the decoded value. A variable in the path prefix of a tree can fill such a slot:
 * `prefix('/t/{tenant}', { tenant: Tenant })`. Filters and `provide` can fill it too.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { slot, uuid } from 'espalier'
 *
 * const Tenant = slot(uuid)('tenant')
 *
 * assert.equal(Tenant.codec, uuid)
 * ```
 */
export function slot<A>(): <K extends string>(key: K) => Slot<K, A>
export function slot<C extends VariableCodec>(
  codec: C,
): <K extends string>(key: K) => PathSlot<K, ValueOf<C>>
export function slot(codec?: VariableCodec): <K extends string>(key: K) => Slot<K, unknown> {
  return <K extends string>(key: K) =>
    // `_A` exists only at compile time
    Object.freeze(
      codec === undefined ? { _tag: 'Slot', key } : { _tag: 'Slot', key, codec },
    ) as Slot<K, unknown>
}

/**
 * Declares the dependencies of an operation. For example, with `needs({ books: Books })`, the handler reads the value
 * from `input.needs.books`.
 *
 * The values are supplied by `provide`, by a filter or by a variable in a `prefix`. A unit test that calls `run` passes the values in the input.
 * `needs` can be applied to the same operation multiple times.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, needs, path, produces, slot, text } from 'espalier'
 * import { testContext } from 'espalier/testing'
 *
 * const Today = slot<() => string>()('today')
 * const greet = pipe(
 *   path('/'),
 *   get(),
 *   needs({ today: Today }),
 *   produces(text),
 *   handle(({ needs: { today } }) => `It is ${today()}.`),
 * )
 *
 * assert.equal(greet.run({ needs: { today: () => 'Monday' } }, testContext()), 'It is Monday.')
 * ```
 */
export const needs = combinator(
  'needs',
  'Endpoint',
  <N extends { readonly [local: string]: AnySlot }>(slots: N): AddTo<'needs', Needs<N>> =>
    ({ definition }) =>
      makeEndpoint({
        ...Object.keys(slots)
          .filter((name) => definition.needs.has(name))
          .reduce(
            (current, name) => withConflict(current, `the dependency "${name}" is declared twice`),
            definition,
          ),
        needs: new Map([...definition.needs, ...Object.entries(slots)]),
      }),
)
