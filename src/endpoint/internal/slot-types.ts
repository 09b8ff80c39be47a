/** Types of slots, and of what endpoints need. */

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
