/** Sends answers from a worker: whole, or the head, and then a piece whenever one is asked for. */
import type { Answer } from '../../interpreter/exchange.ts'
import type { Pieces } from '../../interpreter/chunks.ts'
import { isPieces, isStream } from '../../interpreter/chunks.ts'
import type { PostMessage } from './messages.ts'

export class ResponseSender {
  readonly #say: PostMessage
  /** The bodies that are being sent, by job, and what to call when one is cancelled. */
  readonly #streams = new Map<number, { readonly pieces: Pieces; readonly onCancel: () => void }>()

  constructor(say: PostMessage) {
    this.#say = say
  }

  send(
    job: number,
    { status, headers, content }: Answer,
    awaitsEnd: boolean,
    onCancel: () => void,
  ): void {
    const head = { _tag: 'Answered', job, status, headers, awaitsEnd } as const
    if (isPieces(content)) {
      this.#streams.set(job, { pieces: content, onCancel })
      const pieces = { length: content.length, isFile: !isStream(content) }
      return this.#say({ ...head, content: undefined, pieces })
    }
    const octets = octetsOf(content)
    this.#say(
      { ...head, content: octets, pieces: undefined },
      octets === undefined ? [] : [octets.buffer],
    )
  }

  /** Whether a content is not at its end. */
  isSending(job: number): boolean {
    return this.#streams.has(job)
  }

  /** Sends the next piece of a content. */
  sendNextChunk(job: number): void {
    const stream = this.#streams.get(job)
    stream?.pieces.next().then(
      ({ done, value }) => {
        // it was cancelled meanwhile
        if (!this.#streams.has(job)) return
        if (done !== true) {
          const octets = octetsOf(value)
          return this.#say({ _tag: 'Piece', job, octets }, [octets.buffer])
        }
        this.#close(job)
        this.#say({ _tag: 'Piece', job, octets: undefined })
      },
      (error: unknown) => {
        if (!this.#streams.has(job)) return
        this.#close(job)
        this.#say({ _tag: 'Broken', job, reason: String(error) })
      },
    )
  }

  /** Stops sending a body, because the client has disconnected. */
  cancel(job: number): void {
    this.#streams.get(job)?.onCancel()
    this.#close(job)
    this.#say({ _tag: 'Cancelled', job })
  }

  #close(job: number): void {
    this.#streams.get(job)?.pieces.close()
    this.#streams.delete(job)
  }
}

const encoder = new TextEncoder()

/** Octets in memory of their own, which can be handed over. */
function octetsOf(content: string | Uint8Array): Uint8Array<ArrayBuffer>
function octetsOf(content: string | Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined
function octetsOf(content: string | Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined {
  return content === undefined
    ? undefined
    : typeof content === 'string'
      ? encoder.encode(content)
      : new Uint8Array(content)
}
