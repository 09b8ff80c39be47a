/** Slots: typed dependencies of endpoints and filters. */
import type { Slot, AnySlot, PathSlot, ValueOf } from './definition/slot-types.ts'
import { withConflict, makeEndpoint } from './endpoint.ts'
import { checkRecord, combinator } from './internal/combinator.ts'
import type { AddTo, Needs } from './internal/declaration-errors.ts'
import type { RejectedOptions, RecordOnly } from '../codec/codec.ts'
import type { VariableCodec } from './path.ts'

/**
 * A parameter of `slot` that no value has. TypeScript selects it for a key that is not passed to the second function, so that the error
 * message ends in `Remedy`.
 */
export interface CalledOnce<A, Remedy extends string> {
  readonly value: A
  readonly call: Remedy
}

/** A function that creates a slot with a key. */
export interface CreateSlot<A> {
  <K extends string>(key: K): Slot<K, A>
  /** The type of the value. This member exists only at compile time. */
  readonly _A: A
}

/** Slots, or functions that create them, whose type is inferred so that handlers cause no further errors. */
export interface SlotRecord {
  readonly [local: string]:
    | { readonly _A: unknown }
    | RejectedSlotValue<'use a slot, as in slot<Clock>()(key), and pass the value to provide'>
}

/** An alternative to a slot that no value has. TypeScript selects it for an object, because of its index signature. */
export interface RejectedSlotValue<Remedy extends string> {
  readonly [name: string]: unknown
  readonly slot: Remedy
}

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
export function slot<A>(): CreateSlot<A>
export function slot<A>(key: CalledOnce<A, "call twice: slot<Clock>()('clock')">): never
export function slot<
  C extends VariableCodec | RejectedOptions<"call twice: slot<Clock>()('clock')">,
>(codec: C): <K extends string>(key: K) => PathSlot<K, ValueOf<C>>
export function slot(codec?: unknown): unknown {
  if (typeof codec === 'string')
    throw new TypeError("slot: expected a codec, got a string: call twice: slot()('clock')")
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
  <N extends RecordOnly<'pass a record of slots: needs({ clock: Clock })'> & SlotRecord>(
    slots: N & { readonly [L in keyof N]: AnySlot },
  ): AddTo<'needs', keyof N, Needs<N>> => {
    checkRecord('needs', slots, 'pass a record of slots: needs({ clock: Clock })')
    return ({ definition }) =>
      makeEndpoint({
        ...Object.keys(slots)
          .filter((name) => definition.needs.has(name))
          .reduce(
            (current, name) => withConflict(current, `the dependency "${name}" is declared twice`),
            definition,
          ),
        needs: new Map([...definition.needs, ...Object.entries(slots)]),
      })
  },
)
