/** Reads event streams. If `reconnect` is set, reconnects when a stream ends or fails. */
import * as E from 'fp-ts/lib/Either.js'
import type { StreamFormat, StreamReadOptions } from '../../body/stream/stream-format.ts'
import { EventStreamReader } from '../../http/event-stream-reader.ts'
import { isCallFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import type { AnyDecodedResponse } from '../decoded-response.ts'
import { transportError } from '../error-factories.ts'
import { onAbort } from '../policy/timer.ts'
import { parseReconnectDelay } from '../call-options.ts'
import type { Reconnector } from './reconnector.ts'
import { ReconnectDelay, startDelay } from './reconnector.ts'
import type {
  ChunkReader,
  ReceivedResponse,
  ResponseIterator,
  ResponseToRead,
} from './response-stream.ts'
import { readChunks, responseIterator, toCallFailed } from './response-stream.ts'

/** Reads the events in a response. If `reconnector` is set, continues with the responses that resume the stream. */
export const readEvents = (
  source: ResponseToRead,
  read: StreamFormat['read'],
  options: StreamReadOptions,
  reconnector: Reconnector | undefined,
): ResponseIterator<unknown> => {
  const connection = new EventConnection(source, reconnector)
  return responseIterator(
    connection.events((chunks, events) => read(chunks, { ...options, events })),
    connection,
  )
}

type ReadConnection = (
  chunks: AsyncIterable<Uint8Array>,
  events: EventStreamReader,
) => ReturnType<StreamFormat['read']>

/** Manages the successive connections of an event stream. */
class EventConnection {
  readonly #source: ResponseToRead
  readonly #reconnector: Reconnector | undefined
  /** Aborts a pending reconnection when the iteration ends. */
  readonly #closing = new AbortController()
  #chunks: ChunkReader
  #reader = new EventStreamReader()
  readonly #delay: ReconnectDelay
  /** Delay in milliseconds that the most recent connection with a `retry` field has set. */
  #retry: number | undefined = undefined
  /** Number of consecutive attempts that received no event. */
  #attempts = 0
  #stopDelay = (): void => undefined

  constructor(source: ResponseToRead, reconnector: Reconnector | undefined) {
    this.#source = source
    this.#reconnector = reconnector
    this.#chunks = readChunks(source)
    const delay = parseReconnectDelay(reconnector?.options)
    this.#delay = new ReconnectDelay(E.isRight(delay) ? delay.right : 0)
  }

  close(): void {
    this.#closing.abort()
    this.#stopDelay()
    this.#chunks.close()
  }

  async *events(read: ReadConnection): AsyncGenerator<unknown, undefined> {
    for (;;) {
      let failure: unknown
      try {
        yield* this.#readConnection(read)
      } catch (error) {
        if (!isRecoverable(error)) throw error
        failure = error
      }
      if (!(await this.#reconnect(failure))) return undefined
    }
  }

  /** Reads events from the current connection. */
  async *#readConnection(read: ReadConnection): AsyncGenerator<unknown, undefined> {
    const events = read(this.#chunks, this.#reader)
    if (E.isLeft(events)) return
    for await (const event of events.right) {
      this.#attempts = 0
      this.#delay.onEvent()
      yield event
    }
  }

  /**
   * Opens the next connection. Resolves to `true` if a connection is open, and to `false` if the iteration should end.
   * Rejects with the error from the last attempt, or with `failure` if no attempt is allowed.
   */
  async #reconnect(failure: unknown): Promise<boolean> {
    const reconnector = this.#reconnector
    const maxAttempts = reconnector === undefined ? 0 : (reconnector.options.times ?? Infinity)
    let lastFailure = failure
    for (; this.#attempts < maxAttempts; this.#attempts++) {
      this.#retry = this.#reader.retry ?? this.#retry
      const result = await this.#connect()
      if (this.#closing.signal.aborted) return false
      if (E.isRight(result)) {
        if (result.right === undefined) return false
        this.#attempts++
        this.#delay.onConnection()
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

  /**
   * Waits for the delay, and then sends the request again. Aborting the call or calling `close` interrupts either step.
   */
  async #connect(): Promise<
    E.Either<ClientError | AnyDecodedResponse, ReceivedResponse | undefined>
  > {
    const { signal, operation } = this.#source
    const delay = startDelay(this.#delay.next(this.#retry))
    this.#stopDelay = delay.stop
    const controller = new AbortController()
    const interrupt = (): void => {
      delay.stop()
      controller.abort(signal?.reason)
    }
    const { signal: closing } = this.#closing
    const releases = [signal, closing].map((parent) => onAbort(parent, () => interrupt()))
    try {
      if (signal?.aborted === true || closing.aborted) interrupt()
      await delay.ended
      if (signal?.aborted === true || closing.aborted)
        return E.left(transportError(operation, undefined, signal ?? closing))
      const result = await this.#reconnector?.connect(this.#reader.lastEventId, controller.signal)
      if (result === undefined) return E.right(undefined)
      // the stream was closed while connecting, so this response has no reader
      if (closing.aborted && E.isRight(result) && result.right !== undefined)
        readChunks(result.right).close()
      return result
    } finally {
      for (const release of releases) release()
    }
  }
}

/**
 * Whether an error indicates that the connection failed or could not be opened. After such an error, another attempt
 * might succeed.
 */
const isRecoverable = (error: unknown): boolean =>
  isCallFailed(error) &&
  '_tag' in error.failure &&
  ['NetworkError', 'TimedOut', 'Rejected'].includes(error.failure._tag)
