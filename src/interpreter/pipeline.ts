/**
 * The pipeline that processes every request. The runtime, which implements `Exchange`, performs steps 1 and 13 and triggers step
 * 14.
 *
 * ```text
 *  1 receive           bytes -> validated exchange                             src/node/, exchange.ts
 *  2 pre-matching      filters that may rewrite the request or respond         filters/
 *  3 match             path -> path groups                                     routing/path-matcher.ts
 *  4 select            method, Content-Type, Accept -> operation               routing/select-operation.ts
 *                      variables of path prefixes -> slots                     parameters/
 *  5 early filters     on the event loop, before the body is read              filters/
 *  6 request filters   by priority; each may respond                           filters/
 *  7 parameters        all are decoded, all validation errors are collected    parameters/
 *  8 body              read within its size limit, decompressed, decoded       request-body/
 *                      repeated requests receive the stored response           idempotency/
 *  9 handler           input -> result -> response value                       handler/handler-result.ts
 * 10 error mapping     thrown or returned errors -> response value             errors/, request-state.ts
 * 11 response filters  each runs once, before the response is encoded          filters/run-response-filters.ts
 * 12 encode            response value -> encoded response, compressed          response/
 * 13 write             head and body                                           src/node/exchange/
 * 14 end               callbacks registered with `onEnd`                       end-callbacks.ts
 * ```
 *
 * When a step rejects the request, the pipeline continues at step 10. When a step responds, the pipeline continues at step 11.
 * With worker threads, steps 6 to 12 of a blocking operation run in a worker (`dispatch-to-worker.ts`). `routing/select-operation.ts`
 * documents the order of the checks that can reject a request.
 *
 * A step is synchronous unless it must wait for a filter, a handler or the body. The response to a synchronous operation without
 * a body is written before {@link Interpret} returns.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as Headers from '../http/headers.ts'
import { hostCheck } from '../compiler/settings/hosts.ts'
import { RequestState } from './request-state.ts'
import type { InheritedCaller, Interpret } from './request-info.ts'
import type { Exchange } from './exchange.ts'
import type { PathCapture } from './routing/path-matcher.ts'
import type { NegotiatedOperation, Selection } from './routing/select-operation.ts'
import type { DispatchedRequest } from './dispatched-request.ts'
import { dispatchToWorker, resumeDispatched } from './dispatch-to-worker.ts'
import { tracingChannel } from '../diagnostics/tracing-channel.ts'
import type { RequestedOperation } from './traced-request.ts'
import { TracedRequest } from './traced-request.ts'
import { andThen, isPromise } from '../http/platform-value.ts'
import type { HandlerResult } from './handler/handler-result.ts'
import { normalizeResult, runConditionally } from './handler/handler-result.ts'
import type { HandlerInput } from './parameters/read-parameters.ts'
import { readKey, runIdempotently } from './idempotency/run-idempotently.ts'
import { readRequestBody, readsBody, rejectInput } from './read-request-body.ts'
import { runRequestFilters } from './filters/run-request-filters.ts'
import type { CompiledOperation, Program } from './program.ts'
import { selectOperation } from './routing/select-operation.ts'
import { parameterFailure } from './parameters/parameter-failure.ts'
import { isCompressed, decompressRequest } from './request-body/decompress-request.ts'
import { acceptQuery } from './errors/error-response.ts'

/** Returns a function that processes requests with a compiled program. */
export const interpret = (program: Program): Interpret => {
  const { preMatching } = program.filters
  const proceed =
    program.isOverloaded === undefined ? matchAndRun : matchUnlessOverloaded(program.isOverloaded)
  // runs the pre-matching filters (step 2)
  const start = (state: RequestState, then: (state: RequestState) => void): void => {
    if (preMatching.length === 0) then(state)
    else runRequestFilters(preMatching, state, undefined, () => then(state))
  }
  const isAllowed = hostCheck(program.settings['fw.http.allowed-hosts'])
  const run = (state: RequestState, caller: InheritedCaller | undefined): void => {
    if (caller !== undefined) {
      // a request within the process belongs to one that the server has already accepted
      state.setId(caller.id)
      state.authenticated = caller.authenticated
      return start(state, matchAndRun)
    }
    if (isAllowed === undefined || isAllowed(state.exchange.origin())) return start(state, proceed)
    // the operation is selected again after step 2, because a pre-matching filter may rewrite the request
    matchCritical(state, () => start(state, (next) => matchCritical(next, matchAndRun)))
  }
  const runSafely = (state: RequestState, caller: InheritedCaller | undefined): void => {
    try {
      run(state, caller)
    } catch (error) {
      state.fail(error)
    }
  }
  const channel = tracingChannel('request')
  const processRequest: Interpret = (exchange, caller) => {
    const state = new RequestState(running, exchange)
    if (channel?.hasSubscribers !== true || caller !== undefined) return runSafely(state, caller)
    state.trace = new TracedRequest(channel, state, requestedOperation(program, exchange))
    state.trace.run(() => runSafely(state, caller))
  }
  const running: Program = { ...program, interpret: processRequest }
  return processRequest
}

/** Returns what a request selects as received. With filters before step 3, the request may select another operation. */
const requestedOperation = (program: Program, exchange: Exchange): RequestedOperation => {
  const selection = selectOperation(program, exchange)
  if (selection._tag !== 'Selected')
    return { operation: undefined, route: program.matcher.templateOf(exchange.path) }
  const { name, template } = selection.choice.operation.endpoint
  return { operation: name, route: template }
}

/**
 * Handles a request to a host that is not allowed. Calls `then` if the request selects a critical operation. Otherwise, rejects
 * the request with 421.
 *
 * Critical operations, such as health checks, are available on any host, because probes address the server by its IP address
 * instead of its name.
 */
const matchCritical = (state: RequestState, then: (state: RequestState) => void): void => {
  const selection = selectOperation(state.program, state.exchange)
  const isCritical =
    selection._tag === 'Selected' && selection.choice.operation.plan.attributes.critical
  if (isCritical) then(state)
  else state.reject({ _tag: 'MisdirectedRequest' })
}

/** Selects an operation (steps 3 and 4) and runs it. If no operation is selected, responds to OPTIONS or rejects the request. */
const matchAndRun = (state: RequestState): void => {
  const selection = selectOperation(state.program, state.exchange)
  if (selection._tag === 'Selected') return runSelected(state, selection.choice, selection.captures)
  const pathFilters = state.program.pathFilters?.(state.exchange)
  if (pathFilters === undefined) return respondUnselected(state, selection)
  state.pathFilters = pathFilters
  runRequestFilters(pathFilters.forPath, state, undefined, () =>
    respondUnselected(state, selection),
  )
}

/** Responds to an OPTIONS request for a path without a declared OPTIONS operation, or rejects the request. */
const respondUnselected = (
  state: RequestState,
  selection: Exclude<Selection<CompiledOperation>, { readonly _tag: 'Selected' }>,
): void =>
  selection._tag === 'Options'
    ? state.respond({
        status: 204,
        headers: ['Allow', selection.allow.join(', '), ...acceptQuery(selection.queryTypes)],
        entity: undefined,
      })
    : state.reject(selection)

/**
 * Adds load shedding to {@link matchAndRun}: while the server is overloaded, it runs only critical operations. Requests that match no
 * operation are answered as without an overload.
 */
const matchUnlessOverloaded =
  (isOverloaded: () => boolean) =>
  (state: RequestState): void => {
    if (!isOverloaded()) return matchAndRun(state)
    const selection = selectOperation(state.program, state.exchange)
    if (selection._tag !== 'Selected') return matchAndRun(state)
    const { operation } = selection.choice
    if (operation.plan.attributes.critical) return matchAndRun(state)
    state.operation = operation
    state.captures = selection.captures
    state.reject({ _tag: 'Overloaded' })
  }

/** Returns a function that runs in a worker and resumes a dispatched request at step 6. */
export const resume = (
  program: Program,
): ((exchange: Exchange, dispatched: DispatchedRequest) => void) => {
  const running: Program = { ...program, interpret: interpret(program) }
  return (exchange, dispatched) => {
    const state = resumeDispatched(running, exchange, dispatched)
    try {
      const selection = selectOperation(program, exchange)
      if (selection._tag !== 'Selected' || selection.choice.operation.plan.name !== dispatched.name)
        throw new TypeError(
          `unknown operation ${dispatched.name}: the module that the worker imported exports a different tree`,
        )
      const { choice, captures } = selection
      state.operation = choice.operation
      state.captures = captures
      state.hasUnsupportedCoding =
        choice.operation.plan.bodies.length > 0 && isCompressed(exchange.headers)
      if (readPrefix(state, choice.operation, captures)) filterRequest(state, choice, captures)
    } catch (error) {
      state.fail(error)
    }
  }
}

/**
 * Prepares decompression, reads prefix variables, starts the deadline and runs the early filters (step 5). Step 6 then runs either
 * in this thread or in a worker.
 */
const runSelected = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { operation } = choice
  state.operation = operation
  state.captures = captures
  state.trace?.reach('matched')
  if (
    operation.plan.bodies.length > 0 &&
    Headers.first(state.exchange.headers, 'content-encoding') !== undefined
  ) {
    state.exchange = decompressRequest(state.exchange)
    state.hasUnsupportedCoding = isCompressed(state.exchange.headers)
  }
  if (operation.isUnfiltered) return readInput(state, choice, captures)
  if (!readPrefix(state, operation, captures)) return
  const { dispatch } = state.program
  const isDispatched = operation.blocking && dispatch !== undefined
  // a worker enforces the timeout itself
  if (operation.timeout > 0 && !isDispatched) state.startDeadline(operation.timeout)
  runRequestFilters(operation.filters.early, state, operation, () =>
    isDispatched
      ? dispatchToWorker(state, choice, readsBody(state, operation), dispatch)
      : filterRequest(state, choice, captures),
  )
}

/**
 * Reads the variables in path prefixes (step 4), whose values filters can need. Rejects the request and returns `false` if a value is
 * invalid.
 */
const readPrefix = (
  state: RequestState,
  { readPrefix: read }: CompiledOperation,
  captures: ReadonlyArray<PathCapture>,
): boolean => {
  if (read === undefined) return true
  const decoded = read({ exchange: state.exchange, captures })
  if (E.isRight(decoded)) {
    state.prefixValues = decoded.right
    return true
  }
  rejectInput(state, parameterFailure(decoded.left, state.program.settings))
  return false
}

/** Runs the request filters (step 6), then reads the input. */
const filterRequest = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { operation } = choice
  runRequestFilters(operation.filters.request, state, operation, () =>
    readInput(state, choice, captures),
  )
}

/** Reads the parameters (step 7) and the body (step 8), then runs the handler. */
const readInput = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { operation, bodyIndex } = choice
  const { settings } = state.program
  const { filters } = operation
  const { exchange } = state
  state.trace?.reach('filtered')
  if (state.hasUnsupportedCoding)
    return state.reject({
      _tag: 'UnsupportedContentCoding',
      supported: [...exchange.platform.decompressors.keys()],
    })
  const { idempotent } = operation
  const key = idempotent && readKey(exchange.headers, idempotent.rules)
  if (typeof key === 'object') return rejectInput(state, key)
  const decoded = operation.readParameters?.({ exchange, captures })
  if (decoded?._tag === 'Left') return rejectInput(state, parameterFailure(decoded.left, settings))
  const input: HandlerInput = decoded?.right ?? {}
  if (filters.needs !== undefined) input['needs'] = filters.needs(state)
  const limit = operation.bodyLimits[bodyIndex]
  if (limit === undefined) return handleInput(state, operation, input)
  readRequestBody(state, choice, input, limit, () => handleInput(state, operation, input))
}

/** Runs the handler (step 9), unless the request repeats another one. */
const handleInput = (
  state: RequestState,
  operation: CompiledOperation,
  input: HandlerInput,
): void => {
  const { idempotent } = operation
  const key = idempotent && readKey(state.exchange.headers, idempotent.rules)
  if (idempotent === undefined || typeof key !== 'string')
    return runHandler(state, operation, input)
  runIdempotently(state, idempotent, key, input, () => runHandler(state, operation, input))
}

/** Runs the handler (step 9) and continues with step 10 or 11. */
const runHandler = (
  state: RequestState,
  operation: CompiledOperation,
  input: HandlerInput,
): void => {
  const { plan } = operation
  state.trace?.reach('decoded')
  const context = state.contextOf(operation)
  const result =
    plan.preconditions === undefined
      ? andThen(plan.handler(input, context), (value) => normalizeResult(value, plan))
      : runConditionally(plan.preconditions, plan, input, context, state)
  if (isPromise(result))
    result
      .then((settled) => complete(state, settled))
      .catch((error) => {
        if (state.isLate) state.recorder?.abandon()
        state.fail(error)
      })
  else complete(state, result)
}

/** Continues with step 10 or 11. Does nothing if the deadline has passed before the handler could run. */
const complete = (state: RequestState, result: HandlerResult | undefined): void => {
  if (result === undefined || state.isLate) state.recorder?.abandon()
  if (result === undefined) return
  state.trace?.reach('handled')
  if (E.isRight(result))
    state.respond(state.operation?.encodeHeaders?.(result.right) ?? result.right)
  else state.fail(result.left)
}
