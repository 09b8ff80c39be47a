/**
 * A mark for programs that import a module only for the route tree that it exports: workers for blocking operations, and the
 * `espalier` command. In these programs, `serve` does nothing. Therefore, the module that exports the route tree can itself call
 * `serve`.
 *
 * The mark is set on `globalThis`, where other copies and bundles of the package can also find it.
 */
const mark = Symbol.for('espalier.serve.disabled')

/** Whether `serve` returns a server that does not listen. */
export const isServeDisabled = (): boolean => Reflect.has(globalThis, mark)

/** Disables `serve` in the current thread. */
export const disableServe = (): void => {
  Reflect.set(globalThis, mark, true)
}
