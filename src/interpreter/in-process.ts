/**
 * Sends requests to a program in the same process, using the types of the Fetch standard.
 *
 * Requests pass through the full pipeline, starting with the pre-matching filters. Connection-level checks, such as those for framing
 * and header limits, are skipped.
 *
 * @see https://fetch.spec.whatwg.org
 */
import type { ClientCertificate } from '../endpoint/context.ts'
import type { SizeLimit } from '../compiler/settings/body-limit.ts'
import { bodyTooLarge } from '../compiler/settings/body-limit.ts'
import { ByteCollector } from '../http/byte-collector.ts'
import type { RequestFailure } from '../http/failure.ts'
import type * as Headers from '../http/headers.ts'
import * as RequestTarget from '../http/request-target.ts'
import type { BodyStream, EncodedResponse, Exchange, Platform } from './exchange.ts'
import { isChunkSource } from './exchange.ts'
import type { RejectionHeaders } from '../compiler/filter-chain.ts'
import { encodeRejection, readError } from './errors/error-response.ts'
import type { ResponseObserver } from './fetch-response.ts'
import { toResponse } from './fetch-response.ts'

/** The properties of an exchange that a `Request` does not determine. */
export interface InProcessEnvironment extends Pick<
  Exchange,
  'origin' | 'prefix' | 'clientAddress' | 'clientCertificate' | 'runtimeValue' | 'platform'
> {
  /**
   * Returns the signal that aborts the request. Called only if the response is not complete when `run` returns, because some runtimes
   * create the signal on demand. It is passed separately, because a `Request` may no longer follow the signal from its `init` after
   * garbage collection.
   */
  readonly signal: () => AbortSignal
  /** Returns the headers of the filters at the root for a request that is rejected before routing. */
  readonly rejectionHeaders: RejectionHeaders
  /** The request target, as received. */
  readonly target: string
  /** The characters that are accepted in the target. */
  readonly grammar: RequestTarget.TargetGrammar
}

/** The functions of a promise. Only the first call has an effect. */
export interface Settle {
  readonly resolve: (response: Response) => void
  /** Called if the request is aborted or its body cannot be read. */
  readonly reject: (error: unknown) => void
}

/** Converts a request to an exchange, passes it to `run`, and converts the response to a `Response`. */
export const exchangeInProcess = (
  request: Request,
  environment: InProcessEnvironment,
  run: (exchange: Exchange) => void,
  settle: Settle,
): void => {
  const { grammar, target } = environment
  const resource = RequestTarget.parseOriginForm(target, grammar)
  if (resource === undefined)
    settle.resolve(rejectInProcess(request, environment, RequestTarget.rejection(target, grammar)))
  else new InProcessExchange(request, resource, environment, settle).start(run)
}

/** Returns the response to a request that does not reach the program. */
export const rejectInProcess = (
  request: Request,
  environment: InProcessEnvironment,
  failure: RequestFailure,
): Response =>
  toResponse(
    environment,
    request.method,
    encodeRejection(failure, request, environment.rejectionHeaders),
    unobserved,
  )

const unobserved: ResponseObserver = { bodySent: () => undefined, bodyCancelled: () => undefined }

class InProcessExchange implements Exchange, ResponseObserver {
  readonly method: string
  readonly path: string
  readonly query: string | undefined
  readonly #request: Request
  readonly #environment: InProcessEnvironment
  readonly #settle: Settle
  #endCallbacks: Array<() => void> | undefined = undefined
  #controller: AbortController | undefined = undefined
  #isDisconnected = false
  #hasEnded = false
  #onAbort: (() => void) | undefined = undefined

  constructor(
    request: Request,
    { path, query }: RequestTarget.Resource,
    environment: InProcessEnvironment,
    settle: Settle,
  ) {
    this.method = request.method
    this.path = path
    this.query = query
    this.#request = request
    this.#environment = environment
    this.#settle = settle
  }

  /** Runs the exchange. The signal is observed only if the response is not complete when `run` returns. */
  start(run: (exchange: Exchange) => void): void {
    run(this)
    if (this.#hasEnded) return
    const signal = this.#environment.signal()
    if (signal.aborted) return this.#fail(signal.reason)
    this.#onAbort = () => this.#fail(signal.reason)
    signal.addEventListener('abort', this.#onAbort)
  }

  get headers(): Headers.RequestHeaders {
    return this.#request.headers
  }

  origin(): string {
    return this.#environment.origin()
  }

  prefix(): string {
    return this.#environment.prefix()
  }

  clientAddress(): string | undefined {
    return this.#environment.clientAddress()
  }

  clientCertificate(): ClientCertificate | undefined {
    return this.#environment.clientCertificate?.()
  }

  get runtimeValue(): unknown {
    return this.#environment.runtimeValue
  }

  get platform(): Platform {
    return this.#environment.platform
  }

  signal(): AbortSignal {
    const signal = this.#environment.signal()
    if (signal.aborted) return signal
    this.#controller ??= new AbortController()
    if (this.#isDisconnected) this.#controller.abort()
    return this.#controller.signal
  }

  onEnd(callback: () => void): void {
    if (this.#hasEnded) callback()
    else (this.#endCallbacks ??= []).push(callback)
  }

  readBody(limit: SizeLimit, then: (body: Uint8Array | RequestFailure) => void): void {
    if (contentLength(this.#request) > limit.bytes) return then(bodyTooLarge(limit))
    readBody(this.#request, limit).then(then, (error) => this.#fail(error))
  }

  streamBody(limit: SizeLimit): BodyStream | RequestFailure {
    return contentLength(this.#request) > limit.bytes
      ? bodyTooLarge(limit)
      : streamBody(this.#request, limit, (error) => this.#fail(error))
  }

  send(response: EncodedResponse): void {
    if (this.#isDisconnected) {
      if (isChunkSource(response.body)) response.body.close()
      return
    }
    this.#settle.resolve(toResponse(this.#environment, this.method, response, this))
  }

  bodySent(): void {
    this.#end()
  }

  bodyCancelled(): void {
    this.#disconnect(undefined)
  }

  /** Ends the exchange after the client has disconnected, or after the request body could not be read. */
  #fail(error: unknown): void {
    this.#settle.reject(error)
    this.#disconnect(error)
  }

  #disconnect(reason: unknown): void {
    if (this.#hasEnded) return
    this.#isDisconnected = true
    this.#controller?.abort(reason)
    this.#end()
  }

  #end(): void {
    this.#hasEnded = true
    if (this.#onAbort !== undefined)
      this.#environment.signal().removeEventListener('abort', this.#onAbort)
    const callbacks = this.#endCallbacks ?? []
    this.#endCallbacks = undefined
    for (const callback of callbacks) callback()
  }
}

/** Returns the value of the `Content-Length` header, or `0` if the header is missing. */
const contentLength = ({ headers }: Request): number => Number(headers.get('content-length') ?? 0)

/**
 * Streams the body of a request. Throws an `HttpError` with status 413 if the body exceeds the limit. If the body cannot be read,
 * calls `onError` and throws an error that indicates a disconnect.
 */
async function* streamBody(
  request: Request,
  limit: SizeLimit,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array, undefined> {
  let bytes = 0
  checkUnused(request)
  for await (const chunk of observed(request.body, onError)) {
    bytes += chunk.length
    if (bytes > limit.bytes) throw readError(bodyTooLarge(limit))
    yield chunk
  }
}

async function* observed(
  body: ReadableStream<Uint8Array> | null,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array, undefined> {
  try {
    yield* body ?? []
  } catch (cause) {
    onError(cause)
    throw Object.assign(new Error('the request body cannot be read', { cause }), {
      code: 'ERR_STREAM_PREMATURE_CLOSE',
    })
  }
}

/** The error of a request whose body has been read before, which is an error of the application. */
export class UsedBodyError extends TypeError {
  override readonly name = 'UsedBodyError'
}

const checkUnused = ({ bodyUsed }: Request): void => {
  if (bodyUsed) throw new UsedBodyError('the request body has already been read')
}

/**
 * Reads the whole body of a request. If the body exceeds the limit, reading stops and a failure is returned. A body whose length is
 * known is read without a stream, which takes less time in all runtimes.
 */
const readBody = async (
  request: Request,
  limit: SizeLimit,
): Promise<Uint8Array | RequestFailure> => {
  checkUnused(request)
  if (request.headers.has('content-length')) {
    const body = await request.arrayBuffer()
    return body.byteLength > limit.bytes ? bodyTooLarge(limit) : new Uint8Array(body)
  }
  const chunks = new ByteCollector()
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length
    if (bytes > limit.bytes) return bodyTooLarge(limit)
    chunks.add(chunk)
  }
  return chunks.take()
}
