/** Implements exchanges in a worker. An exchange handles a dispatched request and transfers the response to the main thread. */
import type { ClientCertificate } from '../../endpoint/context.ts'
import type {
  EncodedResponse,
  Exchange,
  ChunkSource,
  Platform,
} from '../../interpreter/exchange.ts'
import { isChunkSource, isStreamed, isFailure } from '../../interpreter/exchange.ts'
import { toError } from '../../http/platform-value.ts'
import { toErrorMessage } from './error-message.ts'
import type { PostMessage } from './messages.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { DispatchedRequest, SpooledBody } from '../../interpreter/dispatched-request.ts'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import { readSpooledBody } from '../../interpreter/dispatched-request.ts'

/** Sends responses from a worker to the main thread. */
export class ResponseSender {
  readonly #post: PostMessage
  /** The bodies that are being sent, by job number. `onCancel` is called when a body is cancelled. */
  readonly #bodies = new Map<
    number,
    { readonly chunks: ChunkSource; readonly onCancel: () => void }
  >()

  constructor(post: PostMessage) {
    this.#post = post
  }

  /** Sends a response. If the body consists of chunks, each chunk is sent when the main thread requests it. */
  send(
    job: number,
    { status, headers, body }: EncodedResponse,
    awaitsEnd: boolean,
    onCancel: () => void,
  ): void {
    const head = { _tag: 'Response', job, status, headers, awaitsEnd } as const
    if (isChunkSource(body)) {
      this.#bodies.set(job, { chunks: body, onCancel })
      const chunked = { length: body.length, isFile: !isStreamed(body) }
      return this.#post({ ...head, body: undefined, chunked })
    }
    const bytes = body === undefined ? undefined : transferableBytes(body)
    const transferred = bytes === undefined ? [] : [bytes.buffer]
    this.#post({ ...head, body: bytes, chunked: undefined }, transferred)
  }

  /** Whether the body of a job is still being sent. */
  isSending(job: number): boolean {
    return this.#bodies.has(job)
  }

  /** Sends the next chunk of a job's body. */
  sendNextChunk(job: number): void {
    this.#bodies
      .get(job)
      ?.chunks.next()
      .then(
        ({ done, value }) => {
          // the body was cancelled in the meantime
          if (!this.#bodies.has(job)) return
          if (done !== true) {
            const bytes = transferableBytes(value)
            return this.#post({ _tag: 'Chunk', job, bytes }, [bytes.buffer])
          }
          this.#close(job)
          this.#post({ _tag: 'Chunk', job, bytes: undefined })
        },
        (error: unknown) => {
          if (!this.#bodies.has(job)) return
          this.#close(job)
          const cause = toErrorMessage(toError(error))
          this.#post({ _tag: 'BodyFailed', job, reason: String(error), error: cause })
        },
      )
  }

  /** Cancels the body of a job and confirms the cancellation to the main thread. */
  cancel(job: number): void {
    this.#bodies.get(job)?.onCancel()
    this.#close(job)
    this.#post({ _tag: 'Cancelled', job })
  }

  #close(job: number): void {
    this.#bodies.get(job)?.chunks.close()
    this.#bodies.delete(job)
  }
}

const encoder = new TextEncoder()

/** Copies a body to a new buffer that can be transferred to another thread. */
const transferableBytes = (body: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body)

/** The exchange for a request dispatched to a worker. */
export class WorkerExchange implements Exchange {
  readonly platform: Platform
  readonly #request: DispatchedRequest
  readonly #isDisconnected: () => boolean
  readonly #send: (response: EncodedResponse, awaitsEnd: boolean) => void
  readonly #endCallbacks: Array<() => void> = []
  #controller: AbortController | undefined = undefined
  readonly #streamEnds: Array<() => void> = []
  #isHalfClosed = false
  #hasResponse = false
  #hasEnded = false

  /**
   * `isDisconnected` returns whether the client has disconnected. It reads shared memory. Therefore, it can return `true` before
   * the `Disconnect` message arrives.
   */
  constructor(
    request: DispatchedRequest,
    platform: Platform,
    isDisconnected: () => boolean,
    send: (response: EncodedResponse, awaitsEnd: boolean) => void,
  ) {
    this.platform = platform
    this.#request = request
    this.#isDisconnected = isDisconnected
    this.#send = send
  }

  get method(): string {
    return this.#request.method
  }
  get path(): string {
    return this.#request.path
  }
  get query(): string | undefined {
    return this.#request.query
  }
  get headers(): Headers {
    return this.#request.headers
  }
  origin(): string {
    return this.#request.origin
  }
  prefix(): string {
    return this.#request.prefix
  }
  clientAddress(): string | undefined {
    return this.#request.clientAddress
  }

  clientCertificate(): ClientCertificate | undefined {
    return this.#request.clientCertificate
  }

  readBody(_limit: SizeLimit, callback: (body: Uint8Array | RequestFailure) => void): void {
    const { body } = this.#request
    // a body that is read as a whole is never spooled
    callback(isSpooled(body) ? { _tag: 'InternalError' } : body)
  }

  streamBody(): AsyncIterableIterator<Uint8Array> | RequestFailure {
    const { body } = this.#request
    if (!isSpooled(body)) return isFailure(body) ? body : singleChunk(body)
    const chunks = readSpooledBody(body, this.platform.files)
    // a handler may stop reading without closing the stream, which leaves the file open
    this.onEnd(() => void chunks.return(undefined).catch(() => undefined))
    return chunks
  }

  signal(): AbortSignal {
    const controller = (this.#controller ??= withSharedState(
      new AbortController(),
      this.#isDisconnected,
    ))
    if (this.#isHalfClosed) controller.abort()
    return controller.signal
  }

  onEnd(callback: () => void): void {
    if (this.#hasEnded) callback()
    else this.#endCallbacks.push(callback)
  }

  onStreamEnd(callback: () => void): void {
    if (this.#isHalfClosed || this.#isDisconnected()) callback()
    else this.#streamEnds.push(callback)
    this.onEnd(callback)
  }

  send(response: EncodedResponse): void {
    if (this.#hasResponse) return
    this.#hasResponse = true
    // if there are no callbacks, the main thread does not report the end
    this.#hasEnded ||= this.#endCallbacks.length === 0
    this.#send(response, !this.#hasEnded)
  }

  /** Called when the client half-closes its connection or the response body is cancelled. */
  halfClose(): void {
    this.#isHalfClosed = true
    this.#controller?.abort()
    for (const end of this.#streamEnds.splice(0)) end()
  }

  /** Called when the client has disconnected or the response has been sent. */
  end(): void {
    this.#hasEnded = true
    if (!this.#hasResponse) this.#controller?.abort()
    for (const callback of this.#endCallbacks.splice(0)) callback()
  }
}

/**
 * Overrides `aborted` and `throwIfAborted` on the signal of a controller. The overrides read shared memory, because a busy worker
 * receives no messages.
 */
const withSharedState = (
  controller: AbortController,
  isDisconnected: () => boolean,
): AbortController => {
  const { signal } = controller
  let wasDisconnected = false
  const isAborted = (): boolean => {
    if (!wasDisconnected && isDisconnected()) {
      wasDisconnected = true
      controller.abort()
    }
    return Reflect.get(AbortSignal.prototype, 'aborted', signal)
  }
  Object.defineProperty(signal, 'aborted', { get: isAborted })
  Object.defineProperty(signal, 'throwIfAborted', {
    value: () => {
      if (isAborted()) throw signal.reason
    },
  })
  return controller
}

const isSpooled = (body: DispatchedRequest['body']): body is SpooledBody =>
  '_tag' in body && body._tag === 'Spooled'

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  if (bytes.length > 0) yield bytes
}
