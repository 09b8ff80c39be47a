/**
 * The state of one request, from step 2 to step 13, and its four exits:
 *
 * ```text
 * respond(value)    a response value passes the response filters, is encoded and written
 * reject(failure)   the framework turns the request down
 * fail(error)       a handler, filter, reader or writer has thrown an error, or returned one
 * write(response)   an encoded response is sent
 * ```
 *
 * An error changes its type three times: failure or thrown error -> `HttpError` (only where a mapper or response filter
 * may see it) -> response value -> encoded response. Each fallback is tried once, in this order:
 *
 * ```text
 * 1. the error mapper of the innermost scope        may respond with any declared response
 * 2. the problem document of an `HttpError`         passes the response filters that have not run yet
 * 3. the document of an internal error (500)        for errors of 1 and 2, and of response filters and writers
 * 4. the same without headers that filters added    for errors of 3
 * 5. no response                                    the error of 4 is logged
 * ```
 */
import type { Context, End, ResponseContext } from '../endpoint/context.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import type { RequestFailure } from '../http/failure.ts'
import type { Headers } from '../http/headers.ts'
import type { CompiledFilters } from './filters/compiled-filters.ts'
import { OperationContext, UnmatchedContext } from './context/exchange-context.ts'
import { Deadline } from './deadline.ts'
import { EndCallbacks } from './end-callbacks.ts'
import { closeUnsentFiles } from './response/file/close-unsent.ts'
import type { EncodedResponse, Exchange } from './exchange.ts'
import {
  logBrokenStream,
  logInternalError,
  logHttpError,
  logHandlerTimeout,
  logErrorAfterTimeout,
} from './errors/log-errors.ts'
import type { LinkTable } from '../compiler/links/link-table.ts'
import { runMapper } from './errors/run-mapper.ts'
import type { PathCapture } from './routing/path-matcher.ts'
import type { ResultReceiver } from './response/handler-result.ts'
import type { CompiledOperation, Program } from './program.ts'
import { isChunkSource } from './chunks.ts'
import { failureError } from './errors/failure-error.ts'
import { ResponseFilterChain } from './filters/run-response-filters.ts'
import { filteredEncoder } from './response/filtered-response.ts'
import {
  internalErrorResponse,
  httpErrorResponse,
  encodeFailure,
  encodeProblem,
} from './errors/error-response.ts'
import { mergeHeaders } from './response/response-headers.ts'
import type { ResponseValue, EncodeResponse } from './response/encode-response.ts'
import type {
  AuthenticatedPrincipal,
  ProvidedValues,
  NeededValues,
  RequestInfo,
} from './context/request-info.ts'
import type { IntervalTimer } from './interval-timer.ts'
import { discardUnsentStreams } from './response/stream/discard-unsent.ts'
import { moveValidators } from './response/response-headers.ts'
import { keepUntilSent } from './exchange.ts'
import { limitMemory } from './response/limit-memory.ts'
import * as Problem from '../http/problem.ts'

export class RequestState implements ResultReceiver, RequestInfo {
  readonly program: Program
  /** The request as it was received, or as a pre-matching filter has rewritten it. */
  exchange: Exchange
  operation: CompiledOperation | undefined = undefined
  captures: ReadonlyArray<PathCapture> = none
  /** Whether the body has a content coding that cannot be decompressed. */
  hasUnsupportedCoding = false
  provided: ProvidedValues = none
  authenticated: AuthenticatedPrincipal | undefined = undefined
  /** Headers that filters add to any response. */
  addedHeaders: Headers = none
  /** The status code that was sent. */
  status: number | undefined = undefined
  /** The first time that {@link elapsed} was called, in milliseconds of `performance.now()`. */
  startTime: number | undefined = undefined
  /** The time limit of the response; `undefined` for an operation without one. */
  deadline: Deadline | undefined = undefined
  #id: string | undefined = undefined
  #hasCustomId = false
  #context: Context | undefined = undefined
  #unmatchedContext: ResponseContext | undefined = undefined
  #endCallbacks: EndCallbacks | undefined = undefined
  /** The first error of the request, for response filters. */
  #error: unknown = undefined
  /** Whether an error mapper has run. A second error of the request is not mapped. */
  #isMapped = false
  /** Whether the document of an internal error is encoded, after all response filters. */
  #isLastFallback = false
  /** Whether a writer or an interceptor has failed. The response to an error bypasses them. */
  #hasWriteError = false
  /** Created for the first response that response filters see. */
  #responseFilters: ResponseFilterChain | undefined = undefined
  /** The state that responds instead of this one after the deadline. */
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

  /** Sets the request id, as a pre-matching filter may do. */
  setId(id: string): void {
    this.#id = id
    this.#hasCustomId = true
  }

  /** Returns the context of functions that run for an operation. */
  contextOf({ endpoint }: Pick<CompiledOperation, 'endpoint'>): Context {
    return (this.#context ??= new OperationContext(this, endpoint))
  }

  /** The context of functions that run for any request. */
  get context(): ResponseContext {
    return this.operation === undefined
      ? (this.#unmatchedContext ??= new UnmatchedContext(this))
      : this.contextOf(this.operation)
  }

  /** Registers a function for the end of the request: step 14. */
  onEnd(callback: (end: End) => unknown): void {
    if (this.#successor !== undefined) return this.#successor.onEnd(callback)
    ;(this.#endCallbacks ??= new EndCallbacks(this)).add(callback)
  }

  /** Returns a signal that aborts when the client disconnects before the response, or after the deadline. */
  signal(): AbortSignal {
    return this.deadline?.signal() ?? this.exchange.signal()
  }

  /** Sets a deadline for the start of the response. */
  startDeadline(timer: IntervalTimer): void {
    this.deadline = new Deadline(timer, this.exchange, () =>
      this.#respondAfterDeadline(timer.interval),
    )
  }

  /** Whether the deadline is over and another state responds. */
  get isLate(): boolean {
    return this.#successor !== undefined
  }

  /** Returns the milliseconds since its first call. */
  elapsed(): number {
    const now = performance.now()
    return now - (this.startTime ??= now)
  }

  /** Stores the values that a filter provides. */
  provide(index: number, values: NeededValues): void {
    const given = [...this.provided]
    given[index] = values
    this.provided = given
  }

  /** Steps 11 to 13. Throws if the response cannot be encoded. */
  respond(response: ResponseValue, encode: EncodeResponse = this.#encode): void {
    if (this.#successor !== undefined) return this.#discard(response)
    if ((this.operation ?? this.program).sendsFiles)
      closeUnsentFiles(response.entity, this.exchange)
    try {
      if (this.#filters.response.length === 0) this.#encodeAndWrite(response, encode)
      else this.#runResponseFilters(response, encode)
    } catch (error) {
      discardUnsentStreams(response.entity, this.exchange)
      throw error
    }
  }

  /** Step 10, for a request that the framework turns down. */
  reject(failure: RequestFailure): void {
    if (this.#successor !== undefined) return
    const { exchange } = this
    const { findMapper: mapperOf, response } = this.#filters
    // without mappers and filters, most rejections are encoded directly
    if (mapperOf === undefined && response.length === 0)
      return this.#compressAndWrite(encodeFailure(failure, exchange, this.#instance))
    const error = failureError(failure, exchange.method)
    this.#error ??= error
    if (this.#map(error)) return
    this.#orFail(() => this.respond(httpErrorResponse(error), this.#encodeProblem))
  }

  /** Step 10, for an error that was thrown or returned. Never throws. */
  fail(error: unknown): void {
    if (this.#successor !== undefined) return logErrorAfterTimeout(this, error)
    this.#error ??= error ?? new TypeError(`${error} was thrown`)
    try {
      if (!this.#map(error)) this.#respondToError(error)
    } catch (unreadableError) {
      // an object whose properties cannot be read, such as a revoked proxy
      this.#respondToInternalError(unreadableError)
    }
  }

  /** Step 13. Discards a response that is late. */
  write(response: EncodedResponse): void {
    if (this.deadline?.meet() === false) {
      if (isChunkSource(response.body)) response.body.close()
      return
    }
    const sent = limitMemory(response, this, () => this.#instance)
    this.status = sent.status
    this.exchange.send(sent)
  }

  /** Responds with 503 in place of the functions that still run for the request. */
  #respondAfterDeadline(milliseconds: number): void {
    const next = new RequestState(this.program, this.exchange)
    next.operation = this.operation
    next.captures = this.captures
    next.provided = this.provided
    next.authenticated = this.authenticated
    next.addedHeaders = this.addedHeaders
    next.startTime = this.startTime
    next.#id = this.id
    next.#hasCustomId = this.#hasCustomId
    next.#isMapped = this.#isMapped
    next.#responseFilters = this.#responseFilters?.remaining()
    next.#endCallbacks = this.#endCallbacks
    this.#endCallbacks?.transferTo(next)
    this.#successor = next
    logHandlerTimeout(this, milliseconds)
    next.#orFail(() => next.reject({ _tag: 'HandlerTimeout' }))
  }

  /** Releases what a late response holds, at the end of the request. */
  #discard({ entity }: ResponseValue): void {
    if ((this.operation ?? this.program).sendsFiles) closeUnsentFiles(entity, this.exchange)
    discardUnsentStreams(entity, this.exchange)
  }

  get #filters(): CompiledFilters {
    return this.operation?.filters ?? this.program.filters
  }

  get #encode(): EncodeResponse {
    return this.operation?.encode ?? this.program.filters.encodeUndeclared
  }

  /** The `instance` URI of the problem document of the request. */
  get #instance(): string {
    return this.#hasCustomId ? Problem.instanceUri(this.id) : Problem.newInstanceUri(this.id)
  }

  get #encodeProblem(): EncodeResponse {
    return encodeProblem(this.#instance, this.#filters.encodeUndeclared)
  }

  /** Runs the mapper of an error. Returns whether there is one. */
  #map(error: unknown): boolean {
    if (this.#isMapped || this.#filters.findMapper === undefined) return false
    return runMapper(this.#filters, error, {
      context: this.context,
      onFound: () => {
        this.program.logger.debug({ id: this.id, err: error }, 'An error is mapped.')
      },
      onRun: () => {
        this.#isMapped = true
      },
      respond: (reply, encode) => this.respond(reply, encode),
      unmapped: (unmapped) => this.#respondToError(unmapped),
    })
  }

  /** Responds to an `HttpError` with its status code. Any other error is an internal error. */
  #respondToError(error: unknown): void {
    if (!isHttpError(error)) return this.#respondToInternalError(error)
    const { program, exchange } = this
    logHttpError(this, error)
    this.#orFail(() => {
      const encode =
        error.reply === undefined
          ? this.#encodeProblem
          : this.#hasWriteError
            ? program.encodeUndeclared
            : this.#filters.encodeUndeclared
      const response = httpErrorResponse(error)
      this.respond(
        { ...response, headers: program.resolveLocation(response.headers, exchange) },
        encode,
      )
    })
  }

  /** Responds with 500. Only the log contains the error. */
  #respondToInternalError(error: unknown): void {
    logInternalError(this, error)
    if (this.#isLastFallback) return this.#respondWithoutAddedHeaders()
    this.#isLastFallback = this.#responseFilters?.isDone ?? this.#filters.response.length === 0
    this.#orFail(() => this.respond(internalErrorResponse(), this.#encodeProblem))
  }

  /** A response that cannot be encoded, such as one with an invalid status code, is an error. It leaves fewer response filters each time. */
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
      this.write(encodeFailure({ _tag: 'InternalError' }, this.exchange, this.#instance))
    } catch (error) {
      this.program.logger.error({ id: this.id, err: error }, 'The response cannot be sent.')
    }
  }

  /** Step 11, with the response filters that have not run yet. */
  #runResponseFilters(response: ResponseValue, encode: EncodeResponse): void {
    this.#responseFilters ??= new ResponseFilterChain(this.#filters.response)
    this.#responseFilters.run(response, {
      context: this.context,
      failure: this.#error,
      onDone: (filtered) => {
        if (filtered.entity !== response.entity)
          discardUnsentStreams(response.entity, this.exchange)
        const undeclared = this.#filters.encodeUndeclared
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

  /** Step 12. */
  #encodeAndWrite(response: ResponseValue, encode: EncodeResponse): void {
    const value =
      this.addedHeaders.length === 0
        ? response
        : { ...response, headers: moveValidators(response.headers, this.addedHeaders) }
    const encoded = encode(value, this)
    if (typeof encoded !== 'function') {
      if (encoded.body === undefined) discardUnsentStreams(response.entity, this.exchange)
      return this.#compressAndWrite(encoded)
    }
    encoded(
      this.context,
      (later) => this.#compressAndWrite(later),
      (error) => {
        this.#hasWriteError = true
        this.fail(error)
      },
    )
  }

  /** Compression, which is part of step 12, and step 13. */
  #compressAndWrite(response: EncodedResponse): void {
    const { status, headers } = response
    const body = isChunkSource(response.body) ? logBrokenStream(response.body, this) : response.body
    const whole =
      this.addedHeaders.length === 0 && body === response.body
        ? response
        : { status, headers: [...headers, ...mergeHeaders(this.addedHeaders, headers)], body }
    const { compress } = this.operation ?? this.program
    if (compress === undefined) return this.write(whole)
    const compressed = compress(whole, this.exchange)
    if (!(compressed instanceof Promise)) return this.write(compressed)
    keepUntilSent(whole, this.exchange)
    compressed.then((later) => this.write(later)).catch((error) => this.fail(error))
  }
}

const none: ReadonlyArray<never> = []
