/** Calls of operations in the same route tree through the complete pipeline, within the process. */
import * as E from 'fp-ts/lib/Either.js'
import type { BackEnd } from '../codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../codec/compiled/interpreted-back-end.ts'
import { platformJson } from '../codec/json/json-library.ts'
import type { LocalCallOptions } from '../endpoint/call.ts'
import type { CommonContext } from '../endpoint/context.ts'
import type { Definition, Endpoint } from '../endpoint/endpoint.ts'
import { ConfigurationError } from '../endpoint/definition/configuration-error.ts'
import type { TreeOperation, TreeOperations } from '../endpoint/tree/tree-operations.ts'
import { operationsOf } from '../endpoint/tree/tree-operations.ts'
import type { CallOptions } from './call-options.ts'
import type { Call, CallInput } from './client-types.ts'
import type { PreparedCall } from './prepare-call.ts'
import { prepareCall } from './prepare-call.ts'
import type { CallResult } from './response/response-reader.ts'
import { fetchTransport } from './transport/transport.ts'

/** Options for {@link CallWithFilters}. */
export interface CallWithFiltersOptions
  extends LocalCallOptions, Pick<CallOptions, 'headers' | 'as' | 'signal'> {
  /**
   * Values of the variables in the prefixes of enclosing trees, by variable name. Default: the values of the same slots
   * in the path of the current request.
   */
  readonly prefix?: Readonly<Record<string, unknown>> | undefined
}

type Arguments<S> =
  {} extends CallInput<S>
    ? [input?: CallInput<S>, options?: CallWithFiltersOptions]
    : [input: CallInput<S>, options?: CallWithFiltersOptions]

/** Type of the `callWithFilters` function. */
export interface CallWithFilters {
  /**
   * Calls another operation in the same tree through the complete pipeline, without a connection.
   *
   * All filters, access rules, error mappers and limits apply to the call. The input and the result are those of a
   * typed client: the request is encoded and validated, and the response is decoded. To call only the handler, use
   * `call` from `espalier`.
   *
   * The call is made on behalf of the current caller. It has the same principal and request id, and the headers
   * `Authorization`, `Cookie` and `Host` of the current request. If `headers` contains `Authorization`, the caller is
   * authenticated again. The call is aborted if the client disconnects or the current request times out.
   *
   * The result is a `TaskEither`, as for the functions of a client. Responses that only filters or mappers declare
   * result in an `UndeclaredStatus` error. The promise is rejected with a `TypeError` if the tree does not contain the
   * endpoint, and with a `ConfigurationError` if clients cannot call it.
   *
   * ```ts
   * import assert from 'node:assert/strict'
   * import * as E from 'fp-ts/lib/Either.js'
   * import { pipe } from 'fp-ts/lib/function.js'
   * import { get, handle, int, path, produces, reply, requestFilter, routes, text, withFilter } from 'espalier'
   * import { callWithFilters } from 'espalier/client'
   * import { inMemory } from 'espalier/testing'
   *
   * const readers = requestFilter(({ request }) =>
   *   request.header('Cookie') === 'reader=ann' ? undefined : reply(403),
   * )
   * const title = pipe(
   *   path('/books/{id}/title', { id: int }),
   *   get(),
   *   produces(text),
   *   handle(({ path: { id } }) => `Volume ${id}`),
   * )
   * const label = pipe(
   *   path('/label'),
   *   get(),
   *   produces(text),
   *   handle(async (_, context) => {
   *     const response = await callWithFilters(context, title, { path: { id: 7 } })()
   *     return E.isRight(response) ? response.right.body : response.left.message
   *   }),
   * )
   * const api = routes({ books: pipe(routes({ title }), withFilter(readers)), label })
   * const labelFor = async (headers: Record<string, string>) =>
   *   (await inMemory(api)('http://localhost/label', { headers })).text()
   *
   * assert.equal(await labelFor({ Cookie: 'reader=ann' }), 'Volume 7')
   * assert.match(await labelFor({}), /status 403/)
   * ```
   */
  <S>(
    context: CommonContext,
    endpoint: Endpoint<S>,
    ...[input, options]: Arguments<S>
  ): ReturnType<Call<S, never>>
}

/** Returns a `callWithFilters` function that compiles codecs with the given back end. */
export const createCallWithFilters = (backEnd: () => BackEnd): CallWithFilters => {
  const prepared = new WeakMap<TreeOperation, PreparedCall>()
  const prepare = (operation: TreeOperation): PreparedCall => {
    const known = prepared.get(operation)
    if (known !== undefined) return known
    const { definition, scope } = operation
    const call = prepareCall(
      definition,
      // the types of the endpoint do not include the replies of filters and mappers
      { ...scope, layers: [], mappers: [] },
      {
        sender: { base: { url: '', authorization: undefined }, headers: {}, lists: 'repeat' },
        jsonSettings: { library: platformJson, backEnd: backEnd() },
        limits: { maxBytes: Infinity, timeout: undefined },
        reconnect: undefined,
      },
    )
    if (E.isLeft(call)) throw new ConfigurationError(call.left)
    prepared.set(operation, call.right)
    return call.right
  }
  function callWithFilters<S>(
    context: CommonContext,
    endpoint: Endpoint<S>,
    ...[input, options]: Arguments<S>
  ): ReturnType<Call<S, never>>
  function callWithFilters(
    context: CommonContext,
    { definition }: { readonly definition: Definition },
    input: object = {},
    options: CallWithFiltersOptions = {},
  ): () => Promise<CallResult> {
    return async () => {
      const operations = operationsOf(context)
      const operation = operations.find(definition, options.name)
      const path = {
        ...prefixOf(operation, operations, options),
        ...('path' in input && typeof input.path === 'object' ? input.path : {}),
      }
      const { headers, as, signal } = options
      return prepare(operation)(
        fetchTransport(operations.fetch),
        { ...input, path },
        { baseUrl: operations.origin, headers, as, signal },
      )
    }
  }
  return callWithFilters
}

/** Returns the values of the prefix variables of an operation. Variables without a value are omitted. */
const prefixOf = (
  { scope }: TreeOperation,
  { prefixValues }: TreeOperations,
  { prefix = {} }: CallWithFiltersOptions,
): Readonly<Record<string, unknown>> => {
  const values: Record<string, unknown> = {}
  for (const { name, slot } of scope.variables)
    if (Object.hasOwn(prefix, name)) values[name] = prefix[name]
    else if (Object.hasOwn(prefixValues, slot.key)) values[name] = prefixValues[slot.key]
  return values
}

/** Calls operations without generating code for codecs. See {@link CallWithFilters}. */
export const callWithFilters: CallWithFilters = createCallWithFilters(() => interpretedBackEnd)
