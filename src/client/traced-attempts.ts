/** Publishes the attempts of client calls on diagnostics channels, if they have subscribers. */
import * as E from 'fp-ts/lib/Either.js'
import type { AttemptTrace } from '../diagnostics/attempt-trace.ts'
import type { Around, TracingChannel } from '../diagnostics/tracing-channel.ts'
import { Publication, tracingChannel } from '../diagnostics/tracing-channel.ts'
import * as Headers from '../http/headers.ts'
import type { ClientRequest, Passage } from './exchange.ts'
import type { BodyEnd } from './policy/observe-body.ts'
import { observeBody } from './policy/observe-body.ts'
import type { SendResult } from './policy/policy.ts'

/** Publishes the attempts of a client. Only clients for Node.js contain this module. */
export interface AttemptTracing {
  /** Wraps a transport so that its requests are published. */
  readonly transport: (transport: Passage) => Passage
  /** Returns a function that adds a counter of attempts to the request of a call, if the channels have subscribers. */
  readonly counter: () => (request: ClientRequest) => ClientRequest
}

const tracedTransport = (transport: Passage): Passage => {
  const channel = tracingChannel('client.attempt')
  if (channel === undefined) return transport
  return (request) => () =>
    channel.hasSubscribers
      ? new TracedAttempt(channel, request).send(transport)
      : transport(request)()
}

const attemptCounter = (): ((request: ClientRequest) => ClientRequest) => {
  const channel = tracingChannel('client.attempt')
  return (request) =>
    channel?.hasSubscribers === true ? { ...request, attempts: { count: 0 } } : request
}

/** Publishes attempts on the channels `tracing:espalier.client.attempt:*`. */
export const attemptTracing: AttemptTracing = {
  transport: tracedTransport,
  counter: attemptCounter,
}

class TracedAttempt implements AttemptTrace {
  readonly resendCount: number
  status: number | undefined = undefined
  isAborted = false
  error: unknown = undefined
  responseSize = 0
  readonly #request: ClientRequest
  readonly #publication: Publication
  readonly #startTime = performance.now()
  readonly #headers = new Map<string, string>()
  #duration: number | undefined = undefined

  constructor(channel: TracingChannel, request: ClientRequest) {
    this.resendCount = request.attempts?.count ?? 0
    if (request.attempts !== undefined) request.attempts.count++
    this.#request = request
    this.#publication = new Publication(channel, this)
  }

  /** Sends the request. The result ends the attempt, or its body if it has one. */
  async send(transport: Passage): Promise<SendResult> {
    const result = await this.#publication.run(() => {
      const headers = Array.from(this.#headers).reduce<Headers.Headers>(
        (all, [name, value]) => Headers.append(Headers.without(all, name), name, value),
        this.#request.headers,
      )
      return transport({ ...this.#request, headers })()
    })
    if (E.isLeft(result)) {
      if (result.left._tag === 'Aborted') this.isAborted = true
      else this.#fail(result.left.cause ?? result.left)
      this.#finish()
      return result
    }
    const { status, body } = result.right
    this.status = status
    if (body === null) {
      this.#finish()
      return result
    }
    const observed = observeBody(body, {
      onChunk: ({ length }) => {
        this.responseSize += length
      },
      onEnd: (end) => this.#endBody(end),
    })
    return E.right({ ...result.right, body: observed.body })
  }

  #endBody(end: BodyEnd): void {
    if (end === 'cancelled' || this.#request.signal?.aborted === true) this.isAborted = true
    else if (end === 'failed') this.#fail(new TypeError('the response was interrupted'))
    this.#finish()
  }

  #fail(error: unknown): void {
    this.error = error
    this.#publication.fail()
  }

  #finish(): void {
    this.#duration = this.duration
    this.#publication.finish()
  }

  get operation(): string {
    return this.#request.operation.name
  }

  get route(): string {
    return this.#request.operation.template
  }

  get around(): (call: Around) => void {
    return (call) => this.#publication.around(call)
  }

  get method(): string {
    return this.#request.method
  }

  get url(): string {
    return this.#request.url
  }

  get setHeader(): AttemptTrace['setHeader'] {
    return (name, value) => void this.#headers.set(name, value)
  }

  get duration(): number {
    return this.#duration ?? performance.now() - this.#startTime
  }
}
