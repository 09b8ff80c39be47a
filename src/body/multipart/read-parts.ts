/**
 * Reads the parts of a multipart body, with any parser that finds the delimiters.
 *
 * More of the body is received only when the reader has consumed everything that has been parsed. The memory of the previous chunk can
 * then be released.
 */
import * as O from 'fp-ts/lib/Option.js'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { Headers } from '../../http/headers.ts'
import * as PartHeaders from '../../http/part-headers.ts'
import type { PartHead } from '../../http/part-headers.ts'
import { parsePartHead } from '../../http/part-headers.ts'

/**
 * A part of a multipart body. If the body of the part has not been read completely when the next part is requested, the remaining
 * bytes are skipped.
 */
export interface RawPart {
  readonly headers: Headers
  readonly body: PartContent
}

/** The bytes of a part. */
export interface PartContent extends AsyncIterableIterator<Uint8Array> {
  /**
   * Sets the maximum number of bytes. Reading fails with the error that `createError` returns as soon as the limit is exceeded. Must be
   * called before the first read.
   */
  readonly limit: (maximum: number, createError: () => Error) => this
}

/** Limits for the header section of a part. */
export interface PartLimits {
  /** Maximum size of the header section, in bytes. */
  readonly headerSize: number
  /** Name of the limit on the size in error messages. */
  readonly headerSizeName: string
  /** Maximum number of headers in the header section. */
  readonly headerCount: number
  /** Name of the limit on the number of headers in error messages. */
  readonly headerCountName: string
  /** Charset of header sections that are not valid UTF-8. Default: `utf-8`. */
  readonly headerCharset?: string
}

/** Creates the errors with which reading fails. */
export interface PartErrors {
  /** Creates an error for a malformed body. */
  readonly malformed: (detail: string) => Error
  /** Creates an error for a header section above a limit. */
  readonly tooLarge: (detail: string) => Error
}

/** Receives the parts of a body from a parser. Its methods throw if a part is malformed. */
export interface PartReceiver {
  /** Begins a part. The bytes of the part begin with the line break after the delimiter. */
  readonly begin: () => void
  /** Receives bytes of the part: of its header section, the empty line, or its body. */
  readonly add: (bytes: Uint8Array) => void
  /** Ends the part. */
  readonly end: () => void
}

/** A parser of one body, which finds the delimiters between the parts. */
export interface PartParser {
  /**
   * Parses the next bytes. Bytes that the receiver gets may share memory with them. Throws an error for text after a delimiter, and the
   * errors of the receiver.
   */
  readonly write: (bytes: Uint8Array) => void
  /** Whether the closing delimiter has been found. */
  readonly isComplete: boolean
}

/** Creates a parser. `invalidDelimiter` creates the error for text after a delimiter. */
export type CreateParser = (
  boundary: string,
  receiver: PartReceiver,
  invalidDelimiter: () => Error,
) => PartParser

/** Interprets the headers of a form part. Throws an error if the part has no name. */
export const partHead = (headers: Headers, { malformed }: PartErrors): PartHead => {
  const head = parsePartHead(headers)
  if (O.isNone(head)) throw malformed('part with a missing name or a malformed Content-Disposition')
  return head.value
}

/** A multipart body, and how it is read. */
export interface MultipartSource {
  readonly chunks: AsyncIterable<Uint8Array>
  readonly boundary: string
  /** Returns the function that creates the parser. */
  readonly loadParser: () => CreateParser | Promise<CreateParser>
  readonly limits: PartLimits
  readonly errors: PartErrors
  /** Called with each chunk when all its bytes have been consumed. Default: chunks are not released. */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
  /**
   * Whether the rest of the body is received and discarded, because another request may follow on the same connection. Otherwise, the
   * chunks are closed. Default: `false`.
   */
  readonly isDrained?: boolean
  /**
   * Whether the line break of a delimiter can also be the empty line after the headers of a part, which is then empty. Default: `false`,
   * such a body is malformed.
   */
  readonly allowsSharedLineBreak?: boolean
}

/** Yields the parts in order. If a part has not been read completely when the next part is requested, the rest is skipped. */
export async function* readParts(source: MultipartSource): AsyncGenerator<RawPart, undefined> {
  const reader = new PartReader(source, await source.loadParser())
  try {
    for (;;) {
      const part = reader.parts.shift()
      if (part !== undefined) {
        yield part
        part.body.drop()
      } else if (reader.isOver) return undefined
      else await reader.receiveMore()
    }
  } finally {
    reader.close()
  }
}

interface ParsedPart extends RawPart {
  readonly body: PartBody
}

/**
 * Maximum number of bytes that are parsed at once. This also limits the number of parts that are parsed before the first of them
 * can be read or rejected.
 */
const maxSliceSize = 64 * 1024

/** Receives and parses the chunks of a body while a reader is waiting. */
class PartReader implements PartReceiver {
  /** The parsed parts that have not been yielded. */
  readonly parts: ParsedPart[] = []
  readonly #source: MultipartSource
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #parser: PartParser
  #section: HeaderSection
  #body: PartBody | undefined = undefined
  /** The current chunk, and the bytes of it that have not been parsed. */
  #chunk: Uint8Array | undefined = undefined
  #rest: Uint8Array = new Uint8Array()
  /** The step that is running, or the step that failed. */
  #step: Promise<void> | undefined = undefined
  #hasEnded = false
  #isClosed = false

  constructor(source: MultipartSource, createParser: CreateParser) {
    this.#source = source
    this.#chunks = source.chunks[Symbol.asyncIterator]()
    this.#section = new HeaderSection(source.limits, source.errors)
    this.#parser = createParser(source.boundary, this, () =>
      source.errors.malformed('unexpected text after a delimiter'),
    )
  }

  /** Whether no part follows. */
  get isOver(): boolean {
    return this.#source.isDrained === true ? this.#hasEnded : this.#parser.isComplete
  }

  /** Receives and parses more of the body. Called when all chunks of a part have been read. After an error, each call rejects with it. */
  receiveMore(): Promise<void> {
    if (this.#isClosed) return Promise.reject(this.#truncated())
    this.#step ??= this.#parseNext().then(() => {
      this.#step = undefined
    })
    return this.#step
  }

  begin(): void {
    this.#section = new HeaderSection(this.#source.limits, this.#source.errors)
  }

  add(bytes: Uint8Array): void {
    if (this.#body !== undefined) return this.#body.add(bytes)
    const count = this.#section.add(bytes)
    if (!this.#section.isComplete) return
    this.#body = new PartBody(this)
    this.parts.push({ headers: this.#section.parse(), body: this.#body })
    this.#body.add(bytes.subarray(count))
  }

  end(): void {
    if (this.#body === undefined && this.#source.allowsSharedLineBreak === true) this.add(lineBreak)
    if (this.#body === undefined) throw this.#source.errors.malformed('unterminated part header')
    this.#body.end()
    this.#body = undefined
  }

  close(): void {
    this.#isClosed = true
    const rest = this.#source.isDrained === true ? this.#drain() : this.#chunks.return?.()
    rest?.catch(() => undefined)
  }

  async #parseNext(): Promise<void> {
    if (this.#rest.length === 0) {
      if (this.#chunk !== undefined) this.#source.free?.(this.#chunk)
      this.#chunk = undefined
      const { done, value } = await this.#chunks.next()
      if (done === true) {
        this.#hasEnded = true
        if (!this.#parser.isComplete) throw this.#truncated()
        return
      }
      this.#chunk = value
      this.#rest = value
    }
    const slice = this.#rest.subarray(0, maxSliceSize)
    this.#rest = this.#rest.subarray(slice.length)
    if (!this.#parser.isComplete) this.#parser.write(slice)
  }

  async #drain(): Promise<void> {
    await this.#step?.catch(() => undefined)
    while (!this.#hasEnded) this.#hasEnded = (await this.#chunks.next()).done === true
  }

  #truncated(): Error {
    return this.#source.errors.malformed(
      'unexpected end of the body: the closing delimiter is missing',
    )
  }
}

const lineBreak = Uint8Array.of(13, 10)

type PartChunk = IteratorResult<Uint8Array, undefined>

const noMoreChunks: PartChunk = Object.freeze({ done: true, value: undefined })

/** The body of one part. The parser adds chunks, and the reader of the part iterates over them. */
class PartBody implements PartContent {
  readonly #source: Pick<PartReader, 'receiveMore'>
  #chunks: Uint8Array[] = []
  #hasEnded = false
  #remaining = Infinity
  #createError: () => Error = () => new RangeError('limit exceeded')
  #error: Error | undefined = undefined

  constructor(source: Pick<PartReader, 'receiveMore'>) {
    this.#source = source
  }

  limit(maximum: number, createError: () => Error): this {
    this.#remaining = maximum
    this.#createError = createError
    return this
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<PartChunk> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error
      const value = this.#chunks.shift()
      if (value !== undefined) return this.#count(value)
      if (this.#hasEnded) return noMoreChunks
      await this.#source.receiveMore()
    }
  }

  return(): Promise<PartChunk> {
    this.drop()
    return Promise.resolve(noMoreChunks)
  }

  add(chunk: Uint8Array): void {
    if (!this.#hasEnded && chunk.length > 0) this.#chunks.push(chunk)
  }

  end(): void {
    this.#hasEnded = true
  }

  /** Discards the rest of the body. */
  drop(): void {
    this.#hasEnded = true
    this.#chunks = []
  }

  /** Counts the bytes of a chunk. If they exceed the limit, drops the body and throws the error. */
  #count(value: Uint8Array): PartChunk {
    this.#remaining -= value.length
    if (this.#remaining >= 0) return { done: false, value }
    this.drop()
    this.#error = this.#createError()
    throw this.#error
  }
}

const LF = 10
const CR = 13

/** A header section, from the line break before its first header up to the empty line that ends it. */
class HeaderSection {
  readonly #limits: PartLimits
  readonly #errors: PartErrors
  readonly #bytes = new ByteCollector()
  /** Number of bytes of the sequence `CR LF CR LF` at the end of the collected bytes. */
  #matched = 0

  constructor(limits: PartLimits, errors: PartErrors) {
    this.#limits = limits
    this.#errors = errors
  }

  /** Adds bytes up to the end of the section. Returns how many were added. Throws an error if the section is too large. */
  add(bytes: Uint8Array): number {
    const { headerSize, headerSizeName } = this.#limits
    let count = 0
    while (count < bytes.length && this.#matched < 4)
      this.#matched = nextMatch(this.#matched, bytes[count++])
    // neither the first line break nor the empty line is part of the limited size
    const size = this.#bytes.length + count - 2 - Math.max(0, this.#matched - 2)
    if (size > headerSize)
      throw this.#errors.tooLarge(
        `The header section of a part is larger than ${headerSize} bytes (${headerSizeName}).`,
      )
    // the bytes are copied, because the memory of the chunk is reused before the section is complete
    this.#bytes.addCopy(bytes.subarray(0, count))
    return count
  }

  /** Whether the empty line has been added. */
  get isComplete(): boolean {
    return this.#matched === 4
  }

  /** Parses the section. Throws an error if it is malformed or has too many headers. */
  parse(): Headers {
    const { headerCount, headerCountName, headerCharset } = this.#limits
    const section = this.#bytes.take()
    const headers = PartHeaders.parse(
      section.subarray(2, Math.max(2, section.length - 4)),
      headerCharset,
    )
    if (O.isNone(headers)) throw this.#errors.malformed('malformed header section of a part')
    if (headers.value.length > 2 * headerCount)
      throw this.#errors.tooLarge(
        `A part has more than ${headerCount} headers (${headerCountName}).`,
      )
    return headers.value
  }
}

const nextMatch = (matched: number, byte: number | undefined): number => {
  if (byte === CR) return matched === 2 ? 3 : 1
  return byte === LF && (matched === 1 || matched === 3) ? matched + 1 : 0
}
