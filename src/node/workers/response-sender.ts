/** Sends responses from a worker to the main thread: as a whole, or the head first and then each chunk that is requested. */
import type { EncodedResponse } from '../../interpreter/exchange.ts'
import type { ChunkSource } from '../../interpreter/chunks.ts'
import { isChunkSource, isStreamed } from '../../interpreter/chunks.ts'
import type { PostMessage } from './messages.ts'

export class ResponseSender {
  readonly #post: PostMessage
  /** The bodies that are being sent, by job, with a callback for their cancellation. */
  readonly #bodies = new Map<
    number,
    { readonly chunks: ChunkSource; readonly onCancel: () => void }
  >()

  constructor(post: PostMessage) {
    this.#post = post
  }

  send(
    job: number,
    { status, headers, body: content }: EncodedResponse,
    awaitsEnd: boolean,
    onCancel: () => void,
  ): void {
    const head = { _tag: 'Response', job, status, headers, awaitsEnd } as const
    if (isChunkSource(content)) {
      this.#bodies.set(job, { chunks: content, onCancel })
      const chunked = { length: content.length, isFile: !isStreamed(content) }
      return this.#post({ ...head, content: undefined, chunked })
    }
    const bytes = transferableBytes(content)
    this.#post(
      { ...head, content: bytes, chunked: undefined },
      bytes === undefined ? [] : [bytes.buffer],
    )
  }

  /** Whether the body of a job has not been sent completely. */
  isSending(job: number): boolean {
    return this.#bodies.has(job)
  }

  /** Sends the next chunk of a body. */
  sendNextChunk(job: number): void {
    this.#bodies
      .get(job)
      ?.chunks.next()
      .then(
        ({ done, value }) => {
          // cancelled meanwhile
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
          this.#post({ _tag: 'BodyFailed', job, reason: String(error) })
        },
      )
  }

  /** Stops sending a body, because the client has disconnected. */
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

/** Copies bytes to a buffer of their own, which can be transferred. */
function transferableBytes(content: string | Uint8Array): Uint8Array<ArrayBuffer>
function transferableBytes(
  content: string | Uint8Array | undefined,
): Uint8Array<ArrayBuffer> | undefined
function transferableBytes(
  content: string | Uint8Array | undefined,
): Uint8Array<ArrayBuffer> | undefined {
  return content === undefined
    ? undefined
    : typeof content === 'string'
      ? encoder.encode(content)
      : new Uint8Array(content)
}
