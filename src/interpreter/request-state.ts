/**
 * The state of one request from step 2 to step 13. Four methods complete the request:
 *
 * ```text
 * respond(value)    runs the response filters, then encodes and writes the response value
 * reject(failure)   responds to a failure detected by the framework
 * fail(error)       responds to an error thrown or returned by a handler, filter, reader or writer
 * write(response)   writes an encoded response
 * ```
 *
 * A failure is encoded directly if there are neither mappers nor response filters. Otherwise, it is converted to an `HttpError`.
 * Errors are converted to response values, which are then filtered and encoded. The following fallbacks are tried in order:
 *
 * ```text
 * 1. the error mapper in the innermost scope        may respond with any declared response
 * 2. the problem document of an `HttpError`         is passed to the response filters that have not run yet
 * 3. the problem document for an internal error     after an error in 1 or 2, in a response filter or in a writer
 * 4. the same document without added headers        after an error in 3
 * 5. no response                                    after an error in 4, which is logged
 * ```
 *
 * Fallbacks 2 and 3 can be repeated, because response filters can fail. Each repetition runs only the remaining response filters.
 */
import type { Context, End, ResponseContext } from '../endpoint/context.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import type { RequestFailure } from '../http/failure.ts'
import type { Headers } from '../http/headers.ts'
import type { CompiledFilters } from './filters/compiled-filters.ts'
import { OperationContext, UnmatchedContext } from './context/exchange-context.ts'
import { Deadline } from './deadline.ts'
import { EndCallbacks } from './end-callbacks.ts'
import { closeUnsentFiles } from './response/file-response.ts'
import type { EncodedResponse, Exchange } from './exchange.ts'
import { isChunkSource } from './exchange.ts'
import { finishResponse } from './response/encode-response.ts'
import {
  logInternalError,
  logHttpError,
  logHandlerTimeout,
  logErrorAfterTimeout,
} from './errors/log-errors.ts'
import type { LinkTable } from '../compiler/links/link-table.ts'
import { runMapper } from './errors/error-mapping.ts'
import type { PathCapture } from './routing/path-matcher.ts'
import type { CompiledOperation, Program } from './program.ts'
import {
  failureError,
  internalErrorResponse,
  httpErrorResponse,
  encodeFailure,
  encodeProblem,
} from './errors/error-response.ts'
import type { IdempotentRequest } from './idempotency/run-idempotently.ts'
import type { FilteredRequest } from './filters/run-request-filters.ts'
import {
  ResponseFilterChain,
  filteredEncoder,
  memoryRejection,
} from './filters/run-response-filters.ts'
import { moveValidators } from './response/response-headers.ts'
import type { ResponseValue, EncodeResponse } from './response/encode-response.ts'
import type { TracedRequest } from './traced-request.ts'
import type { AuthenticatedPrincipal, ProvidedValues, NeededValues } from './request-info.ts'
import { discardUnsentStreams } from './response/stream/stream-response.ts'
import * as Problem from '../http/problem.ts'

/** The state of one request. */
export class RequestState implements FilteredRequest, IdempotentRequest {
  readonly program: Program
  /** The exchange as received, or as changed by a pre-matching filter or by decompression. */
  exchange: Exchange
  operation: CompiledOperation | undefined = undefined
  captures: ReadonlyArray<PathCapture> = none
  /** The filters that cover the path, if no operation has been selected and the path belongs to a subtree with such filters. */
  pathFilters: CompiledFilters | undefined = undefined
  /** Whether the body has a content coding that the server does not support. */
  hasUnsupportedCoding = false
  provided: ProvidedValues = none
  /** The values of the variables in path prefixes, by slot key. */
  prefixValues: NeededValues = {}
  authenticated: AuthenticatedPrincipal | undefined = undefined
  /** Headers added with `context.response.addHeader`. They are sent with every response, including error responses. */
  addedHeaders: Headers = none
  /** The status code of the response, or `undefined` if the response has not been sent yet. */
  status: number | undefined = undefined
  /** The value of `performance.now()` at the arrival of the request. */
  startTime: number = performance.now()
  /** The request on its diagnostics channels. `undefined` if they have no subscribers. */
  trace: TracedRequest | undefined = undefined
  /** The deadline by which the response must start, or `undefined` if the operation has no timeout. */
  deadline: Deadline | undefined = undefined
  /** Stores the response, so that it can be sent again. */
  recorder: IdempotentRequest['recorder'] = undefined
  #id: string | undefined = undefined
  #hasCustomId = false
  #context: Context | undefined = undefined
  #unmatchedContext: ResponseContext | undefined = undefined
  #endCallbacks: EndCallbacks | undefined = undefined
  /** The first error that occurred while the request was processed. Response filters receive this error. */
  #error: unknown = undefined
  /** Whether an error mapper has run. Later errors in the same request are not mapped. */
  #isMapped = false
  /**
   * Whether the current response is a 500 response that no remaining response filter can change. If this response cannot be sent, a
   * response without added headers is sent instead.
   */
  #isLastFallback = false
  /** Whether a writer or an interceptor has failed. If so, the error response bypasses writers and interceptors. */
  #hasWriteError = false
  /** The chain of response filters. Created when the first response is filtered. */
  #responseFilters: ResponseFilterChain | undefined = undefined
  /** The state that responds instead of this one after the deadline has passed. */
  #successor: RequestState | undefined = undefined

  constructor(program: Program, exchange: Exchange) {
    this.program = program
    this.exchange = exchange
  }

  get id(): string {
    return (this.#id ??= crypto.randomUUID())
  }

  get links(): LinkTable {
    return this.program.links
  }

  /** Sets a custom request id, for example, an id provided by a pre-matching filter. */
  setId(id: string): void {
    this.#id = id
    this.#hasCustomId = true
  }

  /** Returns the context for the handler, filters and mappers of an operation. */
  contextOf({ endpoint }: Pick<CompiledOperation, 'endpoint'>): Context {
    return (this.#context ??= new OperationContext(this, endpoint))
  }

  /** The context for filters and mappers that also run if no operation matches. */
  get context(): ResponseContext {
    return this.operation === undefined
      ? (this.#unmatchedContext ??= new UnmatchedContext(this))
      : this.contextOf(this.operation)
  }

  /** Registers a callback that is called at the end of the request. */
  onEnd(callback: (end: End) => unknown): void {
    if (this.#successor !== undefined) return this.#successor.onEnd(callback)
    ;(this.#endCallbacks ??= new EndCallbacks(this)).add(callback)
  }

  /**
   * Returns a signal that aborts if the client disconnects or half-closes the connection before the response has been sent. The
   * signal also aborts if the deadline passes.
   */
  signal(): AbortSignal {
    return this.deadline?.signal() ?? this.exchange.signal()
  }

  /** Starts the deadline by which the response must start. `timeout` is in milliseconds. */
  startDeadline(timeout: number): void {
    this.deadline = new Deadline(timeout, this.exchange, () => this.#respondAfterDeadline(timeout))
  }

  /** Whether the deadline has passed. If so, another `RequestState` sends the response. */
  get isLate(): boolean {
    return this.#successor !== undefined
  }

  /** Returns the number of milliseconds since the arrival of the request. */
  elapsed(): number {
    return performance.now() - this.startTime
  }

  /** Stores the values provided by the filter with the given index. */
  provide(index: number, values: NeededValues): void {
    const provided = [...this.provided]
    provided[index] = values
    this.provided = provided
  }

  /** Filters, encodes and writes a response (steps 11 to 13). Throws if the response cannot be encoded. */
  respond(response: ResponseValue, encode: EncodeResponse = this.#encode()): void {
    if ((this.operation ?? this.program).sendsFiles)
      closeUnsentFiles(response.entity, this.exchange)
    // the response was created after the deadline
    if (this.#successor !== undefined) return discardUnsentStreams(response.entity, this.exchange)
    try {
      if (this.#filters().response.length === 0) this.#encodeAndWrite(response, encode)
      else this.#runResponseFilters(response, encode)
    } catch (error) {
      discardUnsentStreams(response.entity, this.exchange)
      throw error
    }
  }

  /** Responds to a failure detected by the framework (step 10). */
  reject(failure: RequestFailure): void {
    if (this.#successor !== undefined) return
    const { exchange } = this
    const { findMapper, response } = this.#filters()
    // without mappers and response filters, no `HttpError` is required
    if (findMapper === undefined && response.length === 0)
      return this.#finishAndWrite(encodeFailure(failure, exchange, this.instance))
    const error = failureError(failure, exchange.method)
    this.#error ??= error
    if (this.#map(error)) return
    this.#orFail(() => this.respond(httpErrorResponse(error), this.#encodeProblem()))
  }

  /** Responds to an error that was thrown or returned (step 10). Never throws. */
  fail(error: unknown): void {
    if (this.#successor !== undefined) return logErrorAfterTimeout(this, error)
    this.#error ??= error ?? new TypeError(`${error} was thrown`)
    try {
      if (!this.#map(error)) this.#respondToError(error)
    } catch (unreadableError) {
      // the properties of `error` cannot be read, for example, because it is a revoked proxy
      this.#respondToInternalError(unreadableError)
    }
  }

  /** Compresses and writes an encoded response. Response filters do not run. */
  sendEncoded(response: EncodedResponse): void {
    if (this.#successor === undefined) this.#finishAndWrite(response)
  }

  /** Writes an encoded response (step 13). Discards the response if the deadline has passed. */
  write(response: EncodedResponse): void {
    if (this.deadline?.meet() === false) {
      if (isChunkSource(response.body)) response.body.close()
      return
    }
    const hasRoom = this.exchange.hasRoomFor?.(response) !== false
    const sent = hasRoom ? response : memoryRejection(response, this, this.instance)
    this.status = sent.status
    this.exchange.send(this.trace?.respond(sent) ?? sent)
  }

  /** Responds with 503. Handlers and filters that are still running for the request can no longer respond. */
  #respondAfterDeadline(milliseconds: number): void {
    const next = new RequestState(this.program, this.exchange)
    next.operation = this.operation
    next.captures = this.captures
    next.provided = this.provided
    next.prefixValues = this.prefixValues
    next.authenticated = this.authenticated
    next.addedHeaders = this.addedHeaders
    next.startTime = this.startTime
    next.trace = this.trace
    next.#id = this.id
    next.#hasCustomId = this.#hasCustomId
    next.#isMapped = this.#isMapped
    next.#responseFilters = this.#responseFilters?.remaining()
    next.#endCallbacks = this.#endCallbacks
    this.#endCallbacks?.transferTo(next)
    this.#successor = next
    this.recorder?.onTimeout()
    logHandlerTimeout(this, milliseconds)
    next.#orFail(() => next.reject({ _tag: 'HandlerTimeout' }))
  }

  #filters(): CompiledFilters {
    return this.operation?.filters ?? this.pathFilters ?? this.program.filters
  }

  #encode(): EncodeResponse {
    return this.operation?.encode ?? this.program.filters.encodeUndeclared
  }

  /** The `instance` URI in problem documents for this request. */
  get instance(): string {
    return this.#hasCustomId ? Problem.instanceUri(this.id) : Problem.newInstanceUri(this.id)
  }

  #encodeProblem(): EncodeResponse {
    return encodeProblem(this.instance, this.#filters().encodeUndeclared)
  }

  /** Runs the mapper for an error. Returns `false` if no mapper applies. */
  #map(error: unknown): boolean {
    const { findMapper } = this.#filters()
    if (this.#isMapped || findMapper === undefined) return false
    return runMapper(findMapper, error, {
      context: this.context,
      onFound: () => {
        this.program.logger.debug({ id: this.id, err: error }, 'Mapping an error to a response')
      },
      onRun: () => {
        this.#isMapped = true
      },
      respond: (reply, encode) => this.respond(reply, encode),
      unmapped: (unmapped) => this.#respondToError(unmapped),
    })
  }

  /** Responds to an `HttpError` with its status code. Any other error is treated as an internal error. */
  #respondToError(error: unknown): void {
    if (!isHttpError(error)) return this.#respondToInternalError(error)
    const { program, exchange } = this
    logHttpError(this, error)
    this.#orFail(() => {
      const encode =
        error.reply === undefined
          ? this.#encodeProblem()
          : this.#hasWriteError
            ? program.encodeUndeclared
            : this.#filters().encodeUndeclared
      const response = httpErrorResponse(error)
      this.respond(
        { ...response, headers: program.resolveLocation(response.headers, exchange) },
        encode,
      )
    })
  }

  /** Responds with 500. The error is logged but not sent to the client. */
  #respondToInternalError(error: unknown): void {
    this.trace?.fail(error)
    logInternalError(this, error)
    if (this.#isLastFallback) return this.#respondWithoutAddedHeaders()
    this.#isLastFallback = this.#responseFilters?.isDone ?? this.#filters().response.length === 0
    this.#orFail(() => this.respond(internalErrorResponse(), this.#encodeProblem()))
  }

  /**
   * Calls `respond`. If the response cannot be encoded, {@link fail} tries to send an error response. Each attempt to respond
   * runs fewer response filters, so the number of attempts is limited.
   */
  #orFail(respond: () => void): void {
    try {
      respond()
    } catch (error) {
      this.fail(error)
    }
  }

  #respondWithoutAddedHeaders(): void {
    this.addedHeaders = none
    try {
      const response = encodeFailure({ _tag: 'InternalError' }, this.exchange, this.instance)
      void this.recorder?.record(response, this.#error)
      this.write(response)
    } catch (error) {
      this.program.logger.error({ id: this.id, err: error }, 'Failed to send the error response')
    }
  }

  /** Runs the response filters that have not run yet (step 11), then encodes and writes the response. */
  #runResponseFilters(response: ResponseValue, encode: EncodeResponse): void {
    this.#responseFilters ??= new ResponseFilterChain(this.#filters().response)
    this.#responseFilters.run(response, {
      context: this.context,
      failure: this.#error,
      onDone: (filtered) => {
        if (filtered.entity !== response.entity)
          discardUnsentStreams(response.entity, this.exchange)
        const undeclared = this.#filters().encodeUndeclared
        this.#encodeAndWrite(
          filtered,
          filteredEncoder(response, filtered, encode, this.operation, undeclared),
        )
      },
      onError: (error) => {
        discardUnsentStreams(response.entity, this.exchange)
        this.fail(error)
      },
    })
  }

  /** Encodes a response (step 12), then compresses and writes it. */
  #encodeAndWrite(response: ResponseValue, encode: EncodeResponse): void {
    const value =
      this.addedHeaders.length === 0
        ? response
        : { ...response, headers: moveValidators(response.headers, this.addedHeaders) }
    let encoded: ReturnType<EncodeResponse>
    try {
      encoded = encode(value, this)
    } catch (error) {
      this.#hasWriteError = true
      throw error
    }
    if ('then' in encoded)
      return void encoded
        .then((later) => this.#finishAndWrite(later))
        .catch((error) => {
          this.#hasWriteError = true
          this.fail(error)
        })
    if (encoded.body === undefined) discardUnsentStreams(response.entity, this.exchange)
    this.#finishAndWrite(encoded)
  }

  /** Stores and compresses a response (the end of step 12), then writes it (step 13). */
  #finishAndWrite(response: EncodedResponse): void {
    const { compress } = this.operation ?? this.program
    const finished = finishResponse(response, this, compress, this.#error)
    if ('status' in finished) return this.write(finished)
    finished.then((later) => this.write(later)).catch((error) => this.fail(error))
  }
}

const none: ReadonlyArray<never> = []
