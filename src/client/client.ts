/**
 * Creates typed clients from the route trees of servers. A client does not need the implementations of the handlers and
 * filters in the tree.
 *
 * `client` creates clients whose functions return tasks. `promiseClient` creates clients whose functions return
 * promises.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { JsonSettings } from '../body/json/json-rules.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import { prefixErrors } from '../endpoint/tree/prefix-variables.ts'
import type { TreeScope } from '../endpoint/tree/tree-scope.ts'
import { nestedScope, rootScope } from '../endpoint/tree/tree-scope.ts'
import { isTree } from '../endpoint/internal/combinator.ts'
import type { RejectedOptions, RejectedTree } from '../codec/codec.ts'
import type { AnyNode, Routes, TreeInput } from '../endpoint/routes.ts'
import { createCallFailed } from './call-failed.ts'
import type { CallOptions } from './call-options.ts'
import type { ClientSettings, ClientOptions } from './client-options.ts'
import type { AnyCallInput } from './request/parameter-values.ts'
import type { BackEnd } from '../codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../codec/compiled/interpreted-back-end.ts'
import { platformJson } from '../codec/json/json-library.ts'
import { ConfigurationError } from '../endpoint/definition/configuration-error.ts'
import type { TreeClient } from './client-types.ts'
import type { AttemptTracing } from './traced-attempts.ts'
import { parseClientOptions } from './client-options.ts'
import { prepareCall } from './prepare-call.ts'
import type { CallResult } from './response/response-reader.ts'

/** Settings of a client, and the configuration errors and operation names collected while the client is being built. */
export interface ClientBuild extends ClientSettings {
  readonly jsonSettings: JsonSettings
  readonly tracing: AttemptTracing | undefined
  readonly issues: ConfigurationIssue[]
  /** Operation names already in use. Using a name twice is a configuration error. */
  readonly names: Set<string>
  readonly toMember: ToMember
}

/** Untyped function that calls an operation. JavaScript programs can pass `null`. */
type AnyCall = (input?: AnyCallInput | null, options?: CallOptions | null) => Promise<CallResult>

/** Converts the function that calls an operation to the function in the client. */
type ToMember = (call: AnyCall, name: string) => object

const toTask: ToMember =
  (call) =>
  (...input: Parameters<AnyCall>) =>
  () =>
    call(...input)

const toPromise: ToMember =
  (call, name) =>
  async (...input: Parameters<AnyCall>) => {
    const result = await call(...input)
    if (E.isLeft(result)) throw createCallFailed(name, result.left)
    return result.right
  }

/**
 * Builds the client for a subtree. Operations become functions, and other nodes become frozen objects. Configuration
 * errors are added to `build.issues`.
 */
const buildClient = (node: AnyNode, scope: TreeScope, build: ClientBuild): object => {
  const name = scope.keys.join('.')
  const fail = (
    remedy: string,
    code: ConfigurationIssue['code'] = 'FW-CLIENT-001',
    concerns = name,
  ): void => {
    build.issues.push({ code, concerns: [concerns], remedy })
  }
  // `await` would call a client function named `then`
  if (scope.keys.at(-1) === 'then')
    fail('rename it: an object with a `then` function is treated as a promise')
  if (node._tag === 'Endpoint') {
    if (build.names.has(name))
      fail('duplicate name: avoid dots in keys, or rename one of the operations')
    build.names.add(name)
    const prepared = prepareCall(node.definition, scope, build)
    if (E.isRight(prepared)) {
      const call: AnyCall = (input, options) => prepared.right(build.passage, input, options)
      return Object.freeze(build.toMember(call, name))
    }
    build.issues.push(...prepared.left)
    // the client is not created
    return {}
  }
  for (const wrapper of node.wrappers)
    if (wrapper._tag === 'Prefix')
      for (const remedy of prefixErrors(wrapper))
        fail(remedy, 'FW-PARAM-001', `of ${name === '' ? 'the root' : name}`)
  const inner = nestedScope(scope, node.wrappers)
  return Object.freeze(
    Object.fromEntries(
      Array.from(node.children, ([key, child]) => [
        key,
        buildClient(child, { ...inner, keys: [...inner.keys, key] }, build),
      ]),
    ),
  )
}

type Contract<T, R, E> = Routes<T, R, E> | RejectedTree<'create a client of a tree: routes({ … })'>

/** A parameter that no value has. `T` is the type argument of a client that is created from a type, and `Name` the function. */
type OptionsOnly<T, Name extends string> = [T] extends [never]
  ? never
  : unknown extends T
    ? RejectedOptions<`pass the tree and the options: ${Name}(tree, { … })`>
    : RejectedOptions<`pass the tree and the options, without type arguments: ${Name}(tree, { … })`>

/** Type of the `client` function. */
export interface CreateClient {
  // the type of an error
  <T>(options: OptionsOnly<T, 'client'>): never
  /**
   * Creates a client for a route tree. The client is a frozen object with the same shape as the tree and one function
   * per operation.
   *
   * Each function accepts the declared input and returns a `TaskEither`. The task sends a request each time it runs,
   * and never rejects. The `Right` is a declared success. The `Left` is a declared failure or a {@link ClientError},
   * which has a `_tag` property. To create functions that return promises, use {@link promiseClient}.
   *
   * - Redirects are not followed. A redirect is handled like any other response. In browsers, the status of a redirect
   *   is 0.
   * - Browsers do not send or expose some headers, such as `Cookie` and `User-Agent`.
   * - A property that can be hidden by a view or a role might be missing from a response, even if it is not optional.
   *
   * If the contract or the client options contain errors, throws a `ConfigurationError` that lists all of them. If the
   * input or an option of a call is invalid, the call fails with an `EncodeError`.
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
  <T, R = unknown, E = unknown>(
    contract: Contract<T, R, E>,
    options: ClientOptions,
  ): TreeClient<T, E>
}

type ContractInput = TreeInput | RejectedOptions<string>

/** Returns a function that creates clients without types. JavaScript programs can omit the options. */
const buildClientWith =
  ({ backEnd, tracing }: ClientPlatform, toMember: ToMember) =>
  (contract: ContractInput, options: ClientOptions = { baseUrl: '' }): object => {
    const issues: ConfigurationIssue[] = []
    const settings = parseClientOptions(options, issues, tracing)
    if (!isTree(contract)) {
      const remedy = 'expected a route tree: routes({ … })'
      issues.push({ code: 'FW-CLIENT-004', concerns: ['the contract'], remedy })
      throw new ConfigurationError(issues)
    }
    const calls = buildClient(contract, rootScope(''), {
      ...settings,
      jsonSettings: { library: platformJson, backEnd: backEnd() },
      tracing,
      issues,
      names: new Set(),
      toMember,
    })
    if (issues.length > 0) throw new ConfigurationError(issues)
    return calls
  }

/** What clients do in a way of their own on a platform. */
export interface ClientPlatform {
  /** Returns the back end that compiles codecs. */
  readonly backEnd: () => BackEnd
  /** Publishes the attempts of calls. */
  readonly tracing?: AttemptTracing
}

/** The platform of clients that run anywhere. */
const anyPlatform: ClientPlatform = { backEnd: () => interpretedBackEnd }

/** Returns a `client` function for a platform. */
export const createClientWith = (platform: ClientPlatform): CreateClient => {
  const build = buildClientWith(platform, toTask)
  function createClient<T>(options: OptionsOnly<T, 'client'>): never
  function createClient<T, R, E>(
    contract: Contract<T, R, E>,
    options: ClientOptions,
  ): TreeClient<T, E>
  function createClient(contract: ContractInput, options?: ClientOptions): object {
    return build(contract, options)
  }
  return createClient
}

/** Creates a client that does not generate code for codecs. Browsers and workerd often forbid code generation. */
export const client: CreateClient = createClientWith(anyPlatform)

/** Type of the `promiseClient` function. */
export interface CreatePromiseClient {
  // the type of an error
  <T>(options: OptionsOnly<T, 'promiseClient'>): never
  /**
   * Creates a client whose functions send a request immediately and return a promise for the success response.
   *
   * The promise rejects with a {@link CallFailed} for declared failures and for all errors. The options are the same as
   * those of `client`.
   *
   * ```ts
   * import assert from 'node:assert/strict'
   * import { pipe } from 'fp-ts/lib/function.js'
   * import { fails, get, handle, int, notFound, path, produces, routes } from 'espalier'
   * import { CallFailed, promiseClient } from 'espalier/client'
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
   * const numbers = promiseClient(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
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
  <T, R = unknown, E = unknown>(
    contract: Contract<T, R, E>,
    options: ClientOptions,
  ): PromiseClient<TreeClient<T, E>>
}

/** Returns a `promiseClient` function for a platform. */
export const createPromiseClientWith = (platform: ClientPlatform): CreatePromiseClient => {
  const build = buildClientWith(platform, toPromise)
  function createPromiseClient<T>(options: OptionsOnly<T, 'promiseClient'>): never
  function createPromiseClient<T, R, E>(
    contract: Contract<T, R, E>,
    options: ClientOptions,
  ): PromiseClient<TreeClient<T, E>>
  function createPromiseClient(contract: ContractInput, options?: ClientOptions): object {
    return build(contract, options)
  }
  return createPromiseClient
}

/** Creates clients like {@link client}, except that their functions return promises. */
export const promiseClient: CreatePromiseClient = createPromiseClientWith(anyPlatform)

/** A client whose functions return promises. */
export type PromiseClient<C> = [
  {
    readonly [K in keyof C]: C[K] extends (...input: infer I) => TaskEither<infer _, infer A>
      ? (...input: I) => Promise<A>
      : PromiseClient<C[K]>
  },
][0]
