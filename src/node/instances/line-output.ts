/**
 * Writes lines to a standard output that several processes share.
 *
 * If the reader of a pipe is slow, Node.js keeps the output in memory. It then combines several lines into one write, which the system
 * can mix with the lines of other processes, and `process.exit` discards them. Therefore, each line is written separately, and the
 * remaining lines are written when the process exits.
 */
import { writeSync } from 'node:fs'
import { codeOf } from '../../http/platform-value.ts'

/** The members of `process.stdout` that are used. */
interface OutputStream {
  readonly fd: number
  /** Number of bytes that have not been written yet. */
  readonly writableLength: number
  readonly write: (text: string, callback: () => void) => unknown
}

/** Time, in milliseconds, after which an exiting process gives up if the reader reads nothing. */
const exitTimeout = 2000

/** Time, in milliseconds, between two attempts to write to a full pipe. */
const retryDelay = 5

/** Writes lines in order. A line of at most 4096 bytes is written to a pipe completely or not at all (`PIPE_BUF` in pipe(7)). */
export class LineOutput {
  readonly #stream: OutputStream
  /** The line that is being written. */
  #pending: { readonly line: string } | undefined = undefined
  readonly #waiting: string[] = []

  constructor(stream: OutputStream) {
    this.#stream = stream
    process.on('exit', () => this.#writeRest())
  }

  write(line: string): void {
    this.#waiting.push(line)
    if (this.#pending === undefined) this.#writeNext()
  }

  #writeNext(): void {
    for (let line = this.#waiting.shift(); line !== undefined; line = this.#waiting.shift()) {
      const pending = { line }
      this.#pending = pending
      this.#stream.write(line, () => {
        if (this.#pending !== pending) return
        this.#pending = undefined
        this.#writeNext()
      })
      if (this.#stream.writableLength > 0) return
      this.#pending = undefined
    }
  }

  #writeRest(): void {
    const { fd } = this.#stream
    const pending = this.#pending === undefined ? [] : [this.#pending.line]
    for (const line of [...pending, ...this.#waiting]) if (!writeSlowly(fd, line)) return
  }
}

/** Writes a line, and waits until the reader makes room for it. Returns `false` if it cannot be written. */
const writeSlowly = (fd: number, line: string): boolean => {
  const timer = new Int32Array(new SharedArrayBuffer(4))
  const deadline = performance.now() + exitTimeout
  let rest: Uint8Array = Buffer.from(line)
  while (rest.length > 0) {
    const written = tryWrite(fd, rest)
    if (written === undefined || performance.now() > deadline) return false
    if (written === 0) Atomics.wait(timer, 0, 0, retryDelay)
    rest = rest.subarray(written)
  }
  return true
}

/** Returns the number of bytes written, or `undefined` if no bytes can be written anymore. */
const tryWrite = (fd: number, bytes: Uint8Array): number | undefined => {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    return codeOf(error) === 'EAGAIN' ? 0 : undefined
  }
}
