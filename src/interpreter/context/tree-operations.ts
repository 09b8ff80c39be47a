/** Implements calls of other operations in the same tree, from the context of a request: of their handlers, or through the pipeline. */
import type { Context, EndpointInfo } from '../../endpoint/context.ts'
import type { TreeOperations } from '../../endpoint/tree/tree-operations.ts'
import * as Headers from '../../http/headers.ts'
import * as RequestTarget from '../../http/request-target.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Exchange } from '../exchange.ts'
import { exchangeInProcess } from '../in-process.ts'
import type { RequestInfo } from '../request-info.ts'
import type { Either } from 'fp-ts/lib/Either.js'
import * as E from 'fp-ts/lib/Either.js'
import { settle, isObject, isTagged } from '../../http/platform-value.ts'
import type { ResolvedNeed } from '../../compiler/filter-chain.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply, makeReply } from '../../endpoint/reply.ts'
import * as Status from '../../http/status.ts'
import type { HandlerInput } from '../parameters/read-parameters.ts'
import type { ResponseValue } from '../response/encode-response.ts'
import { undeclaredStatus } from '../response/encode-response.ts'
import { normalizeResult } from '../handler/handler-result.ts'

/**
 * Creates the operations of the tree, as seen from a context. `caller` is the operation of the context, if any. `createContext` creates
 * the context for the handler of another operation.
 */
export const treeOperations = (
  state: RequestInfo,
  caller: EndpointInfo | undefined,
  createContext: (endpoint: EndpointInfo) => Context,
): TreeOperations => {
  const { exchange, program } = state
  const find = (...[definition, name]: Parameters<TreeOperations['find']>): Plan =>
    program.findOperation(definition, name, caller?.name)
  return {
    find: (definition, name) => find(definition, name).source,
    run: async (definition, input, name) => {
      const plan = find(definition, name)
      const { method, template } = plan
      const endpoint = Object.freeze({ name: plan.name, method, template })
      return callHandler(plan, withNeeds(plan, input, slotValues(state)), createContext(endpoint))
    },
    // workerd rejects the value `error` that clients use
    fetch: (url, init) =>
      sendNested(
        state,
        new Request(url, { ...init, redirect: 'manual' }),
        init.signal ?? undefined,
      ),
    get origin() {
      return exchange.origin()
    },
    get prefixValues() {
      return state.prefixValues
    },
  }
}

/** Returns the headers of the current request that are sent with calls, unless the call sets them. */
const inheritedHeaders = (
  headers: Headers.RequestHeaders,
): ReadonlyArray<readonly [string, string]> => {
  const values = [
    ['authorization', Headers.first(headers, 'authorization') ?? ''],
    ['cookie', Headers.combined(headers, 'cookie') ?? ''],
    ['host', Headers.first(headers, 'host') ?? ''],
  ] as const
  return values.filter(([, value]) => value !== '')
}

/** Sends a request through the complete pipeline, on behalf of the caller of the current request. */
const sendNested = async (
  state: RequestInfo,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<Response> => {
  const { exchange, program } = state
  const { interpret } = program
  if (interpret === undefined) throw new TypeError('the program does not run')
  const hasCredentials = request.headers.has('authorization')
  for (const [name, value] of inheritedHeaders(exchange.headers))
    if (!request.headers.has(name)) request.headers.set(name, value)
  const controller = followingController([
    state.signal(),
    ...(signal === undefined ? [] : [signal]),
  ])
  try {
    controller.signal.throwIfAborted()
    const environment = {
      origin: () => exchange.origin(),
      prefix: () => exchange.prefix(),
      clientAddress: () => exchange.clientAddress(),
      runtimeValue: exchange.runtimeValue,
      clientCertificate: () => exchange.clientCertificate?.(),
      platform: exchange.platform,
      rejectionHeaders: program.rejectionHeaders,
      signal: () => controller.signal,
      target: RequestTarget.targetOf(request.url),
      grammar: RequestTarget.grammarOf(program.settings['fw.http.strict-target']),
    }
    const run = (nested: Exchange): void =>
      interpret(nested, {
        id: state.id,
        authenticated: hasCredentials ? undefined : state.authenticated,
      })
    const response = await new Promise<Response>((resolve, reject) =>
      exchangeInProcess(request, environment, run, { resolve, reject }),
    )
    closeAtEnd(state, controller)
    return response
  } catch (error) {
    controller.abort()
    throw error
  }
}

/** Creates a controller that is aborted when one of the signals is aborted. */
const followingController = (signals: ReadonlyArray<AbortSignal>): AbortController => {
  const controller = new AbortController()
  for (const followed of signals) {
    const abort = (): void => controller.abort(followed.reason)
    if (followed.aborted) abort()
    else followed.addEventListener('abort', abort, { signal: controller.signal })
  }
  return controller
}

/** Closes the response at the end of the current request, unless that request has already ended. A response may be unread. */
const closeAtEnd = ({ exchange }: RequestInfo, controller: AbortController): void => {
  let isRegistered = false
  exchange.onEnd(() => {
    if (isRegistered) controller.abort()
  })
  isRegistered = true
}

/**
 * Returns a function that finds the values of slots: those passed to `provide`, those of prefix variables, and those of filters that
 * have run for the current request. A value is used only if the called operation would receive it from the same filter.
 */
const slotValues =
  ({ operation, provided, prefixValues }: RequestInfo): FindSlotValue =>
  ({ key, source }) => {
    switch (source?._tag) {
      case undefined:
        return undefined
      case 'Provided':
        return source
      case 'Prefix':
        return Object.hasOwn(prefixValues, key) ? { value: prefixValues[key] } : undefined
      case 'Given': {
        const { filter } = source.step
        const { early = [], request = [] } = operation?.plan.chain ?? {}
        const index = [...early, ...request].findIndex((step) => step.filter === filter)
        const values = provided[index]
        const [local = key] = [...filter.gives].find(([, slot]) => slot.key === key) ?? []
        return values === undefined ? undefined : { value: values[local] }
      }
    }
  }

/**
 * Calls the handler of an operation. The `Right` is a reply with a declared success. The `Left` is a reply with a declared failure, an
 * `HttpError`, or any other value that the handler returns in a `Left`, such as a tagged error.
 *
 * The promise is rejected with any other error, and with a `TypeError` if the result is not declared.
 */
export const callHandler = async (
  plan: Plan,
  input: HandlerInput,
  context: Context,
): Promise<Either<unknown, AnyReply>> => {
  let result: unknown
  try {
    result = await settle(plan.handler(input, context))
  } catch (error) {
    if (isHttpError(error)) return E.left(error)
    throw error
  }
  const normalized = normalizeResult(result, plan)
  if (E.isRight(normalized)) return declaredReply(normalized.right, plan)
  const { left: error } = normalized
  if (isHttpError(error)) return normalized
  if (isLeft(result)) return result
  throw error
}

const isLeft = (result: unknown): result is E.Left<unknown> => isTagged(result, 'Left')

/** Converts a response value to a reply. Throws a `TypeError` if the status is not declared. */
const declaredReply = (response: ResponseValue, plan: Plan): Either<AnyReply, AnyReply> => {
  const { status, entity, headers } = response
  const declared = plan.responses.get(status)
  if (declared === undefined && (entity !== undefined || Status.allowsBody(status)))
    throw undeclaredStatus(plan.name, status)
  const reply = isReply(response) ? response : makeReply(status, entity, headers)
  return declared?.failure === true ? E.left(reply) : E.right(reply)
}

/** Returns the value of a slot, or `undefined` if it has none. The object distinguishes a missing value from `undefined`. */
export type FindSlotValue = (need: ResolvedNeed) => { readonly value: unknown } | undefined

/**
 * Completes the `needs` in the input of a handler. Values in the input take precedence. Throws a `TypeError` if a slot has no value.
 */
export const withNeeds = (
  { name, chain }: Pick<Plan, 'name' | 'chain'>,
  input: Readonly<Record<string, unknown>>,
  find: FindSlotValue,
): HandlerInput => {
  if (chain.needs.length === 0) return { ...input }
  const given = membersOf(input['needs'])
  const needs: Record<string, unknown> = {}
  for (const need of chain.needs) {
    const { local, key } = need
    const found = given.has(local) ? { value: given.get(local) } : find(need)
    if (found === undefined)
      throw new TypeError(
        `missing dependency: the slot "${key}" of ${name} has no value for this request, so pass it in needs`,
      )
    needs[local] = found.value
  }
  return { ...input, needs }
}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(isObject(value) ? Object.entries(value) : [])
