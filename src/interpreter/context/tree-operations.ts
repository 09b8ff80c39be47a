/** Implements calls of other operations in the same tree, from the context of a request. */
import type { Context, EndpointInfo } from '../../endpoint/context.ts'
import type { TreeOperations } from '../../endpoint/tree/tree-operations.ts'
import * as Headers from '../../http/headers.ts'
import * as RequestTarget from '../../http/request-target.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Exchange } from '../exchange.ts'
import { exchangeInProcess } from '../in-process.ts'
import type { FindSlotValue } from '../handler/call-handler.ts'
import { callHandler, withNeeds } from '../handler/call-handler.ts'
import type { RequestInfo } from '../request-info.ts'

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
