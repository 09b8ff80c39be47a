/**
 * What a request meets, step by step. Steps 1 and 13 belong to whoever made the exchange.
 *
 * ```text
 *  1 receive            octets -> exchange, checked
 *  2 before matching    filters that may rewrite the request, or answer it
 *  3 match              path -> sites
 *  4 select             method, Content-Type, Accept -> operation; 501 for an unknown method comes before step 3's 404
 *  5 early filters      on the event loop, before one octet of the content is read
 *  6 filters            by priority; each may answer; for a blocking operation, steps 6 to 12 are a worker's (`offload.ts`)
 *  7 parameters         all decoded, all faults collected
 *  8 content            read within its limit, its coding taken off (`uncoded.ts`), decoded
 *  9 handler
 * 10 failure mapping    thrown or returned errors, and refusals -> reply (`call.ts`)
 * 11 response filters   each once, on the reply, before it is encoded
 * 12 encode             reply -> answer, compressed where that is said (`content-coding.ts`)
 * 13 write              one head, the content
 * 14 end                what was registered for it
 * ```
 *
 * Nothing here waits unless a handler or the content makes it: a synchronous operation is answered before this returns.
 */
import type { RequestFailure, ValidationError } from '../http/failure.ts'
import { hostCheck } from '../compiler/settings/allowed-hosts.ts'
import { RequestState } from './request-state.ts'
import type { BodyPlan } from '../body/content-plan.ts'
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
  const { preMatching } = program.around
  const go = program.isOverloaded === undefined ? match : matchUnless(program.isOverloaded)
  // 2
  const start = (call: RequestState, then: (call: RequestState) => void): void => {
    if (preMatching.length === 0) then(call)
    else runRequestFilters(preMatching, call, undefined, () => then(call))
  }
  const guarded = (exchange: Exchange, run: (call: RequestState) => void): void => {
    const call = new RequestState(program, exchange)
    try {
      run(call)
    } catch (error) {
      call.fail(error)
    }
  }
  const run = (call: RequestState): void => start(call, go)
  const isAllowed = hostCheck(program.settings['fw.http.allowed-hosts'])
  if (isAllowed === undefined) return (exchange) => guarded(exchange, run)
  // a pre-matching filter may lead the request to another operation, so it is selected again
  const runVital = (call: RequestState): void =>
    matchVital(call, () => start(call, (same) => matchVital(same, match)))
  return (exchange) => guarded(exchange, isAllowed(exchange.origin()) ? run : runVital)
}

/** Continues for a vital operation only, because health probes use the address of the server instead of its name. */
const matchVital = (call: RequestState, then: (call: RequestState) => void): void => {
  const selection = selectOperation(call.program, call.exchange)
  const isVital = selection._tag === 'Selected' && selection.choice.operation.plan.marks.critical
  if (isVital) then(call)
  else call.reject({ _tag: 'MisdirectedRequest' })
}

/** Steps 3 and 4. */
const match = (call: RequestState): void => {
  const selection = selectOperation(call.program, call.exchange)
  switch (selection._tag) {
    case 'Selected':
      return enter(call, selection.choice, selection.captures)
    case 'Options':
      return call.respond({
        status: 204,
        headers: ['Allow', selection.allow.join(', ')],
        entity: undefined,
      })
    default:
      return call.reject(selection)
  }
}

/** The same for a server that may have too much to do: then only what is vital is run, and what runs nothing is answered. */
const matchUnless =
  (sheds: () => boolean) =>
  (call: RequestState): void => {
    if (!sheds()) return match(call)
    const selection = selectOperation(call.program, call.exchange)
    if (selection._tag !== 'Selected') return match(call)
    const { operation } = selection.choice
    if (operation.plan.marks.critical) return match(call)
    call.operation = operation
    call.captures = selection.captures
    call.reject({ _tag: 'Overloaded' })
  }

/** Goes on, from step 6, with a request that was handed over. */
export const resume =
  (program: Program) =>
  (exchange: Exchange, handover: DispatchedRequest): void => {
    const call = resumeDispatched(program, exchange, handover)
    try {
      const selection = selectOperation(program, exchange)
      if (selection._tag !== 'Selected' || selection.choice.operation.plan.name !== handover.name)
        throw new TypeError(`the worker has no ${handover.name}: its module has another tree`)
      const { choice, captures } = selection
      call.operation = choice.operation
      call.captures = captures
      call.staysCoded = choice.operation.plan.bodies.length > 0 && isCompressed(exchange.headers)
      filter(call, choice, captures)
    } catch (error) {
      call.fail(error)
    }
  }

/** Step 5. */
const enter = (
  call: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { operation } = choice
  call.operation = operation
  call.captures = captures
  if (operation.plan.bodies.length > 0 && isCompressed(call.exchange.headers)) {
    call.exchange = decompressRequest(call.exchange)
    call.staysCoded = isCompressed(call.exchange.headers)
  }
  if (operation.direct) return read(call, choice, captures)
  const { dispatch: offload } = call.program
  const isOffloaded = operation.blocking && offload !== undefined
  // a worker has its own time
  if (operation.clock !== undefined && !isOffloaded) call.limit(operation.clock)
  runRequestFilters(operation.around.early, call, operation, () =>
    isOffloaded
      ? dispatchToWorker(call, choice, isRead(call, operation), offload)
      : filter(call, choice, captures),
  )
}

/** Step 6. */
const filter = (
  call: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { operation } = choice
  runRequestFilters(operation.around.request, call, operation, () => read(call, choice, captures))
}

/** Whether step 8 will ask for the content. */
const isRead = ({ staysCoded, exchange }: RequestState, { plan }: CompiledOperation): boolean =>
  plan.bodies.length > 0 && !staysCoded && !isPartialPut(plan, exchange.headers)

/** Steps 7 and 8. */
const read = (
  call: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { operation } = choice
  const { settings } = call.program
  const { around } = operation
  const { exchange } = call
  if (call.staysCoded)
    return call.reject({
      _tag: 'UnsupportedContentCoding',
      supported: [...exchange.platform.decoders.keys()],
    })
  const decoded = operation.readParameters({ exchange, captures })
  if (E.isLeft(decoded)) return refuseInput(call, invalid(decoded.left, settings))
  const input = decoded.right
  if (around.needs !== undefined) input['needs'] = around.needs(call.given)
  const limit = operation.bodyLimits[choice.body]
  if (limit === undefined) return handle(call, operation, input)
  call.deadline?.rest()
  const take = operation.takeContent[choice.body]
  if (take !== undefined) return gradually(call, choice, input, take, limit)
  exchange.readBody(limit, (content) =>
    isFailure(content) ? call.reject(content) : withContent(call, choice, input, content),
  )
}

/** Step 8, for a content that is never there as a whole. */
const gradually = (
  call: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  take: ReadStream,
  limit: SizeLimit,
): void => {
  const pieces = call.exchange.streamBody(limit)
  if (isFailure(pieces)) return call.reject(pieces)
  take(pieces, choice.stated, call.exchange)(
    call.contextOf(choice.operation),
    (value) => {
      call.deadline?.renew()
      withValue(call, choice, input, value)
    },
    (error) => call.fail(error),
  )
}

/** Step 8, once the content is there. */
const withContent = (
  call: RequestState,
  choice: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  content: Uint8Array,
): void => {
  const { operation, body, stated } = choice
  call.deadline?.renew()
  try {
    const value = operation.readContent[body]?.(content, stated)
    if (typeof value === 'function')
      return value(
        call.contextOf(operation),
        (taken) => {
          if (!call.isLate) withValue(call, choice, input, E.right(taken))
        },
        (error) => unreadable(call, error),
      )
    return withValue(call, choice, input, value)
  } catch (error) {
    return call.fail(error)
  }
}

/** Step 8, once the content is read. It never throws. */
const withValue = (
  call: RequestState,
  { operation, body }: NegotiatedOperation<CompiledOperation>,
  input: HandlerInput,
  value: E.Either<RequestFailure, unknown> | undefined,
): void => {
  try {
    if (value !== undefined && E.isLeft(value)) return refuseInput(call, value.left)
    const key = isForm(operation.plan.bodies[body]) ? 'form' : 'body'
    input[key] = value?.right
    return handle(call, operation, input)
  } catch (error) {
    return call.fail(error)
  }
}

const isForm = (content: BodyPlan | undefined): boolean =>
  content?.format._tag === 'Form' || content?.format._tag === 'MultipartForm'

/** What a reader or an interceptor has thrown is the client's fault, unless it says otherwise. */
const unreadable = (call: RequestState, error: unknown): void => {
  const failure = failureOf(error)
  if (failure === undefined) return call.fail(error)
  call.program.logger.debug({ id: call.id, err: error }, 'A content could not be read.')
  return call.reject(failure)
}

/** Step 9, and from there on by `call`. */
const handle = (call: RequestState, operation: CompiledOperation, input: HandlerInput): void => {
  const { plan } = operation
  normalizeResult(plan.handler(input, call.contextOf(operation)), plan, call)
}

/** A failure says what was expected and never what was sent, so it can be told to the log as it is. */
const refuseInput = (call: RequestState, failure: RequestFailure): void => {
  const { debug } = call.program.loggerOf(Category.parametersCategory)
  if (!isSilent(debug)) {
    const { method, path } = call.exchange
    debug({ id: call.id, failure }, `the input of ${method} ${path} was refused`)
  }
  call.reject(failure)
}

/** A path variable that is refused means that the URI names nothing; Jakarta REST says so of queries and matrix parameters too. */
const invalid = (faults: ReadonlyArray<ValidationError>, settings: Settings): RequestFailure => {
  const naming = settings['fw.rest.conversion-failure'] === 'jakarta' ? namingToo : namingOnly
  return Failures.ofErrors(
    faults.some((fault) => naming.includes(fault.in)) ? 'NotFound' : 'InvalidInput',
    faults,
  )
}

const namingOnly: ReadonlyArray<ValidationError['in']> = ['path']
const namingToo: ReadonlyArray<ValidationError['in']> = ['path', 'query', 'matrix']
