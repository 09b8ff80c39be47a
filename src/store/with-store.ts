/** Selects the store of a tree. */
import { combinatorFactory } from '../endpoint/internal/combinator.ts'
import { describeValue } from '../endpoint/definition/describe-value.ts'
import type { Store } from '../endpoint/definition/store.ts'
import type { AttributeStep } from '../endpoint/tree/tree-scope.ts'
import { setAttributes } from '../endpoint/tree/tree-scope.ts'
import { isObject } from '../http/platform-value.ts'

const methods = ['take', 'acquire', 'renew', 'complete', 'release'] as const

/**
 * Selects the {@link Store} of a tree, a resource or an operation. The innermost store applies. By default, each server has an
 * {@link inMemoryStore} of its own. Throws a `TypeError` if a method of the store is missing.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, inMemoryStore, path, routes, withStore } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const store = inMemoryStore({ maxQuotas: 10_000 })
 * const ping = pipe(path('/ping'), get(), handle(() => {}))
 * const send = inMemory(pipe(routes({ ping }), withStore(store)))
 *
 * assert.equal((await send('http://localhost/ping')).status, 204)
 * ```
 */
export const withStore: (store: Store) => AttributeStep = combinatorFactory(
  'withStore',
  (store: Store) => {
    if (!isStore(store))
      throw new TypeError(
        `withStore: invalid store: expected an object with the methods ${methods.join(', ')}, got ${describeValue(store)}`,
      )
    return setAttributes({ store })
  },
)

const isStore = (value: unknown): boolean =>
  isObject(value) && methods.every((name) => typeof Reflect.get(value, name) === 'function')
