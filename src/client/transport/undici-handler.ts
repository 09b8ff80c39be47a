/** Handles requests sent through a dispatcher from the `undici` package. */
import { ResponseBodyBuffer } from './response-body-buffer.ts'

/** Controller passed to handlers by undici 7 and later. */
interface UndiciController {
  readonly abort: (reason: unknown) => void
  readonly pause: () => void
  readonly resume: () => void
}

/**
 * Object that maps header names to values. undici 5 passes this object for HTTP/2 responses, and undici 7 and later
 * pass it for all responses.
 */
type HeadersObject = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A raw header name or value: a string or a `Buffer`. */
interface RawText {
  readonly toString: (encoding: 'latin1') => string
}

/**
 * Implements both handler interfaces of undici. Versions 5 and 6 call the methods from `onConnect` to `onError`. Later
 * versions call the methods from `onRequestStart` to `onResponseError`.
 *
 * The signal can abort the request until the whole response body has been read.
 */
export class UndiciHandler {
  status = 0
  headers: ReadonlyArray<string> = []
  readonly body: ResponseBodyBuffer
  readonly #signal: AbortSignal | undefined
  readonly #onResponse: (handler: UndiciHandler) => void
  readonly #onFailure: (error: unknown) => void
  #abort: ((reason: unknown) => void) | undefined = undefined
  #resume = ignore
  #isPaused = false
  #isComplete = false
  #failure: { readonly error: unknown } | undefined = undefined

  constructor(
    signal: AbortSignal | undefined,
    onResponse: (handler: UndiciHandler) => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#signal = signal
    this.#onResponse = onResponse
    this.#onFailure = onFailure
    this.body = new ResponseBodyBuffer({
      resume: () => {
        if (!this.#isPaused) return
        this.#isPaused = false
        this.#resume()
      },
      close: () => this.close(),
      onRead: () => this.#release(),
    })
    signal?.addEventListener('abort', this.#onAbort)
  }

  /** Closes the connection, unless the response is complete. */
  close(): void {
    this.#release()
    if (!this.#isComplete) this.#abort?.(undefined)
  }

  onConnect(abort: (reason: unknown) => void): void {
    this.#abort = abort
    // the request was aborted while it was queued
    if (this.#failure !== undefined) abort(this.#failure.error)
  }

  onHeaders(
    status: number,
    headers: ReadonlyArray<RawText> | HeadersObject,
    resume: () => void,
  ): boolean {
    this.#resume = resume
    // undici 5 passes an object for HTTP/2
    if (status >= 200)
      this.#onHead(status, isRaw(headers) ? headers.map(decodeHeader) : flatten(headers))
    return true
  }

  onData(chunk: Uint8Array): boolean {
    this.#isPaused = !this.body.add(chunk)
    return !this.#isPaused
  }

  onComplete(): void {
    this.#isComplete = true
    this.body.end()
  }

  onError(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#release()
    this.#onFailure(error)
    this.body.fail(error)
  }

  onRequestStart(controller: UndiciController): void {
    this.onConnect((reason) => controller.abort(reason))
    this.#resume = () => controller.resume()
  }

  onResponseStart(_: UndiciController, status: number, headers: HeadersObject): void {
    if (status >= 200) this.#onHead(status, flatten(headers))
  }

  onResponseData(controller: UndiciController, chunk: Uint8Array): void {
    if (!this.onData(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    this.onComplete()
  }

  onResponseError(_: UndiciController | null, error: unknown): void {
    this.onError(error)
  }

  #onHead(status: number, headers: ReadonlyArray<string>): void {
    this.status = status
    this.headers = headers
    this.#onResponse(this)
  }

  readonly #onAbort = (): void => {
    const reason = this.#signal?.reason
    const abort = this.#abort
    // undici reports no error for a request that is queued or has ended
    if (abort === undefined || this.#isComplete) this.onError(reason)
    else abort(reason)
  }

  #release(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}

const ignore = (): void => undefined

const isRaw = (
  headers: ReadonlyArray<RawText> | HeadersObject,
): headers is ReadonlyArray<RawText> => Array.isArray(headers)

/** Decodes a raw header name or value. Elements with even indexes are names, which are converted to lowercase. */
const decodeHeader = (text: RawText, index: number): string =>
  index % 2 === 0 ? text.toString('latin1').toLowerCase() : text.toString('latin1')

/** Converts headers to alternating names and values. Omits HTTP/2 pseudo-headers such as `:status` (RFC 9113, 8.3). */
const flatten = (headers: HeadersObject): ReadonlyArray<string> => {
  const list: string[] = []
  for (const name of Object.keys(headers)) {
    if (name.startsWith(':')) continue
    const value = headers[name]
    if (typeof value === 'string') list.push(name, value)
    else if (value !== undefined) for (const item of value) list.push(name, item)
  }
  return list
}
