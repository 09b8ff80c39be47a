/** Converts the functions of a client to functions that return promises. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { AnyAnswer } from './decoded-response.ts'
import { callFailed } from './call-failed.ts'
import type { ClientError } from './client-error.ts'

/** A client whose functions return promises. */
export type Promising<C> = [
  {
    readonly [K in keyof C]: C[K] extends (...input: infer I) => TaskEither<infer _, infer A>
      ? (...input: I) => Promise<A>
      : Promising<C[K]>
  },
][0]

/**
 * Converts a client to one whose functions send immediately and return a promise of the success. The promise rejects with
 * a {@link CallFailed} for declared failures and for all errors.
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
 *     error.message === 'half: failed with status 404 Not Found (GET http://localhost/half/7)',
 * )
 * ```
 */
export function promising<C extends object>(library: C): Promising<C>
export function promising(library: object): object {
  return convert(library, [])
}

const convert = (library: object, keys: ReadonlyArray<string>): object =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(library).map(([key, member]: readonly [string, unknown]) => {
        const name = [...keys, key]
        if (isCall(member)) return [key, convertCall(member, name.join('.'))]
        return [key, typeof member === 'object' && member !== null ? convert(member, name) : member]
      }),
    ),
  )

type AnyCall = (...input: ReadonlyArray<unknown>) => TaskEither<ClientError | AnyAnswer, unknown>

/** Clients have no other functions. */
const isCall = (member: unknown): member is AnyCall => typeof member === 'function'

const convertCall =
  (call: AnyCall, name: string) =>
  async (...input: ReadonlyArray<unknown>): Promise<unknown> => {
    const result = await call(...input)()
    if (E.isLeft(result)) throw callFailed(name, result.left)
    return result.right
  }
