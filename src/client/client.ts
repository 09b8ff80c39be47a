/**
 * The typed client of a tree: a second interpreter of the very values that a server runs, so that the two never disagree. It
 * reads descriptions only; handlers, and what runs around them, need not be there.
 */
import type { BackEnd } from '../codec/generated/compiled-codec.ts'
import { standard } from '../codec/json/json-library.ts'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import { MistakesError } from '../endpoint/internal/configuration-error.ts'
import { rootScope } from '../endpoint/internal/tree-scope.ts'
import type { AnyNode, Routes } from '../endpoint/routes.ts'
import type { Answered, Client } from './client-types.ts'
import type { ClientOptions } from './client-options.ts'
import { commonOf } from './client-options.ts'
import { library } from './build-client.ts'

/** What makes clients. */
export interface MakeClient {
  /**
   * A client of a tree: a frozen object in the shape of the tree, with a function for each operation. It takes what the operation
   * declares and gives a `TaskEither`, which sends a request each time that it is run, and never rejects. On its right is a declared
   * success, on its left a declared failure, or a {@link ClientError}, whose `_tag` says what went wrong. For promises see
   * {@link promising}.
   *
   * A redirection is an answer like others, and is not followed; a browser hides it, so that its status is 0. Browsers keep some header
   * fields to themselves too, `Cookie` and `User-Agent` among them. A member that a view or a role may hide may be missing in what
   * is read, whatever its type says. Throws a `MistakesError` that lists everything that is wrong with the contract or the options;
   * what is wrong with one call is an `EncodeError` of that call.
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

/** Makes clients whose codecs run by a back end. */
export const clientBy = (backEnd: () => BackEnd): MakeClient => {
  function client<T, R, E>(
    contract: Routes<T, R, E>,
    options: ClientOptions,
  ): Client<T, Answered<E>>
  function client(contract: AnyNode, options: ClientOptions): object {
    return made(contract, options, backEnd())
  }
  return client
}

const made = (contract: AnyNode, options: ClientOptions, backEnd: BackEnd): object => {
  const mistakes: Mistake[] = []
  const common = commonOf(options, mistakes)
  if (!isTree(contract)) {
    const remedy = 'give a tree: routes({ … })'
    mistakes.push({ code: 'FW-CLIENT-004', concerns: ['the contract'], remedy })
    throw new MistakesError(mistakes)
  }
  const usual = { library: standard, backEnd }
  const names = new Set<string>()
  const calls = library(contract, rootScope(''), { ...common, usual, mistakes, names })
  if (mistakes.length > 0) throw new MistakesError(mistakes)
  return calls
}

/** Whether it is one; programs in JavaScript give what they like. */
const isTree = (contract: unknown): boolean =>
  typeof contract === 'object' &&
  contract !== null &&
  '_tag' in contract &&
  contract._tag === 'Routes'
