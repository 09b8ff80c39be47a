/** Sources of streams: whatever gives values one after another. */

/** Anything with `Symbol.observable`, as RxJS has it. It cannot be asked, only heard. */
export interface Observable<A> {
  readonly subscribe: (observer: {
    readonly next: (value: A) => void
    readonly error: (error: unknown) => void
    readonly complete: () => void
  }) => { readonly unsubscribe: () => void }
}

/**
 * A generator or any other iterable, asynchronous or not, a `Readable` of Node, a `ReadableStream`, or an observable. It is
 * asked for a value when there is room for it, and told when nobody wants any more: `return` of an iterator, `cancel`,
 * `unsubscribe`. A generator that waits hears that only when its wait is over, so what it waits for should be given
 * `context.request.signal`.
 */
export type Source<A> = AsyncIterable<A> | Iterable<A> | ReadableStream<A> | Observable<A>
