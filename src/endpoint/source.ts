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
 * A generator or any other iterable, asynchronous or not, a `Readable` of Node, a `ReadableStream`, an observable, or one of
 * them with a word about how it is asked (`multi`). A text is none: it is one value.
 *
 * It is asked for a value when there is room for it, and told when nobody wants any more: `return` of an iterator, `destroy`,
 * `cancel`, `unsubscribe`. A generator that waits hears that only when its wait is over, so what it waits for should be given
 * `context.request.signal`. One that was never asked has nothing to give back; what is open before it is asked, such as a
 * `Readable` of a file, is closed only when the response gets as far as its content. Octets that were given belong to the
 * stream: they are sent later, so their memory must not be used again.
 */
export type Source<A> =
  | AsyncIterable<A>
  | (Iterable<A> & object)
  | ReadableStream<A>
  | Observable<A>
  | Multi<A>

/** A source, and how it is asked and sent. */
export interface Multi<A> {
  readonly _tag: 'Multi'
  readonly source: Source<A>
  /** The number of elements that are asked for at the same time. */
  readonly demand: number
  /** Whether elements that are sent as JSON make one array. */
  readonly encodeAsArray: boolean
}
