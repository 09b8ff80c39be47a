/** Changes to a request before it is matched. */

/** What a filter before matching changes of a request; what is left out stays. */
export interface Rewriting {
  readonly method?: string
  /** A path, with a query behind `?` if there is to be one. */
  readonly target?: string
  /** Fields that replace those of the same name; `undefined` takes a field away. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Identifies the request from now on. */
  readonly id?: string
}

export interface Rewrite extends Rewriting {
  readonly _tag: 'Rewrite'
}

const mark = Symbol.for('espalier.Rewrite')

/** Changes the request before it is matched. */
export const rewrite = (changes: Rewriting): Rewrite =>
  Object.freeze({ ...changes, _tag: 'Rewrite', [mark]: true })

export const isRewrite = (value: unknown): value is Rewrite =>
  typeof value === 'object' && value !== null && mark in value
