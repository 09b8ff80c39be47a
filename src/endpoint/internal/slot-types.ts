/** Types of slots and of the dependencies of endpoints. */

/** A typed dependency. Its key identifies it in the whole application. */
export interface Slot<K extends string, A> {
  readonly _tag: 'Slot'
  readonly key: K
  /** The type of the value. Exists only at compile time. */
  readonly _A: A
}

/** A slot without its types. */
export interface AnySlot {
  readonly _tag: 'Slot'
  readonly key: string
  readonly _A: unknown
}

/** The dependencies of a record of declarations: types by slot key. */
export type NeedOf<S> = SlotsOf<S> & RaisedBy<S>

type SlotsOf<S> = S extends { readonly needs: infer N }
  ? { readonly [L in keyof N as KeyOf<N[L]>]: ValueOf<N[L]> }
  : unknown

type RaisedBy<S> = S extends { readonly raises: infer X }
  ? { readonly [Tag in keyof X & string as ErrorKey<Tag>]: (error: X[Tag]) => unknown }
  : unknown

/** The key of the dependency on a mapper of a tagged error. */
export type ErrorKey<Tag extends string> = `a mapper of the error ${Tag}`

export type KeyOf<X> = X extends { readonly key: infer K extends string } ? K : never

export type ValueOf<X> = X extends { readonly _A: infer A } ? A : never
