/** The exchange in a worker: a dispatched request, and the way back for its response. */
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { EncodedResponse, Exchange } from '../../interpreter/exchange.ts'
import { isFailure } from '../../interpreter/exchange.ts'
import type { DispatchedRequest } from '../../interpreter/workers/dispatched-request.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'
import type { SpooledBody } from '../../interpreter/workers/spool.ts'
import { readSpooledBody } from '../../interpreter/workers/spool.ts'
import type { Platform } from '../../interpreter/platform.ts'

export class WorkerExchange implements Exchange {
  readonly platform: Platform
  readonly #handover: DispatchedRequest
  readonly #isDisconnected: () => boolean
  readonly #send: (answer: EncodedResponse, awaitsEnd: boolean) => void
  readonly #endCallbacks: Array<() => void> = []
  #controller: AbortController | undefined = undefined
  readonly #streamEnds: Array<() => void> = []
  #isHalfClosed = false
  #hasResponse = false
  #hasEnded = false

  /** `isDisconnected` reads shared memory, so it may return true before the message arrives. */
  constructor(
    handover: DispatchedRequest,
    system: Platform,
    isDisconnected: () => boolean,
    send: (answer: EncodedResponse, awaitsEnd: boolean) => void,
  ) {
    this.platform = system
    this.#handover = handover
    this.#isDisconnected = isDisconnected
    this.#send = send
  }

  get method(): string {
    return this.#handover.method
  }
  get path(): string {
    return this.#handover.path
  }
  get query(): string | undefined {
    return this.#handover.query
  }
  get headers(): Headers {
    return this.#handover.headers
  }
  origin(): string {
    return this.#handover.origin
  }
  prefix(): string {
    return this.#handover.prefix
  }
  clientAddress(): string | undefined {
    return this.#handover.clientAddress
  }

  readBody(_limit: SizeLimit, then: (content: Uint8Array | RequestFailure) => void): void {
    const { body: content } = this.#handover
    // a body that is read as a whole is never spooled
    then(isSpooled(content) ? { _tag: 'InternalError' } : content)
  }

  streamBody(): AsyncIterableIterator<Uint8Array> | RequestFailure {
    const { body: content } = this.#handover
    if (!isSpooled(content)) return isFailure(content) ? content : singleChunk(content)
    const chunks = readSpooledBody(content, this.platform.files)
    // a handler may stop reading without closing the stream, and its file is open
    this.onEnd(() => void chunks.return(undefined).catch(() => undefined))
    return chunks
  }

  signal(): AbortSignal {
    const controller = (this.#controller ??= observing(new AbortController(), this.#isDisconnected))
    if (this.#isHalfClosed) controller.abort()
    return controller.signal
  }

  onEnd(then: () => void): void {
    if (this.#hasEnded) then()
    else this.#endCallbacks.push(then)
  }

  onStreamEnd(then: () => void): void {
    if (this.#isHalfClosed || this.#isDisconnected()) then()
    else this.#streamEnds.push(then)
    this.onEnd(then)
  }

  send(answer: EncodedResponse): void {
    if (this.#hasResponse) return
    this.#hasResponse = true
    // without callbacks, the main thread does not report the end
    this.#hasEnded ||= this.#endCallbacks.length === 0
    this.#send(answer, !this.#hasEnded)
  }

  /** Called when the client half-closes its connection, or the response body is cancelled. */
  halfClose(): void {
    this.#isHalfClosed = true
    this.#controller?.abort()
    for (const end of this.#streamEnds.splice(0)) end()
  }

  /** Called when the client has disconnected, or the response was written to the connection. */
  end(): void {
    this.#hasEnded = true
    if (!this.#hasResponse) this.#controller?.abort()
    for (const callback of this.#endCallbacks.splice(0)) callback()
  }
}

/** Makes `aborted` read shared memory, because a handler that computes receives no messages. */
const observing = (controller: AbortController, isDisconnected: () => boolean): AbortController => {
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

const isSpooled = (content: DispatchedRequest['body']): content is SpooledBody =>
  '_tag' in content && content._tag === 'Spooled'

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  if (bytes.length > 0) yield bytes
}
