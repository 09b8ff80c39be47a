/** An iterator that answers now or later. What its elements are, only their writer knows. */
export interface PullIterator {
  readonly next: () =>
    | IteratorResult<unknown, unknown>
    | PromiseLike<IteratorResult<unknown, unknown>>
  /** Ends the iterator before its end. One that is waiting may hear of it only afterwards. */
  readonly return?: (() => unknown) | undefined
}

export const closeIterator = (source: PullIterator): void => {
  try {
    const left = source.return?.()
    if (isThenable(left)) left.then(undefined, () => undefined)
  } catch {}
}

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
