/** Iterators of stream sources, which return elements synchronously or as promises. */
export interface PullIterator {
  readonly next: () =>
    | IteratorResult<unknown, unknown>
    | PromiseLike<IteratorResult<unknown, unknown>>
  /** Closes the iterator early. A pending `next` may settle first. */
  readonly return?: (() => unknown) | undefined
}

/** Closes an iterator early and ignores its errors. */
export const closeIterator = (source: PullIterator): void => {
  try {
    const closing = source.return?.()
    if (isThenable(closing)) closing.then(undefined, () => undefined)
  } catch {}
}

/** Whether a value is a promise or another thenable. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
