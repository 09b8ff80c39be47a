/**
 * What a request meets, step by step. Steps 1 and 13 belong to whoever made the exchange.
 *
 * ```text
 *  1 receive            bytes -> exchange, checked
 *  2 before matching    filters that may rewrite the request, or answer it
 *  3 match              path -> sites
 *  4 select             method, Content-Type, Accept -> operation; 501 for an unknown method comes before step 3's 404
 *  5 early filters      on the event loop, before one octet of the content is read
 *  6 filters            by priority; each may answer; for a blocking operation, steps 6 to 12 are a worker's (`offload.ts`)
 *  7 parameters         all decoded, all errors collected
 *  8 content            read within its limit, its coding taken off (`uncoded.ts`), decoded
 *  9 handler
 * 10 failure mapping    thrown or returned errors, and refusals -> reply (`state.ts`)
 * 11 response filters   each once, on the reply, before it is encoded
 * 12 encode             reply -> answer, compressed where that is said (`content-coding.ts`)
 * 13 write              one head, the content
 * 14 end                what was registered for it
 * ```
 *
 * Nothing here waits unless a handler or the content makes it: a synchronous operation is answered before this returns.
 */
import type { RequestFailure, ValidationError } from '../http/failure.ts'
import { hostCheck } from '../compiler/settings/hosts.ts'
import { RequestState } from './request-state.ts'
import type { BodyPlan } from '../body/body-plan.ts'
import type { Exchange } from './exchange.ts'
import { isFailure } from './exchange.ts'
import type { PathCapture } from './routing/path-matcher.ts'
import type { NegotiatedOperation } from './routing/negotiate.ts'
import { isSilent } from '../compiler/settings/logger.ts'
import { normalizeResult } from './response/handler-result.ts'
import type { HandlerInput } from './parameters/input.ts'
import type { DispatchedRequest } from './workers/dispatched-request.ts'
import { dispatchToWorker, resumeDispatched } from './workers/dispatch-to-worker.ts'
import { isPartialPut } from './parameters/partial-put.ts'
import { runRequestFilters } from './filters/run-request-filters.ts'
import type { CompiledOperation, Program } from './program.ts'
import { selectOperation } from './routing/select-operation.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import type { SizeLimit } from '../compiler/settings/size-limit.ts'
import type { ReadStream } from './request-body/read-stream.ts'
import { isCompressed, decompressRequest } from './request-body/decompress-request.ts'
import { failureOf } from './errors/failure-error.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as Failures from '../http/failure.ts'
import * as Category from '../compiler/settings/log-category.ts'

/** Answers a request, now or later, exactly once. It never throws. */
export type Interpret = (exchange: Exchange) => void

/** Runs a program. */
export const interpret = (program: Program): Interpret => {
  const { preMatching } = program.filters
  const go = program.isOverloaded === undefined ? match : matchUnless(program.isOverloaded)
  // 2
  const start = (state: RequestState, then: (state: RequestState) => void): void => {
    if (preMatching.length === 0) then(state)
    else runRequestFilters(preMatching, state, undefined, () => then(state))
  }
  const guarded = (exchange: Exchange, run: (state: RequestState) => void): void => {
    const state = new RequestState(program, exchange)
    try {
      run(state)
    } catch (error) {
      state.fail(error)
    }
  }
  const run = (state: RequestState): void => start(state, go)
  const isAllowed = hostCheck(program.settings['fw.http.allowed-hosts'])
  if (isAllowed === undefined) return (exchange) => guarded(exchange, run)
  // a pre-matching filter may lead the request to another operation, so it is selected again
  const runVital = (state: RequestState): void =>
    matchVital(state, () => start(state, (same) => matchVital(same, match)))
  return (exchange) => guarded(exchange, isAllowed(exchange.origin()) ? run : runVital)
}

/** Continues for a vital operation only, because health probes use the address of the server instead of its name. */
const matchVital = (state: RequestState, then: (state: RequestState) => void): void => {
  const selection = selectOperation(state.program, state.exchange)
  const isVital =
    selection._tag === 'Selected' && selection.choice.operation.plan.attributes.critical
  if (isVital) then(state)
  else state.reject({ _tag: 'MisdirectedRequest' })
}

/** Steps 3 and 4. */
const match = (state: RequestState): void => {
  const selection = selectOperation(state.program, state.exchange)
  switch (selection._tag) {
    case 'Selected':
      return enter(state, selection.choice, selection.captures)
    case 'Options':
      return state.respond({
        status: 204,
        headers: ['Allow', selection.allow.join(', ')],
        entity: undefined,
      })
    default:
      return state.reject(selection)
  }
}

/** The same for a server that may have too much to do: then only what is vital is run, and what runs nothing is answered. */
const matchUnless =
  (sheds: () => boolean) =>
  (state: RequestState): void => {
    if (!sheds()) return match(state)
    const selection = selectOperation(state.program, state.exchange)
    if (selection._tag !== 'Selected') return match(state)
    const { operation } = selection.choice
    if (operation.plan.attributes.critical) return match(state)
    state.operation = operation
    state.captures = selection.captures
    state.reject({ _tag: 'Overloaded' })
  }

/** Goes on, from step 6, with a request that was handed over. */
export const resume =
  (program: Program) =>
  (exchange: Exchange, dispatched: DispatchedRequest): void => {
    const state = resumeDispatched(program, exchange, dispatched)
    try {
      const selection = selectOperation(program, exchange)
      if (selection._tag !== 'Selected' || selection.choice.operation.plan.name !== dispatched.name)
        throw new TypeError(`the worker has no ${dispatched.name}: its module has another tree`)
      const { choice, captures } = selection
      state.operation = choice.operation
      state.captures = captures
      state.hasUnsupportedCoding =
        choice.operation.plan.bodies.length > 0 && isCompressed(exchange.headers)
      filter(state, choice, captures)
    } catch (error) {
      state.fail(error)
    }
  }

/** Step 5. */
const enter = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { operation } = choice
  state.operation = operation
  state.captures = captures
  if (operation.plan.bodies.length > 0 && isCompressed(state.exchange.headers)) {
    state.exchange = decompressRequest(state.exchange)
    state.hasUnsupportedCoding = isCompressed(state.exchange.headers)
  }
  if (operation.isUnfiltered) return read(state, choice, captures)
  const { dispatch: offload } = state.program
  const isOffloaded = operation.blocking && offload !== undefined
  // a worker has its own time
  if (operation.timer !== undefined && !isOffloaded) state.startDeadline(operation.timer)
  runRequestFilters(operation.filters.early, state, operation, () =>
    isOffloaded
      ? dispatchToWorker(state, choice, isRead(state, operation), offload)
      : filter(state, choice, captures),
  )
}

/** Step 6. */
const filter = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { operation } = choice
  runRequestFilters(operation.filters.request, state, operation, () =>
    read(state, choice, captures),
  )
}

/** Whether step 8 will ask for the content. */
const isRead = (
  { hasUnsupportedCoding: staysCoded, exchange }: RequestState,
  { plan }: CompiledOperation,
): boolean => plan.bodies.length > 0 && !staysCoded && !isPartialPut(plan, exchange.headers)

/** Steps 7 and 8. */
const read = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { operation } = choice
  const { settings } = state.program
  const { filters: around } = operation
  const { exchange } = state
  if (state.hasUnsupportedCoding)
    return state.reject({
      _tag: 'UnsupportedContentCoding',
      supported: [...exchange.platform.decompressors.keys()],
    })
  const decoded = operation.readParameters({ exchange, captures })
  if (E.isLeft(decoded)) return refuseInput(state, invalid(decoded.left, settings))
  const input = decoded.right
  if (around.needs !== undefined) input['needs'] = around.needs(state.provided)
  const limit = operation.bodyLimits[choice.bodyIndex]
  if (limit === undefined) return handle(state, operation, input)
  state.deadline?.pause()
  const take = operation.streamReaders[choice.bodyIndex]
  if (take !== undefined) return gradually(state, choice, input, take, limit)
  exchange.readBody(limit, (content) =>
    isFailure(content) ? state.reject(content) : withContent(state, choice, input, content),
  )
}

/** Step 8, for a content that is never there as a whole. */
const gradually = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  take: ReadStream,
  limit: SizeLimit,
): void => {
  const chunks = state.exchange.streamBody(limit)
  if (isFailure(chunks)) return state.reject(chunks)
  take(chunks, choice.contentType, state.exchange)(
    state.contextOf(choice.operation),
    (value) => {
      state.deadline?.restart()
      withValue(state, choice, input, value)
    },
    (error) => state.fail(error),
  )
}

/** Step 8, once the content is there. */
const withContent = (
  state: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  content: Uint8Array,
): void => {
  const { operation, bodyIndex: body, contentType: stated } = choice
  state.deadline?.restart()
  try {
    const value = operation.bodyReaders[body]?.(content, stated)
    if (typeof value === 'function')
      return value(
        state.contextOf(operation),
        (taken) => {
          if (!state.isLate) withValue(state, choice, input, E.right(taken))
        },
        (error) => unreadable(state, error),
      )
    return withValue(state, choice, input, value)
  } catch (error) {
    return state.fail(error)
  }
}

/** Step 8, once the content is read. It never throws. */
const withValue = (
  state: RequestState,
  { operation, bodyIndex: body }: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  value: E.Either<RequestFailure, unknown> | undefined,
): void => {
  try {
    if (value !== undefined && E.isLeft(value)) return refuseInput(state, value.left)
    const key = isForm(operation.plan.bodies[body]) ? 'form' : 'body'
    input[key] = value?.right
    return handle(state, operation, input)
  } catch (error) {
    return state.fail(error)
  }
}

const isForm = (content: BodyPlan | undefined): boolean =>
  content?.format._tag === 'Form' || content?.format._tag === 'MultipartForm'

/** What a reader or an interceptor has thrown is the client's fault, unless it says otherwise. */
const unreadable = (state: RequestState, error: unknown): void => {
  const failure = failureOf(error)
  if (failure === undefined) return state.fail(error)
  state.program.logger.debug({ id: state.id, err: error }, 'A content could not be read.')
  return state.reject(failure)
}

/** Step 9, and from there on by `state`. */
const handle = (state: RequestState, operation: CompiledOperation, input: HandlerInput): void => {
  const { plan } = operation
  normalizeResult(plan.handler(input, state.contextOf(operation)), plan, state)
}

/** A failure says what was expected and never what was sent, so it can be errorOf to the log as it is. */
const refuseInput = (state: RequestState, failure: RequestFailure): void => {
  const { debug } = state.program.loggerOf(Category.parametersCategory)
  if (!isSilent(debug)) {
    const { method, path } = state.exchange
    debug({ id: state.id, failure }, `the input of ${method} ${path} was refused`)
  }
  state.reject(failure)
}

/** A path variable that is refused means that the URI names nothing; Jakarta REST says so of queries and matrix parameters too. */
const invalid = (errors: ReadonlyArray<ValidationError>, settings: Settings): RequestFailure => {
  const naming = settings['fw.rest.conversion-failure'] === 'jakarta' ? namingToo : namingOnly
  return Failures.ofErrors(
    errors.some((fault) => naming.includes(fault.in)) ? 'NotFound' : 'InvalidInput',
    errors,
  )
}

const namingOnly: ReadonlyArray<ValidationError['in']> = ['path']
const namingToo: ReadonlyArray<ValidationError['in']> = ['path', 'query', 'matrix']
