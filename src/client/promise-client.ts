/** Clients for those who do not use fp-ts. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { AnyAnswer } from './decoded-response.ts'
import { callFailed } from './call-failed.ts'
import type { ClientError } from './client-error.ts'

/** The same functions, with promises of the successes. */
export type Promising<C> = [
  {
    readonly [K in keyof C]: C[K] extends (...input: infer I) => TaskEither<infer _, infer A>
      ? (...input: I) => Promise<A>
      : Promising<C[K]>
  },
][0]

/**
 * A client whose functions send at once and promise the success: a declared failure, and whatever goes wrong, rejects with a
 * {@link CallFailed}.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { fails, get, handle, int, notFound, path, produces, routes } from 'espalier'
 * import { CallFailed, client, promising } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const half = pipe(
 *   path('/half/{n}', { n: int }),
 *   get(),
 *   produces(int),
 *   fails(404),
 *   handle(({ path: { n } }) => (n % 2 === 0 ? n / 2 : notFound())),
 * )
 * const api = routes({ half })
 * const numbers = promising(client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) }))
 *
 * assert.equal((await numbers.half({ path: { n: 42 } })).body, 21)
 * await assert.rejects(
 *   numbers.half({ path: { n: 7 } }),
 *   (error) =>
 *     error instanceof CallFailed &&
 *     error.message === 'half: answered 404 Not Found (GET http://localhost/half/7)',
 * )
 * ```
 */
export function promising<C extends object>(library: C): Promising<C>
export function promising(library: object): object {
  return promised(library, [])
}

const promised = (library: object, keys: ReadonlyArray<string>): object =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(library).map(([key, one]: readonly [string, unknown]) => {
        const name = [...keys, key]
        if (isCall(one)) return [key, promise(one, name.join('.'))]
        return [key, typeof one === 'object' && one !== null ? promised(one, name) : one]
      }),
    ),
  )

type Call = (...input: ReadonlyArray<unknown>) => TaskEither<ClientError | AnyAnswer, unknown>

/** Libraries have no other functions. */
const isCall = (one: unknown): one is Call => typeof one === 'function'

const promise =
  (call: Call, name: string) =>
  async (...input: ReadonlyArray<unknown>): Promise<unknown> => {
    const result = await call(...input)()
    if (E.isLeft(result)) throw callFailed(name, result.left)
    return result.right
  }
