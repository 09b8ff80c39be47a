/**
 * Slots: what an endpoint needs from its surroundings, by name and type. `provide` fills them; a tree with a need that
 * nobody fills does not compile where it is served.
 */
import type { Slot, AnySlot } from './internal/slot-types.ts'
import type { Endpoint } from './endpoint.ts'
import { withConflict, makeEndpoint } from './endpoint.ts'
import type { Add } from './internal/declaration-errors.ts'

/**
 * A typed place, to be asked for with `needs` and filled with `provide`. The type is given and the key inferred, so the
 * call has two steps.
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
 */
export const slot =
  <A>() =>
  <K extends string>(key: K): Slot<K, A> =>
    // `_A` is for the compiler alone, so the value need not have it
    Object.freeze({ _tag: 'Slot', key }) as Slot<K, A>

/**
 * Asks for slots: `needs({ books: Books })` arrives in the handler's input as `needs.books`. `provide` fills them; a
 * unit test passes what it likes.
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
export const needs =
  <N extends { readonly [local: string]: AnySlot }>(slots: N) =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, 'needs', N>> =>
    makeEndpoint({
      ...Object.keys(slots)
        .filter((name) => definition.needs.has(name))
        .reduce(
          (sofar, name) => withConflict(sofar, `the need "${name}" is declared twice`),
          definition,
        ),
      needs: new Map([...definition.needs, ...Object.entries(slots)]),
    })
