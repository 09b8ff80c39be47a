/**
 * Finds the parts of a multipart body with busboy. Each delimiter must be followed by a part, or be the last one.
 *
 * The public interface of busboy has no headers of parts. It skips parts without a name or with invalid headers, and everything after
 * an invalid delimiter, without an error. Therefore, private members of `busboy` are used. All of them are in `BusboyInternals`.
 */
import busboy from 'busboy'
import { createRequire } from 'node:module'
import type { Writable } from 'node:stream'
import type { CreateParser, PartParser, PartReceiver } from '../../body/multipart/read-parts.ts'
import * as Grammar from '../../http/grammar.ts'
import { isObject } from '../../http/platform-value.ts'

const [TAB, SPACE] = [9, 32]
const lineBreak = Buffer.from('\r\n')

export const createBusboyParser: CreateParser = (boundary, receiver, invalidDelimiter) =>
  new BusboyParser(boundary, receiver, invalidDelimiter)

class BusboyParser implements PartParser {
  readonly #busboy: BusboyInternals
  readonly #delimiter: Buffer
  readonly #receiver: PartReceiver
  readonly #invalidDelimiter: () => Error
  /** What the next byte belongs to. */
  #state: 'preamble' | 'delimiter' | 'part' | 'epilogue' = 'preamble'
  /** Number of bytes after the delimiter, and after the whitespace that may follow it. */
  #lineLength = 0
  #isPadded = false

  constructor(boundary: string, receiver: PartReceiver, invalidDelimiter: () => Error) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
    this.#receiver = receiver
    this.#invalidDelimiter = invalidDelimiter
    // V8 allocates function literals that are assigned to a member in the old generation, which takes 10% more CPU time for a 1 MB upload
    const onBytes: OnBytes = (isDelimiter, bytes, start, end, isSafe) => {
      if (bytes !== undefined) this.#addBytes(bytes, start, end, isSafe)
      if (isDelimiter) this.#beginLine()
    }
    this.#busboy = new BusboyInternals(boundary, onBytes)
  }

  get isComplete(): boolean {
    return this.#state === 'epilogue'
  }

  write(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const end = this.#unsearchedLength(chunk)
    if (end > 0) this.#receiver.add(chunk.subarray(0, end))
    this.#busboy.write(end > 0 ? chunk.subarray(end) : chunk)
  }

  /**
   * Returns how many bytes of a chunk busboy need not search, because they belong to a part. The search of busboy takes 3 times as long
   * as `includes`: a third of the CPU time of a 1 MB upload that is not stored.
   */
  #unsearchedLength(chunk: Buffer): number {
    if (this.#state !== 'part' || this.#busboy.holdsBytes) return 0
    // the chunk can end with the beginning of a delimiter
    return chunk.includes(this.#delimiter) ? 0 : Math.max(0, chunk.length - this.#delimiter.length)
  }

  #addBytes(bytes: Buffer, start: number, end: number, isSafe: boolean): void {
    const position = this.#state === 'delimiter' ? this.#continueLine(bytes, start, end) : start
    const chunk = bytes.subarray(position, end)
    if (this.#state === 'part') this.#receiver.add(isSafe ? chunk : Buffer.from(chunk))
  }

  #beginLine(): void {
    if (this.#state === 'epilogue') return
    if (this.#state === 'delimiter') throw this.#invalidDelimiter()
    if (this.#state === 'part') this.#receiver.end()
    this.#state = 'delimiter'
    this.#lineLength = 0
    this.#isPadded = false
    this.#busboy.beginLine()
  }

  /**
   * Passes the rest of the line of a delimiter to busboy, without the whitespace that belongs to the delimiter (RFC 2046, 5.1.1).
   * Returns the position of the next byte.
   */
  #continueLine(bytes: Buffer, start: number, end: number): number {
    let position = start
    for (; position < end && this.#state === 'delimiter'; position++) {
      const isWhitespace = bytes[position] === SPACE || bytes[position] === TAB
      if (isWhitespace && this.#lineLength === 0) this.#isPadded = true
      else this.#state = this.#stateAfter(bytes, position)
    }
    return position
  }

  #stateAfter(bytes: Buffer, position: number): 'delimiter' | 'part' | 'epilogue' {
    const next = this.#busboy.continueLine(bytes, position)
    const isInvalid =
      next === undefined ? ++this.#lineLength === 2 : next === 'epilogue' && this.#isPadded
    if (isInvalid) throw this.#invalidDelimiter()
    if (next === 'part') {
      this.#receiver.begin()
      this.#receiver.add(lineBreak)
    }
    return next ?? 'delimiter'
  }
}

const supportedVersion = '1.6.0'

/** Called with the bytes before a delimiter. If they are not `isSafe`, their memory is reused after the call. */
export type OnBytes = (
  isDelimiter: boolean,
  bytes: Buffer | undefined,
  start: number,
  end: number,
  isSafe: boolean,
) => void

/** The private member `_bparser`, which searches for delimiters. */
interface BoundarySearch {
  /** Called with all bytes. Replaced, because busboy does not report what it skips. */
  _cb: OnBytes
  /** Number of bytes at the end of the last chunk that can be the beginning of a delimiter. Used to skip the search of chunks. */
  readonly _lookbehindSize: number
}

/** A parser of busboy, whose part headers and bodies are parsed elsewhere. */
export class BusboyInternals {
  readonly #parser: Writable
  readonly #search: BoundarySearch
  readonly #onBytesOfBusboy: OnBytes

  /** `onBytes` receives all bytes and delimiters in order. */
  constructor(boundary: string, onBytes: OnBytes) {
    this.#parser = createParser(boundary)
    this.#search = searchOf(this.#parser)
    this.#onBytesOfBusboy = this.#search._cb
    this.#search._cb = onBytes
  }

  write(chunk: Buffer): void {
    this.#parser.write(chunk)
  }

  /** Whether the last chunk ends with the beginning of a delimiter. */
  get holdsBytes(): boolean {
    return this.#search._lookbehindSize > 0
  }

  /** Begins the line of a delimiter. */
  beginLine(): void {
    this.#onBytesOfBusboy(true, undefined, 0, 0, true)
  }

  /** Continues the line of a delimiter with a byte. Returns what follows, or `undefined` if the line has not ended. */
  continueLine(bytes: Buffer, position: number): 'part' | 'epilogue' | undefined {
    this.#onBytesOfBusboy(false, bytes, position, position + 1, false)
    // `_complete` is set by the closing delimiter, and `_hparser` by a line break, before the headers of a part
    if (Reflect.get(this.#parser, '_complete') === true) return 'epilogue'
    if (Reflect.get(this.#parser, '_hparser') === null) return undefined
    Reflect.set(this.#parser, '_hparser', null)
    return 'part'
  }
}

const createParser = (boundary: string): Writable =>
  busboy({
    headers: { 'content-type': `multipart/form-data; boundary=${Grammar.quote(boundary)}` },
  })

/** Returns the search of a parser. Throws an error if the parser does not have the members that this file uses. */
export const searchOf = (parser: object): BoundarySearch => {
  const search: unknown = Reflect.get(parser, '_bparser')
  const isKnown =
    Reflect.get(parser, '_hparser') === null && Reflect.get(parser, '_complete') === false
  if (!isKnown || !isSearch(search)) throw unsupported(installedVersion() ?? 'another version')
  return search
}

const isSearch = (value: unknown): value is BoundarySearch =>
  isObject(value) &&
  '_cb' in value &&
  typeof value._cb === 'function' &&
  '_lookbehindSize' in value &&
  value._lookbehindSize === 2 // the line break that the first delimiter may lack

const unsupported = (found: string): Error =>
  new Error(
    `unsupported version of busboy: expected ${supportedVersion}, found ${found}: remove the override of this dependency of espalier`,
  )

/** Returns the version of the installed package, or `undefined` if a bundler has included busboy. */
const installedVersion = (): string | undefined => {
  try {
    const { version } = createRequire(import.meta.url)('busboy/package.json')
    return String(version)
  } catch {
    return undefined
  }
}

const version = installedVersion()
if (version !== undefined && version !== supportedVersion) throw unsupported(version)
searchOf(createParser('boundary'))
