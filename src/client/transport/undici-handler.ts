/** A request that a dispatcher of undici has taken over, and what it tells of it. */
import type { Signal } from '../light-signal.ts'
import { Inflow } from './response-body-buffer.ts'

/** What undici 7 and later ones say of a request with. */
interface Controller {
  readonly abort: (reason: unknown) => void
  readonly pause: () => void
  readonly resume: () => void
}

type Fields = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A text, or octets of one. */
interface RawText {
  readonly toString: (encoding: 'latin1') => string
}

/**
 * What undici calls a handler, in both of its forms: the methods of its versions 5 and 6, and, from `onRequestStart` on, those of later
 * ones. Its request is aborted when the signal is, until all of its content was taken.
 */
export class Dispatched {
  status = 0
  headers: ReadonlyArray<string> = []
  readonly content: Inflow
  readonly #signal: Signal | undefined
  readonly #answered: (one: Dispatched) => void
  readonly #failed: (error: unknown) => void
  #abort: ((reason: unknown) => void) | undefined = undefined
  #resume = nothing
  #isPaused = false
  #isWhole = false
  #broken: { readonly error: unknown } | undefined = undefined

  constructor(
    signal: Signal | undefined,
    answered: (one: Dispatched) => void,
    failed: (error: unknown) => void,
  ) {
    this.#signal = signal
    this.#answered = answered
    this.#failed = failed
    this.content = new Inflow({
      resume: () => {
        if (!this.#isPaused) return
        this.#isPaused = false
        this.#resume()
      },
      leave: () => this.leave(),
      taken: () => this.#release(),
    })
    signal?.addEventListener('abort', this.#onAbort)
  }

  /** Ends the connection, unless all has come. */
  leave(): void {
    this.#release()
    if (!this.#isWhole) this.#abort?.(undefined)
  }

  onConnect(abort: (reason: unknown) => void): void {
    this.#abort = abort
    // while it waited for its turn
    if (this.#broken !== undefined) abort(this.#broken.error)
  }

  onHeaders(status: number, raw: ReadonlyArray<RawText> | Fields, resume: () => void): boolean {
    this.#resume = resume
    // undici 5 tells of HTTP/2 as later ones do of everything
    if (status >= 200) this.#head(status, isRaw(raw) ? raw.map(textAt) : listOf(raw))
    return true
  }

  onData(piece: Uint8Array): boolean {
    this.#isPaused = !this.content.piece(piece)
    return !this.#isPaused
  }

  onComplete(): void {
    this.#isWhole = true
    this.content.end()
  }

  onError(error: unknown): void {
    if (this.#broken !== undefined) return
    this.#broken = { error }
    this.#release()
    this.#failed(error)
    this.content.fail(error)
  }

  onRequestStart(controller: Controller): void {
    this.onConnect((reason) => controller.abort(reason))
    this.#resume = () => controller.resume()
  }

  onResponseStart(_: Controller, status: number, fields: Fields): void {
    if (status >= 200) this.#head(status, listOf(fields))
  }

  onResponseData(controller: Controller, piece: Uint8Array): void {
    if (!this.onData(piece)) controller.pause()
  }

  onResponseEnd(): void {
    this.onComplete()
  }

  onResponseError(_: Controller | null, error: unknown): void {
    this.onError(error)
  }

  #head(status: number, headers: ReadonlyArray<string>): void {
    this.status = status
    this.headers = headers
    this.#answered(this)
  }

  readonly #onAbort = (): void => {
    const reason = this.#signal?.reason
    const abort = this.#abort
    // undici tells nothing of a request that waits for its turn, nor of one that has ended
    if (abort === undefined || this.#isWhole) this.onError(reason)
    else abort(reason)
  }

  #release(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}

const nothing = (): void => undefined

const isRaw = (raw: ReadonlyArray<RawText> | Fields): raw is ReadonlyArray<RawText> =>
  Array.isArray(raw)

const textAt = (text: RawText, at: number): string =>
  at % 2 === 0 ? text.toString('latin1').toLowerCase() : text.toString('latin1')

/** Without those that HTTP/2 keeps for itself, as `:status` (RFC 9113, 8.3). */
const listOf = (fields: Fields): ReadonlyArray<string> => {
  const list: string[] = []
  for (const name of Object.keys(fields)) {
    if (name.startsWith(':')) continue
    const value = fields[name]
    if (typeof value === 'string') list.push(name, value)
    else if (value !== undefined) for (const one of value) list.push(name, one)
  }
  return list
}
