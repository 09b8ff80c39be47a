/** The exchange of a worker: a request that was handed over, and the way back for its answer. */
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { Answer, Exchange } from '../../interpreter/exchange.ts'
import { isFailure } from '../../interpreter/exchange.ts'
import type { Handover } from '../../interpreter/workers/dispatched-request.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'
import type { Spooled } from '../../interpreter/workers/spool.ts'
import { unspooled } from '../../interpreter/workers/spool.ts'
import type { System } from '../../interpreter/platform.ts'

export class WorkerExchange implements Exchange {
  readonly system: System
  readonly #handover: Handover
  readonly #isGone: () => boolean
  readonly #send: (answer: Answer, awaitsEnd: boolean) => void
  readonly #ending: Array<() => void> = []
  #controller: AbortController | undefined = undefined
  readonly #streamEnds: Array<() => void> = []
  #left = false
  #answered = false
  #ended = false

  /** `isGone` may tell that the client has gone before a message does. */
  constructor(
    handover: Handover,
    system: System,
    isGone: () => boolean,
    send: (answer: Answer, awaitsEnd: boolean) => void,
  ) {
    this.system = system
    this.#handover = handover
    this.#isGone = isGone
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
  address(): string | undefined {
    return this.#handover.address
  }

  takeContent(_limit: SizeLimit, then: (content: Uint8Array | RequestFailure) => void): void {
    const { content } = this.#handover
    // who asks for it as a whole was given it so
    then(isSpooled(content) ? { _tag: 'InternalError' } : content)
  }

  takePieces(): AsyncIterableIterator<Uint8Array> | RequestFailure {
    const { content } = this.#handover
    if (!isSpooled(content)) return isFailure(content) ? content : once(content)
    const pieces = unspooled(content, this.system.files)
    // whoever does not read to the end need not say so, and the file is open
    this.onEnd(() => void pieces.return(undefined).catch(() => undefined))
    return pieces
  }

  signal(): AbortSignal {
    const controller = (this.#controller ??= watchful(new AbortController(), this.#isGone))
    if (this.#left) controller.abort()
    return controller.signal
  }

  onEnd(then: () => void): void {
    if (this.#ended) then()
    else this.#ending.push(then)
  }

  onStreamEnd(then: () => void): void {
    if (this.#left || this.#isGone()) then()
    else this.#streamEnds.push(then)
    this.onEnd(then)
  }

  answer(answer: Answer): void {
    if (this.#answered) return
    this.#answered = true
    // nobody tells of the end when nothing waits for it
    this.#ended ||= this.#ending.length === 0
    this.#send(answer, !this.#ended)
  }

  /** Nobody wants the rest of the content. */
  halfClose(): void {
    this.#left = true
    this.#controller?.abort()
    for (const then of this.#streamEnds.splice(0)) then()
  }

  /** The client has gone, or the answer was handed to the connection. */
  end(): void {
    this.#ended = true
    if (!this.#answered) this.#controller?.abort()
    for (const then of this.#ending.splice(0)) then()
  }
}

/** A signal that tells of an abort while no message can be received, because a handler computes and looks at it in between. */
const watchful = (controller: AbortController, isGone: () => boolean): AbortController => {
  const { signal } = controller
  let looked = false
  const isAborted = (): boolean => {
    if (!looked && isGone()) {
      looked = true
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

const isSpooled = (content: Handover['content']): content is Spooled =>
  '_tag' in content && content._tag === 'Spooled'

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  if (content.length > 0) yield content
}
