/**
 * Creates typed clients from the route trees that servers run, so that both sides always agree. Handlers and filters need
 * not be implemented.
 */
import type { BackEnd } from '../codec/generated/compiled-codec.ts'
import { interpretedBackEnd } from '../codec/generated/interpreted/interpreted-back-end.ts'
import { platformJson } from '../codec/json/json-library.ts'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import { MistakesError } from '../endpoint/internal/configuration-error.ts'
import { rootScope } from '../endpoint/internal/tree-scope.ts'
import type { AnyNode, Routes } from '../endpoint/routes.ts'
import type { Answered, Client } from './client-types.ts'
import type { ClientOptions } from './client-options.ts'
import { parseClientOptions } from './client-options.ts'
import { buildClient } from './build-client.ts'

/** Creates a client. */
export interface CreateClient {
  /**
   * Creates a client of a route tree: a frozen object in the shape of the tree, with a function per operation.
   *
   * A function takes the declared input and returns a `TaskEither` that sends a request each time it runs and never rejects.
   * Its `Right` is a declared success; its `Left` is a declared failure or a {@link ClientError}, distinguished by `_tag`.
   * {@link promising} converts these functions to functions that return promises.
   *
   * - Redirections are not followed: they are responses like others. A browser hides their status, which is 0 then.
   * - Browsers do not send or expose some headers, `Cookie` and `User-Agent` among them.
   * - A member that a view or a role may hide can be missing in a response, although its type does not say so.
   *
   * Throws a `MistakesError` that lists all configuration errors of the contract and of the options. Invalid input or
   * options of a call result in an `EncodeError` of that call.
   *
   * ```ts
   * import assert from 'node:assert/strict'
   * import * as E from 'fp-ts/lib/Either.js'
   * import { pipe } from 'fp-ts/lib/function.js'
   * import * as t from 'io-ts'
   * import { fails, get, implement, json, path, produces, routes, text } from 'espalier'
   * import { client } from 'espalier/client'
   * import { inMemory } from 'espalier/testing'
   *
   * const Book = t.type({ title: t.string })
   * const find = pipe(path('/books/{isbn}'), get(), produces(json(Book)), fails(404, text))
   *
   * const server = inMemory(
   *   routes({
   *     find: implement(find, (input) =>
   *       input.path.isbn === '0-13' ? E.right({ title: 'Emma' }) : E.left('no such book'),
   *     ),
   *   }),
   * )
   * const library = client(routes({ find }), { baseUrl: 'http://localhost', fetch: server })
   *
   * const found = await library.find({ path: { isbn: '0-13' } })()
   * assert.equal(E.isRight(found) && found.right.body.title, 'Emma')
   *
   * const lost = await library.find({ path: { isbn: '0-14' } })()
   * assert.ok(E.isLeft(lost) && 'status' in lost.left && lost.left.status === 404)
   * ```
   */
  <T, R, E>(contract: Routes<T, R, E>, options: ClientOptions): Client<T, Answered<E>>
}

/** Returns a `client` function whose codecs are compiled by the given back end. */
export const createClientWith = (backEnd: () => BackEnd): CreateClient => {
  function createClient<T, R, E>(
    contract: Routes<T, R, E>,
    options: ClientOptions,
  ): Client<T, Answered<E>>
  function createClient(contract: AnyNode, options: ClientOptions): object {
    const mistakes: Mistake[] = []
    const settings = parseClientOptions(options, mistakes)
    if (!isRouteTree(contract)) {
      const remedy = 'expected a route tree: routes({ … })'
      mistakes.push({ code: 'FW-CLIENT-004', concerns: ['the contract'], remedy })
      throw new MistakesError(mistakes)
    }
    const calls = buildClient(contract, rootScope(''), {
      ...settings,
      jsonSettings: { library: platformJson, backEnd: backEnd() },
      mistakes,
      names: new Set(),
    })
    if (mistakes.length > 0) throw new MistakesError(mistakes)
    return calls
  }
  return createClient
}

/** Runs codecs without generating code, which browsers and workerd often forbid. */
export const client: CreateClient = createClientWith(() => interpretedBackEnd)

const isRouteTree = (contract: unknown): boolean =>
  typeof contract === 'object' &&
  contract !== null &&
  '_tag' in contract &&
  contract._tag === 'Routes'
