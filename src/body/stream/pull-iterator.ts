/** An iterator that answers now or later. What its elements are, only their writer knows. */
export interface PullIterator {
  readonly next: () =>
    | IteratorResult<unknown, unknown>
    | PromiseLike<IteratorResult<unknown, unknown>>
  /** Ends the iterator before its end. One that is waiting may hear of it only afterwards. */
  readonly return?: (() => unknown) | undefined
}
