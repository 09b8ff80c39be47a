/** Handlers for a whole contract: contract-first work, with the tree written once. */
import type { AnyHandler, Unhandled } from './endpoint.ts'
import { redefine } from './endpoint.ts'
import type { Handler } from './handle.ts'
import type { AnyNode, Routes, Without } from './routes.ts'
import { tree } from './routes.ts'

/** The handlers that a tree needs still, in its shape; what has them all already is left out. */
export type Handlers<T> = {
  readonly [K in keyof T as IsUnhandled<T[K]> extends true ? K : never]: T[K] extends {
    readonly _T: infer U
  }
    ? Handlers<U>
    : T[K] extends { readonly _S: infer S }
      ? S extends { readonly mistake: infer Mistakes }
        ? keyof Mistakes
        : Handler<S>
      : never
}

type IsUnhandled<X> = X extends { readonly _R: (need: infer R) => void }
  ? R extends Unhandled
    ? true
    : false
  : false

/** The handlers of a contract, for those that are written apart: `HandlersOf<typeof contract>['books']`. */
export type HandlersOf<C> = C extends { readonly _T: infer T } ? Handlers<T> : never

/**
 * Gives a tree that was declared elsewhere its handlers, in its own shape; what stands around it stays. A handler that is missing, or
 * is of no operation, does not compile. The contract is not changed, so that its module stays without handlers, and so does a page that
 * loads it with `espalier/client`. Where a bundler resolves the package for browsers, it throws, as `handle` and `implement` do: what a
 * page loads everybody can read.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, implementAll, int, path, prefix, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * // contract.ts
 * const square = pipe(path('/square/{n}', { n: int }), get(), produces(int))
 * const hello = pipe(path('/hello'), get(), produces(text))
 * const contract = pipe(routes({ numbers: routes({ square }), hello }), prefix('/api'))
 *
 * // service.ts
 * const api = implementAll(contract, {
 *   numbers: { square: ({ path: { n } }) => n * n },
 *   hello: () => 'Hello',
 * })
 * const response = await inMemory(api)(new Request('http://localhost/api/square/3'))
 * assert.equal(await response.text(), '9')
 * ```
 */
export const implementAll = <T, R, E>(
  contract: Routes<T, R, E>,
  handlers: NoInfer<Handlers<T>>,
): Routes<T, Without<R, Unhandled>, E> => handled(contract, handlers, [])

const handled = <T, R, E>(
  { children, wraps }: Extract<AnyNode, { readonly _tag: 'Routes' }>,
  handlers: unknown,
  keys: ReadonlyArray<string>,
): Routes<T, R, E> => {
  const given = new Map<string, unknown>(
    Object.entries(typeof handlers === 'object' && handlers !== null ? handlers : {}),
  )
  for (const key of given.keys())
    if (!children.has(key)) throw new TypeError(`there is no operation ${[...keys, key].join('.')}`)
  return tree<T, R, E>(
    new Map(
      Array.from(children, ([key, child]): readonly [string, AnyNode] => {
        const one = given.get(key)
        if (one === undefined) return [key, child]
        const name = [...keys, key]
        if (child._tag === 'Routes') return [key, handled(child, one, name)]
        if (typeof one !== 'function')
          throw new TypeError(`the handler of ${name.join('.')} is no function`)
        // its types were checked where it was given
        return [key, redefine(child, () => ({ handler: one as AnyHandler }))]
      }),
    ),
    wraps,
  )
}
