/**
 * The content of a request, taken piece by piece. Nothing is asked of the client before it is asked for here. Then what comes
 * may wait for a while, because to stop and start a connection takes longer than a piece does: of an upload of 1 MB, it was a sixth.
 */
import type { RequestFailure } from '../../http/failure.ts'
import { tooLarge } from '../../interpreter/request-body/too-large.ts'
import type { Intake } from '../../interpreter/request-body/body-stream.ts'
import type { Reservation } from '../../interpreter/request-body/memory-reservation.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'
import { unread } from '../../interpreter/errors/unread.ts'
import { releaseMemory } from './release-memory.ts'
import type { IncomingRequest } from './incoming-request.ts'

/** Octets that may wait until they are asked for. */
const most = 256 * 1024

/** Bytes that an array takes in addition to its own: a client may send chunks of one byte. */
const perArray = 256

type Result = IteratorResult<Uint8Array, undefined>

interface Waiting {
  readonly give: (result: Result) => void
  readonly refuse: (error: unknown) => void
}

export class RequestBodyStream implements Intake {
  readonly #request: IncomingRequest
  readonly #limit: SizeLimit
  readonly #begin: () => void
  readonly #reservation: Reservation
  readonly #waiting: Waiting[] = []
  #held: Uint8Array[] = []
  /** Bytes of memory that the held chunks take. */
  #heldSize = 0
  #octets = 0
  #hasBegun = false
  #isOver = false
  /** What went wrong while nobody waited. */
  #failure: Error | undefined = undefined

  /** `begin` is called before the first octet is asked for. */
  constructor(
    request: IncomingRequest,
    limit: SizeLimit,
    begin: () => void,
    reservation: Reservation,
  ) {
    this.#request = request
    this.#limit = limit
    this.#begin = begin
    this.#reservation = reservation
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result> {
    const piece = this.#held.shift()
    if (piece !== undefined) {
      this.#hold(-piece.length - perArray)
      if (!this.#isOver && this.#hasRoom) this.#request.resume()
      return Promise.resolve({ done: false, value: piece })
    }
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) return Promise.reject(failure)
    if (this.#isOver) return Promise.resolve(done)
    return new Promise((give, refuse) => {
      this.#waiting.push({ give, refuse })
      this.#start()
      this.#request.resume()
    })
  }

  free(piece: Uint8Array): void {
    // an application that listens too may keep what it hears
    if (this.#request.listenerCount('data') === (this.#isOver ? 0 : 1)) releaseMemory(piece)
  }

  /** What has not been asked for stays where it is. */
  return(): Promise<Result> {
    this.#drop()
    if (!this.#isOver) {
      this.#end()
      if (this.#hasBegun) this.#request.pause()
    }
    return Promise.resolve(done)
  }

  /**
   * The request is answered: the rest is dropped, so that it does not stand in front of the next request. Whoever still waits
   * is told why nothing comes.
   */
  discard(failure: RequestFailure | undefined): void {
    this.#drop()
    if (!this.#isOver)
      this.#end(failure === undefined ? gone('the request was answered') : unread(failure))
    // what was never begun, Node drops itself
    if (this.#hasBegun) this.#request.resume()
  }

  #start(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    const request = this.#request
    this.#begin()
    if (request.readableEnded) return this.#ended()
    if (request.destroyed) return this.#closed()
    request.on('data', this.#came)
    request.on('end', this.#ended)
    request.on('close', this.#closed)
  }

  readonly #came = (piece: Uint8Array): void => {
    this.#octets += piece.length
    if (this.#octets > this.#limit.bytes) {
      this.#end(unread(tooLarge(this.#limit)))
      this.#request.pause()
      return
    }
    const first = this.#waiting.shift()
    if (first !== undefined) return first.give({ done: false, value: piece })
    this.#held.push(piece)
    this.#hold(piece.length + perArray)
    if (!this.#hasRoom) this.#request.pause()
  }

  /**
   * Whether more may be held before it is asked for. Without free body memory, the next chunk is received when the reader has
   * taken the held ones; it depends on no other exchange, so nothing can wait forever.
   */
  get #hasRoom(): boolean {
    return this.#heldSize === 0 || (this.#heldSize < most && !this.#reservation.isFull)
  }

  #hold(size: number): void {
    this.#heldSize += size
    if (size > 0) this.#reservation.keep(size)
    else this.#reservation.drop(-size)
  }

  /** Nobody asks any more. */
  #drop(): void {
    this.#held = []
    this.#hold(-this.#heldSize)
  }

  readonly #ended = (): void => this.#end()

  readonly #closed = (): void => this.#end(gone('the client has gone'))

  /** The first that waits, or asks next, is told of an error; there is nothing for the others. */
  #end(error?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    const request = this.#request
    request.off('data', this.#came)
    request.off('end', this.#ended)
    request.off('close', this.#closed)
    const first = error === undefined ? undefined : this.#waiting.shift()
    if (first === undefined) this.#failure = error
    else first.refuse(error)
    for (const { give } of this.#waiting.splice(0)) give(done)
  }
}

/** The content of a request that has none. */
export async function* emptyBodyStream(begin: () => void): AsyncGenerator<Uint8Array, undefined> {
  begin()
  yield* []
}

const done: Result = { done: true, value: undefined }

const gone = (message: string): Error =>
  Object.assign(new Error(message), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
