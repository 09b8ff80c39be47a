/**
 * Slots: what an endpoint needs from its surroundings, by name and type. `provide` fills them; a tree with a need that
 * nobody fills does not compile where it is served.
 */

/** A typed place. The key tells places apart, in the whole application. */
export interface Slot<K extends string, A> {
  readonly _tag: 'Slot'
  readonly key: K
  /** The type of what fills it; there is no such member at run time. */
  readonly _A: A
}

export interface AnySlot {
  readonly _tag: 'Slot'
  readonly key: string
  readonly _A: unknown
}

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

/** What has to be filled for a record of declarations: the keys of its slots with their types. */
export type NeedOf<S> = SlotsOf<S> & RaisedBy<S>
type SlotsOf<S> = S extends { readonly needs: infer N }
  ? { readonly [L in keyof N as KeyOf<N[L]>]: ValueOf<N[L]> }
  : unknown
type RaisedBy<S> = S extends { readonly raises: infer X }
  ? { readonly [Tag in keyof X & string as ErrorKey<Tag>]: (error: X[Tag]) => unknown }
  : unknown

/** The key under which a tagged error is a need: a mapper fills it. */
export type ErrorKey<Tag extends string> = `a mapper of the error ${Tag}`

export type KeyOf<X> = X extends { readonly key: infer K extends string } ? K : never
export type ValueOf<X> = X extends { readonly _A: infer A } ? A : never
