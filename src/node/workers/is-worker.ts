/**
 * Whether this thread is a worker for blocking operations. The module of the tree may also be the one that serves it, so
 * `serve` has to know. The mark is global: another copy of the package, or another bundle of it, must see it too.
 */
const mark = Symbol.for('espalier.worker')

export const isWorker = (): boolean => Reflect.has(globalThis, mark)

export const markAsWorker = (): void => {
  Reflect.set(globalThis, mark, true)
}
