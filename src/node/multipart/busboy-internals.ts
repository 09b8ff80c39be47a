/**
 * The private members of `busboy` that this package uses. All of them are in this file.
 *
 * The public interface of busboy has no headers of parts. It skips parts without a name or with invalid headers, and everything after
 * an invalid delimiter, without an error.
 */
import busboy from 'busboy'
import { createRequire } from 'node:module'
import type { Writable } from 'node:stream'
import * as Grammar from '../../http/grammar.ts'
import { isObject } from '../../http/platform-value.ts'

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
