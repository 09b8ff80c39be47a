/** Reads an event stream, and goes on with another connection where it has ended or broken off and the caller wants that. */
import * as E from 'fp-ts/lib/Either.js'
import type { ReceivedEvent } from '../../endpoint/sse.ts'
import { EventStreamReader } from '../../http/event-stream-reader.ts'
import type { AnyAnswer } from '../decoded-response.ts'
import { CallFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import * as Failing from '../error-factories.ts'
import { onAbort } from '../on-abort.ts'
import type { ReadData } from './event-data.ts'
import type { Incoming, Received, Responding, Source } from './response-stream.ts'
import { errorOf, errorsOf, incoming, received } from './response-stream.ts'
import type { Reconnect } from './reconnect.ts'
import { delayOf, waiting } from './reconnect.ts'

/** How the stream is asked for again. */
export interface Again {
  readonly reconnect: Reconnect
  /** Sends the call anew; `undefined` when the service says that there is nothing more. */
  readonly connect: (
    lastEventId: string,
    signal: AbortSignal,
  ) => Promise<E.Either<ClientError | AnyAnswer, Responding | undefined>>
}

type Event = ReceivedEvent<unknown>

/** The events of a stream. */
export const events = (
  source: Source,
  read: ReadData,
  again: Again | undefined,
): Received<Event> => {
  const connection = new Connection(source, again)
  return received(connection.events(read), connection)
}

class Connection {
  readonly #source: Source
  readonly #again: Again | undefined
  /** Ends what is sent anew. */
  readonly #leaving = new AbortController()
  #octets: Incoming
  #reader = new EventStreamReader()
  #delay: number
  #tries = 0
  #stop = (): void => undefined

  constructor(source: Source, again: Again | undefined) {
    this.#source = source
    this.#again = again
    this.#octets = incoming(source)
    const delay = delayOf(again?.reconnect)
    this.#delay = E.isRight(delay) ? delay.right : 0
  }

  leave(): void {
    this.#leaving.abort()
    this.#stop()
    this.#octets.leave()
  }

  async *events(read: ReadData): AsyncGenerator<Event, undefined> {
    for (;;) {
      let failure: unknown
      try {
        yield* this.#ofOctets(read)
      } catch (error) {
        if (!isLost(error)) throw error
        failure = error
      }
      if (!(await this.#comesBack(failure))) return undefined
    }
  }

  /** The events of one connection. */
  async *#ofOctets(read: ReadData): AsyncGenerator<Event, undefined> {
    const reader = this.#reader
    const { unread, tooLarge } = errorsOf(this.#source)
    // the reader takes off the one mark that may stand in front
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    for await (const piece of this.#octets) {
      for (const { name, id, data, comment } of reader.push(
        decoder.decode(piece, { stream: true }),
      )) {
        const value = read(data)
        if (E.isLeft(value)) throw unread(value.left)
        this.#tries = 0
        yield { data: value.right, name, id, ...(comment === undefined ? {} : { comment }) }
      }
      if (reader.size > this.#source.limit) throw tooLarge()
    }
  }

  /** Whether there is another connection. Throws what the last one, or the last try, failed with when there is none. */
  async #comesBack(failure: unknown): Promise<boolean> {
    const again = this.#again
    const most = again === undefined ? 0 : (again.reconnect.times ?? Infinity)
    let last = failure
    for (; this.#tries < most; this.#tries++) {
      this.#delay = this.#reader.retry ?? this.#delay
      const result = await this.#connected()
      if (this.#leaving.signal.aborted) return false
      if (E.isRight(result)) {
        if (result.right === undefined) return false
        this.#tries++
        this.#octets = incoming(result.right)
        this.#reader = new EventStreamReader(this.#reader.lastEventId)
        return true
      }
      last = errorOf(this.#source, result.left)
      if (!isLost(last)) throw last
    }
    if (last !== undefined) throw last
    return false
  }

  /** Waits, and asks again. The signal of the call ends both. */
  async #connected(): Promise<E.Either<ClientError | AnyAnswer, Responding | undefined>> {
    const { signal, operation } = this.#source
    const wait = waiting(this.#delay)
    this.#stop = wait.stop
    const abort = new AbortController()
    const end = (): void => {
      wait.stop()
      abort.abort(signal?.reason)
    }
    const { signal: leaving } = this.#leaving
    const releases = [signal, leaving].map((one) => onAbort(one, () => end()))
    try {
      if (signal?.aborted === true) end()
      await wait.over
      if (signal?.aborted === true || leaving.aborted)
        return E.left(Failing.brokenOff(operation, undefined, signal ?? leaving))
      const result = await this.#again?.connect(this.#reader.lastEventId, abort.signal)
      if (result === undefined) return E.right(undefined)
      // nobody is there any more to read it
      if (leaving.aborted && E.isRight(result) && result.right !== undefined)
        incoming(result.right).leave()
      return result
    } finally {
      for (const release of releases) release()
    }
  }
}

/** Whether a connection was lost, or none was made: what another try may mend. */
const isLost = (error: unknown): boolean =>
  error instanceof CallFailed &&
  '_tag' in error.failure &&
  ['NetworkError', 'TimedOut', 'Refused'].includes(error.failure._tag)
