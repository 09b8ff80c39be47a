/** Reads event streams, and reconnects when they end or fail if the caller has enabled it. */
import * as E from 'fp-ts/lib/Either.js'
import type { ReceivedEvent } from '../../endpoint/sse.ts'
import { EventStreamReader } from '../../http/event-stream-reader.ts'
import { CallFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import type { AnyAnswer } from '../decoded-response.ts'
import { transportError } from '../error-factories.ts'
import { onAbort } from '../on-abort.ts'
import type { DecodeEventData } from './event-data.ts'
import type { Reconnector } from './reconnect.ts'
import { parseReconnectDelay, startDelay } from './reconnect.ts'
import type {
  ChunkReader,
  ReceivedResponse,
  ResponseIterator,
  ResponseToRead,
} from './response-stream.ts'
import { createReadErrors, readChunks, responseIterator, toCallFailed } from './response-stream.ts'

type Event = ReceivedEvent<unknown>

/** Reads the events of a response and, with a reconnector, of the responses that continue the stream. */
export const readEvents = (
  source: ResponseToRead,
  decode: DecodeEventData,
  reconnector: Reconnector | undefined,
): ResponseIterator<Event> => {
  const connection = new EventConnection(source, reconnector)
  return responseIterator(connection.events(decode), connection)
}

class EventConnection {
  readonly #source: ResponseToRead
  readonly #reconnector: Reconnector | undefined
  /** Aborts reconnecting when the iteration ends. */
  readonly #closing = new AbortController()
  #chunks: ChunkReader
  #reader = new EventStreamReader()
  /** Delay before the next attempt in milliseconds. */
  #delay: number
  /** Number of consecutive attempts without an event. */
  #attempts = 0
  #stopDelay = (): void => undefined

  constructor(source: ResponseToRead, reconnector: Reconnector | undefined) {
    this.#source = source
    this.#reconnector = reconnector
    this.#chunks = readChunks(source)
    const delay = parseReconnectDelay(reconnector?.options)
    this.#delay = E.isRight(delay) ? delay.right : 0
  }

  close(): void {
    this.#closing.abort()
    this.#stopDelay()
    this.#chunks.close()
  }

  async *events(decode: DecodeEventData): AsyncGenerator<Event, undefined> {
    for (;;) {
      let failure: unknown
      try {
        yield* this.#readConnection(decode)
      } catch (error) {
        if (!isRecoverable(error)) throw error
        failure = error
      }
      if (!(await this.#reconnect(failure))) return undefined
    }
  }

  /** Reads the events of the current connection. */
  async *#readConnection(decode: DecodeEventData): AsyncGenerator<Event, undefined> {
    const reader = this.#reader
    const { invalid, tooLarge } = createReadErrors(this.#source)
    // the reader removes the byte order mark at the beginning of the stream
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    for await (const chunk of this.#chunks) {
      const text = decoder.decode(chunk, { stream: true })
      for (const { name, id, data, comment } of reader.push(text)) {
        const value = decode(data)
        if (E.isLeft(value)) throw invalid(value.left)
        this.#attempts = 0
        yield { data: value.right, name, id, ...(comment === undefined ? {} : { comment }) }
      }
      if (reader.size > this.#source.limit) throw tooLarge()
    }
  }

  /**
   * Opens the next connection. Resolves to `false` if there is none. Throws the error of the last attempt, or `failure` if no attempt is
   * allowed.
   */
  async #reconnect(failure: unknown): Promise<boolean> {
    const reconnector = this.#reconnector
    const maxAttempts = reconnector === undefined ? 0 : (reconnector.options.times ?? Infinity)
    let lastFailure = failure
    for (; this.#attempts < maxAttempts; this.#attempts++) {
      this.#delay = this.#reader.retry ?? this.#delay
      const result = await this.#connect()
      if (this.#closing.signal.aborted) return false
      if (E.isRight(result)) {
        if (result.right === undefined) return false
        this.#attempts++
        this.#chunks = readChunks(result.right)
        this.#reader = new EventStreamReader(this.#reader.lastEventId)
        return true
      }
      lastFailure = toCallFailed(this.#source, result.left)
      if (!isRecoverable(lastFailure)) throw lastFailure
    }
    if (lastFailure !== undefined) throw lastFailure
    return false
  }

  /** Waits for the delay and sends the request again. The signal of the call and `close` interrupt both. */
  async #connect(): Promise<E.Either<ClientError | AnyAnswer, ReceivedResponse | undefined>> {
    const { signal, operation } = this.#source
    const delay = startDelay(this.#delay)
    this.#stopDelay = delay.stop
    const controller = new AbortController()
    const interrupt = (): void => {
      delay.stop()
      controller.abort(signal?.reason)
    }
    const { signal: closing } = this.#closing
    const releases = [signal, closing].map((parent) => onAbort(parent, () => interrupt()))
    try {
      if (signal?.aborted === true) interrupt()
      await delay.ended
      if (signal?.aborted === true || closing.aborted)
        return E.left(transportError(operation, undefined, signal ?? closing))
      const result = await this.#reconnector?.connect(this.#reader.lastEventId, controller.signal)
      if (result === undefined) return E.right(undefined)
      // closed while connecting: nothing reads this response
      if (closing.aborted && E.isRight(result) && result.right !== undefined)
        readChunks(result.right).close()
      return result
    } finally {
      for (const release of releases) release()
    }
  }
}

/** Whether the connection failed or could not be opened, so that another attempt may succeed. */
const isRecoverable = (error: unknown): boolean =>
  error instanceof CallFailed &&
  '_tag' in error.failure &&
  ['NetworkError', 'TimedOut', 'Refused'].includes(error.failure._tag)
