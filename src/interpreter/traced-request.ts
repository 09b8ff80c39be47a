/** Publishes requests on diagnostics channels, if they have subscribers. */
import type { RequestSteps, RequestTrace } from '../diagnostics/request-trace.ts'
import type { Around, TracingChannel } from '../diagnostics/tracing-channel.ts'
import { Publication } from '../diagnostics/tracing-channel.ts'
import type { LoggerByCategory } from '../compiler/settings/logger.ts'
import * as Headers from '../http/headers.ts'
import { isObject } from '../http/platform-value.ts'
import type { EncodedResponse, Exchange } from './exchange.ts'
import { isDisconnect } from './errors/log-errors.ts'
import { isChunkSource, lengthOf, wrapChunks } from './exchange.ts'
import type { RequestInfo } from './request-info.ts'

/** The request as published, and the functions by which the interpreter reports what happens to it. */
export class TracedRequest implements RequestTrace {
  readonly #received: Exchange
  /** Created on arrival, because a signal that is created after the end is always aborted. */
  readonly #signal: AbortSignal
  readonly #publication: Publication
  readonly #state: RequestInfo
  readonly #selected: RequestedOperation
  #steps: RequestSteps = {}
  #error: unknown = undefined
  #isDisconnected = false
  #status: number | undefined = undefined
  #bodySize: number | undefined = undefined
  #responseSize: number | undefined = undefined
  #duration: number | undefined = undefined

  /** `selected` is the operation that the request, as received, selects. */
  constructor(channel: TracingChannel, state: RequestInfo, selected: RequestedOperation) {
    this.#received = state.exchange
    this.#signal = state.exchange.signal()
    this.#state = state
    this.#selected = selected
    this.#publication = new Publication(channel, this)
  }

  /** Whether a message of the channels is a request to the program with the given loggers. */
  static isOf(loggerOf: LoggerByCategory, message: unknown): message is TracedRequest {
    return isObject(message) && #state in message && message.#state.program.loggerOf === loggerOf
  }

  /** Publishes the start, calls `run`, and publishes the end when the exchange has ended. */
  run(run: () => void): void {
    this.#received.onEnd(() => this.#finish())
    this.#publication.run(run)
  }

  /** Records the end of a step. */
  reach(step: keyof RequestSteps): void {
    this.#steps = { ...this.#steps, [step]: this.#state.elapsed() }
  }

  /** Publishes an error, unless it was caused by a disconnect. Only the first one counts. */
  fail(error: unknown): void {
    if (this.#error !== undefined || isDisconnect(error, () => this.#signal)) return
    this.#error = error
    this.#publication.fail()
  }

  /** Records a request body that has been read. */
  receive({ length }: Uint8Array): void {
    const isCompressed = Headers.first(this.#received.headers, 'content-encoding') !== undefined
    if (!isCompressed) this.#bodySize = length
  }

  /** Records the response that is sent. Returns a response whose body is counted. */
  respond(response: EncodedResponse): EncodedResponse {
    this.reach('encoded')
    const { status, body } = response
    this.#status = status
    this.#responseSize = 0
    if (body === undefined || this.method === 'HEAD') return response
    if (!isChunkSource(body)) {
      this.#responseSize = lengthOf(body)
      return response
    }
    const next: typeof body.next = async () => {
      try {
        const result = await body.next()
        if (result.done !== true)
          this.#responseSize = (this.#responseSize ?? 0) + lengthOf(result.value)
        return result
      } catch (error) {
        this.fail(error)
        throw error
      }
    }
    return { ...response, body: wrapChunks(body, { next }) }
  }

  #finish(): void {
    this.#duration = this.#state.elapsed()
    this.#isDisconnected = this.status === undefined || this.#signal.aborted
    this.#publication.finish()
  }

  get around(): (call: Around) => void {
    return (call) => this.#publication.around(call)
  }

  get method(): string {
    return this.#received.method
  }

  get path(): string {
    return this.#received.path
  }

  get query(): string | undefined {
    return this.#received.query
  }

  get header(): RequestTrace['header'] {
    return (name) => Headers.combined(this.#received.headers, name.toLowerCase())
  }

  get origin(): string {
    return this.#received.origin()
  }

  get clientAddress(): string | undefined {
    return this.#received.clientAddress()
  }

  get httpVersion(): string | undefined {
    return this.#received.httpVersion
  }

  get id(): string {
    return this.#state.id
  }

  get route(): string | undefined {
    const template = this.#state.operation?.endpoint.template ?? this.#selected.route
    return template === undefined ? undefined : (this.#received.mountPath ?? '') + template
  }

  get operation(): string | undefined {
    return this.#state.operation?.endpoint.name ?? this.#selected.operation
  }

  get status(): number | undefined {
    return this.#status
  }

  get isDisconnected(): boolean {
    return this.#isDisconnected
  }

  get error(): unknown {
    return this.#error
  }

  get requestSize(): number | undefined {
    const length = Headers.first(this.#received.headers, 'content-length')
    return length === undefined ? this.#bodySize : Number(length)
  }

  get responseSize(): number | undefined {
    return this.#responseSize
  }

  get duration(): number {
    return this.#duration ?? this.#state.elapsed()
  }

  get steps(): RequestSteps {
    return this.#steps
  }
}

/** What a request selects before filters can rewrite it. */
export interface RequestedOperation {
  readonly operation: string | undefined
  readonly route: string | undefined
}
