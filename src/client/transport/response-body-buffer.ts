/** Buffers a response body that arrives in chunks, and applies back-pressure until the body is read. */
import { ByteCollector } from '../../http/byte-collector.ts'
import type { TimeLimit } from '../policy/timer.ts'
import type { BodyLimits, LazyBody } from '../response/lazy-response.ts'
import { tooLarge, ReadTimeout, idleTooLong } from '../response/lazy-response.ts'

/** Connection that delivers a body. */
export interface BodyConnection {
  /** Called when more chunks are needed. */
  readonly resume: () => void
  /** Called when the rest of the body is no longer needed. Any further events from the connection are ignored. */
  readonly close: () => void
  /** Called when the whole body has been read. */
  readonly onRead: () => void
}

/** Receives chunks and other events from the connection while the body is being read. */
interface ChunkConsumer {
  /** Called with each chunk. Returns `false` if the connection should be paused. */
  readonly add: (chunk: Uint8Array) => boolean
  readonly end: () => void
  readonly fail: (error: unknown) => void
}

/** Number of buffered bytes at which the connection is paused. */
const highWaterMark = 64 * 1024

/** A response body whose chunks are buffered until they are read. */
export class ResponseBodyBuffer implements LazyBody {
  readonly #connection: BodyConnection
  #chunks: Uint8Array[] = []
  /**
   * Index of the first unread chunk. `shift` is not used, because it would move all remaining chunks, of which there
   * can be thousands.
   */
  #firstIndex = 0
  /** Number of buffered bytes. */
  #length = 0
  #isComplete = false
  #failure: { readonly error: unknown } | undefined = undefined
  #consumer: ChunkConsumer | undefined = undefined

  constructor(connection: BodyConnection) {
    this.#connection = connection
  }

  /** Adds a chunk. Returns `false` if the connection should be paused. */
  add(chunk: Uint8Array): boolean {
    return this.#consumer === undefined ? this.#buffer(chunk) : this.#consumer.add(chunk)
  }

  end(): void {
    this.#isComplete = true
    this.#consumer?.end()
  }

  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#consumer?.fail(error)
  }

  /** Discards the body without closing the connection. */
  ignore(): void {
    this.#consumer = { ...discardingConsumer, end: () => this.#connection.onRead() }
  }

  readAll({ maxBytes: limit, timeout }: BodyLimits): Promise<Uint8Array> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error)
    if (this.#length > limit) {
      this.#close()
      return Promise.reject(tooLarge)
    }
    // most bodies are complete when the response headers are processed
    return this.#isComplete ? Promise.resolve(this.#takeAll()) : this.#collect(limit, timeout)
  }

  #collect(limit: number, timeout: TimeLimit | undefined): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const abort = (reason: symbol): void => {
        readTimeout?.stop()
        this.#close()
        reject(reason)
      }
      const readTimeout =
        timeout === undefined ? undefined : new ReadTimeout(timeout, () => abort(idleTooLong))
      const collector = this.#takeChunks()
      this.#consumer = {
        add: (chunk) => {
          readTimeout?.restart()
          collector.add(chunk)
          if (collector.length > limit) abort(tooLarge)
          return true
        },
        end: () => {
          readTimeout?.stop()
          this.#connection.onRead()
          resolve(collector.take())
        },
        fail: (error) => {
          readTimeout?.stop()
          reject(error)
        },
      }
      this.#connection.resume()
    })
  }

  /**
   * Opens a stream that reads chunks on demand. The stream fails as soon as the connection fails. Cancelling the stream
   * closes the connection.
   */
  open(): ReadableStream<Uint8Array> {
    let onArrival = nothing
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          if (this.#failure !== undefined) return controller.error(this.#failure.error)
          const close = (): void => {
            controller.close()
            this.#connection.onRead()
          }
          this.#consumer = {
            add: (chunk) => {
              const hasRoom = this.#buffer(chunk)
              onArrival()
              return hasRoom
            },
            end: () => {
              if (this.#chunks.length === 0) close()
              onArrival()
            },
            fail: (error) => {
              controller.error(error)
              onArrival()
            },
          }
          if (this.#isComplete && this.#chunks.length === 0) close()
        },
        pull: async (controller) => {
          if (this.#chunks.length === 0)
            await new Promise<void>((resolve) => {
              onArrival = resolve
              // `resume` can add a chunk synchronously
              this.#connection.resume()
            })
          const chunk = this.#shift()
          if (chunk === undefined || this.#failure !== undefined) return
          this.#length -= chunk.length
          controller.enqueue(new Uint8Array(chunk))
          if (!this.#isComplete || this.#chunks.length > 0) return
          controller.close()
          this.#connection.onRead()
        },
        cancel: () => this.#close(),
      },
      { highWaterMark: 0 },
    )
  }

  #buffer(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    return this.#length < highWaterMark
  }

  /** Removes and returns the first chunk. Clears `#chunks` after the last chunk has been removed. */
  #shift(): Uint8Array | undefined {
    const chunk = this.#chunks[this.#firstIndex++]
    if (this.#firstIndex >= this.#chunks.length) this.#clear()
    else if (this.#firstIndex >= 1024 && this.#firstIndex * 2 >= this.#chunks.length) {
      this.#chunks = this.#chunks.slice(this.#firstIndex)
      this.#firstIndex = 0
    }
    return chunk
  }

  #clear(): void {
    this.#chunks = []
    this.#firstIndex = 0
  }

  #takeChunks(): ByteCollector {
    const collector = new ByteCollector()
    for (const chunk of this.#chunks) collector.add(chunk)
    this.#clear()
    return collector
  }

  #takeAll(): Uint8Array {
    this.#connection.onRead()
    const [only] = this.#chunks
    if (only === undefined || this.#chunks.length > 1) return this.#takeChunks().take()
    this.#clear()
    return only
  }

  #close(): void {
    this.#consumer = discardingConsumer
    this.#clear()
    this.#connection.close()
  }
}

const nothing = (): void => undefined

const discardingConsumer: ChunkConsumer = { add: () => true, end: nothing, fail: nothing }
