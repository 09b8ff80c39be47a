/** Reads event streams. If `reconnect` is set, reconnects when a stream ends or fails. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { BodyOptions } from '../../body/body-plan.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import type { ReadBody, ReadResult } from '../../body/decode-body.ts'
import { whenRead } from '../../body/decode-body.ts'
import { readText } from '../../body/read-text.ts'
import { eventDataFormat } from '../../codec/event-data.ts'
import type { EventData } from '../../endpoint/representation.ts'
import * as MediaType from '../../http/media-type.ts'
import { bodyReader, jsonReader } from './built-in-reader.ts'
import type { ReceivedEvent } from '../../endpoint/sse.ts'
import { EventStreamReader } from '../../http/event-stream-reader.ts'
import { isCallFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import type { AnyDecodedResponse } from '../decoded-response.ts'
import { transportError } from '../error-factories.ts'
import { onAbort } from '../timer.ts'
import { parseReconnectDelay } from '../call-options.ts'
import type { Reconnector } from '../stream/reconnector.ts'
import { ReconnectDelay, startDelay } from '../stream/reconnector.ts'
import type {
  ChunkReader,
  ReceivedResponse,
  ResponseIterator,
  ResponseToRead,
} from '../stream/response-stream.ts'
import {
  createReadErrors,
  readChunks,
  responseIterator,
  toCallFailed,
} from '../stream/response-stream.ts'
import { isPromise } from '../../http/platform-value.ts'

/** Decodes the data of an event. */
export type DecodeEventData = (text: string) => ReadResult

const encoder = new TextEncoder()

/**
 * Media type of event data, which is always text. The media type ensures that empty data is decoded as an empty string.
 */
const plainText = O.toUndefined(MediaType.parse('text/plain'))

/** Creates a decoder for event data. Returns `undefined` if the client cannot read the representation. */
export const eventDataDecoder = (
  data: EventData,
  declared: BodyOptions,
  defaults: JsonSettings,
): DecodeEventData | undefined => {
  const decode =
    data._tag === 'Codec'
      ? codecDecoder(data, declared, defaults)
      : representationDecoder(data, declared, defaults)
  return decode === undefined ? undefined : (text) => decode(encoder.encode(text), plainText)
}

const representationDecoder = (
  data: Exclude<EventData, { readonly _tag: 'Codec' }>,
  declared: BodyOptions,
  defaults: JsonSettings,
): ReadBody | undefined => {
  const [plan] = bodyPlans([data], [], declared)
  return plan === undefined ? undefined : bodyReader(plan, defaults)
}

/** Creates a decoder for event data. If the data can be text or JSON, the decoder tries text first. */
const codecDecoder = (
  { codec }: Extract<EventData, { readonly _tag: 'Codec' }>,
  declared: BodyOptions,
  defaults: JsonSettings,
): ReadBody => {
  const decodeJson = jsonReader(codec, declared, defaults)
  const decodeText = readText(codec)
  switch (eventDataFormat(codec)) {
    case 'text':
      return decodeText
    case 'json':
      return decodeJson
    case 'textOrJson':
      return (bytes, mediaType) =>
        whenRead(decodeText(bytes, mediaType), (value) =>
          E.isRight(value) ? value : decodeJson(bytes, mediaType),
        )
  }
}

type Event = ReceivedEvent<unknown>

/** Reads the events in a response. If `reconnector` is set, continues with the responses that resume the stream. */
export const readEvents = (
  source: ResponseToRead,
  decode: DecodeEventData,
  reconnector: Reconnector | undefined,
): ResponseIterator<Event> => {
  const connection = new EventConnection(source, reconnector)
  return responseIterator(connection.events(decode), connection)
}

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

  /** Reads events from the current connection. */
  async *#readConnection(decode: DecodeEventData): AsyncGenerator<Event, undefined> {
    const reader = this.#reader
    const { invalid, tooLarge } = createReadErrors(this.#source)
    // the reader removes the byte order mark at the beginning of the stream
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    for await (const chunk of this.#chunks) {
      const text = decoder.decode(chunk, { stream: true })
      for (const { name, id, data, comment } of reader.push(text)) {
        const result = decode(data)
        const value = isPromise(result) ? await result : result
        if (E.isLeft(value)) throw invalid(value.left)
        this.#attempts = 0
        this.#delay.onEvent()
        yield { data: value.right, name, id, ...(comment === undefined ? {} : { comment }) }
      }
      if (reader.size > this.#source.limit) throw tooLarge()
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
