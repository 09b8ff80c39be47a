/** Access from a context to the operations of the running route tree, for calls within the process. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { CommonContext } from '../context.ts'
import type { Definition } from '../endpoint.ts'
import type { AnyReply } from '../reply.ts'
import type { TreeScope } from './tree-scope.ts'

/** An operation of the running tree. There is one object per operation. */
export interface TreeOperation {
  readonly name: string
  readonly definition: Definition
  readonly scope: TreeScope
}

/** The operations of the running tree, as seen from one request. */
export interface TreeOperations {
  /**
   * Finds an operation by its definition. An operation that occurs several times in the tree is selected by `name` or,
   * by default, by its proximity to the current operation. Throws a `TypeError` if there is no such operation, or if
   * the selection is ambiguous.
   */
  readonly find: (definition: Definition, name: string | undefined) => TreeOperation
  /**
   * Runs the handler of an operation, without filters. The promise is rejected with errors that the handler throws,
   * except for an `HttpError`.
   */
  readonly run: (
    definition: Definition,
    input: Readonly<Record<string, unknown>>,
    name: string | undefined,
  ) => Promise<Either<unknown, AnyReply>>
  /**
   * Sends a request through the complete pipeline, on behalf of the caller of the current request. Has the signature
   * of the global `fetch` function.
   */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Origin of the current request, such as `http://localhost:8080`. */
  readonly origin: string
  /** The values of the variables in path prefixes, by slot key. */
  readonly prefixValues: Readonly<Record<string, unknown>>
}

/** Key of the context property that contains the operations. */
export const operationsKey: unique symbol = Symbol.for('espalier.operations')

/** Returns the operations of the running tree. Throws a `TypeError` if the context has none. */
export const operationsOf = (context: CommonContext): TreeOperations => {
  if (!hasOperations(context))
    throw new TypeError('the context has no route tree: pass the context of a handler or filter')
  return context[operationsKey]
}

const hasOperations = (context: object): context is { readonly [operationsKey]: TreeOperations } =>
  operationsKey in context
