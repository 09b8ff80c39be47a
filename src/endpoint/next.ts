/** Letting a request pass, with values for slots. */

/** What a filter gives to the handlers below: see {@link next}. */
export interface Next<G> {
  readonly _tag: 'Next'
  readonly given: G
}

const mark = Symbol.for('espalier.Next')

/** Goes on, with values for the slots that the filter gives, by their local names. */
export const next = <const G extends Readonly<Record<string, unknown>>>(given: G): Next<G> => {
  // made for each request and taken apart at once: to freeze it would take longer than all else that is done with it
  const made = { _tag: 'Next', given, [mark]: true } as const
  return made
}

/** Whether a value was made by {@link next}, of this or another copy of the package. */
export const isNext = (value: unknown): value is Next<Readonly<Record<string, unknown>>> =>
  typeof value === 'object' && value !== null && mark in value
