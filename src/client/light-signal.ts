/**
 * Signals that weigh little: an `AbortSignal` takes longer than all else that a client does for a small request, so there is one
 * only where somebody asks for it. `fetch` does, and so does a policy that looks at the signal of a request, or copies a request.
 */
import type { ClientRequest } from './exchange.ts'

/** As far as both kinds are alike, which is as far as `request` of undici needs them. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Whether its own `abort` was called, and what listens to that. */
export class LightSignal implements Signal {
  #listeners: Array<() => void> | undefined = undefined
  #controller: AbortController | undefined = undefined
  #isAborted = false
  #reason: unknown = undefined

  get aborted(): boolean {
    return this.#isAborted
  }

  get reason(): unknown {
    return this.#reason
  }

  addEventListener(_: 'abort', listener: () => void): void {
    // an array that is empty at first takes room for 17
    if (this.#listeners === undefined) this.#listeners = [listener]
    else this.#listeners.push(listener)
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners?.filter((one) => one !== listener)
  }

  abort(reason: unknown): void {
    if (this.#isAborted) return
    this.#isAborted = true
    this.#reason = reason
    const listeners = this.#listeners
    this.#listeners = undefined
    this.#controller?.abort(reason)
    listeners?.forEach((listener) => listener())
  }

  /** Whether there is a whole one, so that somebody may have something to do with it. */
  get isAsked(): boolean {
    return this.#controller !== undefined
  }

  /** The `AbortSignal` that it stands for. */
  get whole(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isAborted) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }
}

/** The same request under another signal, which is a whole one as soon as somebody looks. */
export const signalled = (request: ClientRequest, signal: LightSignal): ClientRequest =>
  new Signalled(request, signal)

/** What a transport listens to. A copy of a request, whose signal may be another one by now, is no longer under a light one. */
export const signalOf = (request: ClientRequest): Signal | undefined => Signalled.signalOf(request)

class Signalled implements ClientRequest {
  readonly operation: ClientRequest['operation']
  readonly method: string
  readonly url: string
  readonly headers: ClientRequest['headers']
  readonly body: ClientRequest['body']
  readonly mayRedirect: boolean
  declare readonly timeout?: NonNullable<ClientRequest['timeout']>
  declare readonly strayed?: true
  declare readonly signal: AbortSignal
  readonly #signal: LightSignal

  /** An own property, so that it is copied; the same function for all, so that they have one shape. */
  static readonly #asked = {
    enumerable: true,
    get(this: Signalled): AbortSignal {
      return this.#signal.whole
    },
  }

  constructor(request: ClientRequest, signal: LightSignal) {
    this.operation = request.operation
    this.method = request.method
    this.url = request.url
    this.headers = request.headers
    this.body = request.body
    this.mayRedirect = request.mayRedirect ?? true
    if (request.timeout !== undefined) this.timeout = request.timeout
    if (request.strayed !== undefined) this.strayed = request.strayed
    this.#signal = signal
    Object.defineProperty(this, 'signal', Signalled.#asked)
  }

  static signalOf(request: ClientRequest): Signal | undefined {
    return #signal in request && !request.#signal.isAsked ? request.#signal : request.signal
  }
}
