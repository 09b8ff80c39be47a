/**
 * A symbol that marks a thread as a worker for blocking operations. In a worker, `serve` does nothing. Therefore, the module that
 * exports the route tree can itself call `serve`.
 *
 * The mark is set on `globalThis`, where other copies and bundles of the package can also find it.
 */
const mark = Symbol.for('espalier.worker')

/** Whether the current thread is a worker for blocking operations. */
export const isWorker = (): boolean => Reflect.has(globalThis, mark)

/** Marks the current thread as a worker for blocking operations. */
export const markAsWorker = (): void => {
  Reflect.set(globalThis, mark, true)
}
