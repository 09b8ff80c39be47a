/**
 * A content that comes by itself, piece by piece. Until somebody takes it, and where it is taken slowly, some of it is held, and then
 * its source is told to wait.
 */
import type { Limit } from '../policy/limit.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import { Silence, tooSilent } from '../response/read-timeout.ts'
import type { Content, WholeLimits } from '../response/lazy-response.ts'
import { tooMany } from '../response/lazy-response.ts'

/** Where it comes from. */
export interface Inlet {
  /** Somebody wants more. */
  readonly resume: () => void
  /** Nobody wants more. What it says of its end behind this is not heard. */
  readonly leave: () => void
  /** All of it was taken. */
  readonly taken: () => void
}

interface Taker {
  /** Whether another one may come now. */
  readonly piece: (octets: Uint8Array) => boolean
  readonly end: () => void
  readonly fail: (error: unknown) => void
}

/** Octets that are held before the source has to wait. */
const mostHeld = 64 * 1024

export class Inflow implements Content {
  readonly #inlet: Inlet
  #held: Uint8Array[] = []
  /** Where the first piece is that was not taken: `shift` moves all others, which may be thousands. */
  #first = 0
  /** Octets of what is held. */
  #length = 0
  #isWhole = false
  #broken: { readonly error: unknown } | undefined = undefined
  #taker: Taker | undefined = undefined

  constructor(inlet: Inlet) {
    this.#inlet = inlet
  }

  /** Whether another one may come now. */
  piece(octets: Uint8Array): boolean {
    return this.#taker === undefined ? this.#hold(octets) : this.#taker.piece(octets)
  }

  end(): void {
    this.#isWhole = true
    this.#taker?.end()
  }

  fail(error: unknown): void {
    this.#broken ??= { error }
    this.#taker?.fail(error)
  }

  /** Nobody will take it, and it may come to its end. */
  ignore(): void {
    this.#taker = { ...deaf, end: () => this.#inlet.taken() }
  }

  whole({ octets, timeout }: WholeLimits): Promise<Uint8Array> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken.error)
    if (this.#length > octets) {
      this.#leave()
      return Promise.reject(tooMany)
    }
    // most contents are there as soon as their head is
    return this.#isWhole ? Promise.resolve(this.#taken()) : this.#gathered(octets, timeout)
  }

  #gathered(most: number, timeout: Limit | undefined): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const leave = (reason: symbol): void => {
        silence?.end()
        this.#leave()
        reject(reason)
      }
      const silence =
        timeout === undefined ? undefined : new Silence(timeout, () => leave(tooSilent))
      const pieces = this.#collected()
      this.#taker = {
        piece: (octets) => {
          silence?.heard()
          pieces.add(octets)
          if (pieces.length > most) leave(tooMany)
          return true
        },
        end: () => {
          silence?.end()
          this.#inlet.taken()
          resolve(pieces.take())
        },
        fail: (error) => {
          silence?.end()
          reject(error)
        },
      }
      this.#inlet.resume()
    })
  }

  /** A piece is taken when somebody wants it; who wants no more ends the connection. It breaks off while nobody reads, too. */
  open(): ReadableStream<Uint8Array> {
    let arrived = nothing
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          if (this.#broken !== undefined) return controller.error(this.#broken.error)
          const close = (): void => {
            controller.close()
            this.#inlet.taken()
          }
          this.#taker = {
            piece: (octets) => {
              const mayGoOn = this.#hold(octets)
              arrived()
              return mayGoOn
            },
            end: () => {
              if (this.#held.length === 0) close()
              arrived()
            },
            fail: (error) => {
              controller.error(error)
              arrived()
            },
          }
          if (this.#isWhole && this.#held.length === 0) close()
        },
        pull: async (controller) => {
          if (this.#held.length === 0)
            await new Promise<void>((resolve) => {
              arrived = resolve
              // which may bring one at once
              this.#inlet.resume()
            })
          const piece = this.#next()
          if (piece === undefined || this.#broken !== undefined) return
          this.#length -= piece.length
          controller.enqueue(new Uint8Array(piece))
          if (!this.#isWhole || this.#held.length > 0) return
          controller.close()
          this.#inlet.taken()
        },
        cancel: () => this.#leave(),
      },
      { highWaterMark: 0 },
    )
  }

  #hold(octets: Uint8Array): boolean {
    this.#held.push(octets)
    this.#length += octets.length
    return this.#length < mostHeld
  }

  /** The next piece; what is held is empty when all pieces were taken. */
  #next(): Uint8Array | undefined {
    const piece = this.#held[this.#first++]
    if (this.#first >= this.#held.length) this.#clear()
    else if (this.#first >= 1024 && this.#first * 2 >= this.#held.length) {
      this.#held = this.#held.slice(this.#first)
      this.#first = 0
    }
    return piece
  }

  #clear(): void {
    this.#held = []
    this.#first = 0
  }

  /** All that is held. */
  #collected(): ByteCollector {
    const pieces = new ByteCollector()
    for (const piece of this.#held) pieces.add(piece)
    this.#clear()
    return pieces
  }

  #taken(): Uint8Array {
    this.#inlet.taken()
    const [only] = this.#held
    if (only === undefined || this.#held.length > 1) return this.#collected().take()
    this.#clear()
    return only
  }

  #leave(): void {
    this.#taker = deaf
    this.#clear()
    this.#inlet.leave()
  }
}

const nothing = (): void => undefined

const deaf: Taker = { piece: () => true, end: nothing, fail: nothing }
