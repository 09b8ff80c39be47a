/**
 * Marks threads that are workers for blocking operations. The module of the route tree may also call `serve`, which does nothing there.
 *
 * The mark is on `globalThis`, so that other copies and bundles of the package see it too.
 */
const mark = Symbol.for('espalier.worker')

export const isWorker = (): boolean => Reflect.has(globalThis, mark)

export const markAsWorker = (): void => {
  Reflect.set(globalThis, mark, true)
}
