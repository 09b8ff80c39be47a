/**
 * Writes the responses of a connection with as few system calls as possible.
 *
 * Text is collected until `flush`, so that pipelined responses are written together. Bytes up to 64 KiB are copied behind the text
 * that precedes them, because one write of a copy is faster than a write of several buffers. Chunks that are written in one turn
 * of the event loop are corked.
 */
import type { Socket } from 'node:net'

type Callback = () => void

/** Maximum number of bytes that are copied. */
const maxCopied = 64 * 1024

/** The writing side of a connection. The callbacks are called when the operating system has accepted the bytes. */
export class ConnectionOutput {
  readonly #socket: Socket
  #text = ''
  #callbacks: Callback[] | undefined = undefined
  #isCorked = false
  #isScheduled = false

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** Number of bytes that have not been sent. */
  get unsentLength(): number {
    return this.#text.length + this.#socket.writableLength
  }

  /** Adds a Latin-1 string to the text that the next flush writes. */
  addText(text: string, onSent?: Callback): void {
    this.#text += text
    if (onSent !== undefined) (this.#callbacks ??= []).push(onSent)
  }

  /** Writes text followed by bytes. Returns `false` if the socket has no room for more bytes. */
  writeBytes(prefix: string, bytes: Uint8Array, suffix: string, onSent: Callback): boolean {
    const socket = this.#socket
    if (!socket.writable) return false
    this.#cork()
    const text = this.#text + prefix
    const callbacks = this.#takeCallbacks() ?? []
    callbacks.push(onSent)
    this.#text = ''
    const length = text.length + bytes.length + suffix.length
    if (length <= maxCopied) {
      const copy = Buffer.allocUnsafe(length)
      copy.write(text, 'latin1')
      copy.set(bytes, text.length)
      copy.write(suffix, text.length + bytes.length, 'latin1')
      return socket.write(copy, callAll(callbacks))
    }
    if (text !== '') socket.write(text, 'latin1')
    const hasRoom = socket.write(bytes, callAll(callbacks))
    return suffix === '' ? hasRoom : socket.write(suffix, 'latin1')
  }

  /** Writes the collected text. Calls the callbacks even if there is no text, after all earlier bytes have been sent. */
  flush(): void {
    if (this.#text === '' && this.#callbacks === undefined) return
    const text = this.#text
    const callbacks = this.#takeCallbacks()
    this.#text = ''
    const onSent = callbacks === undefined ? undefined : callAll(callbacks)
    if (text !== '' || this.#socket.writableLength > 0) {
      if (this.#socket.writable) this.#socket.write(text, 'latin1', onSent)
    } else if (onSent !== undefined) process.nextTick(onSent)
  }

  /** Flushes before the event loop continues. */
  flushSoon(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    process.nextTick(ConnectionOutput.#flushNow, this)
  }

  #takeCallbacks(): Callback[] | undefined {
    const callbacks = this.#callbacks
    this.#callbacks = undefined
    return callbacks
  }

  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    this.#socket.cork()
    process.nextTick(ConnectionOutput.#uncork, this)
  }

  // static, because functions of each connection would take memory while it is idle

  static readonly #flushNow = (output: ConnectionOutput): void => {
    output.#isScheduled = false
    output.flush()
  }

  static readonly #uncork = (output: ConnectionOutput): void => {
    output.#isCorked = false
    output.flush()
    output.#socket.uncork()
  }
}

/** Creates the callback of a write. After an error, the connection closes, and its exchanges end then. */
const callAll =
  (callbacks: ReadonlyArray<Callback>) =>
  (error?: Error | null): void => {
    if (error !== undefined && error !== null) return
    for (const callback of callbacks) callback()
  }
