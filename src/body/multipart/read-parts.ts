/**
 * Reads the parts of a multipart body, with any parser that finds the delimiters.
 *
 * More of the body is received only when the reader has consumed everything that has been parsed. The memory of the previous chunk can
 * then be released.
 */
import { HeaderSection } from './header-section.ts'
import type { ReceiveMore } from './part-body.ts'
import { PartBody } from './part-body.ts'
import type {
  CreateParser,
  PartErrors,
  PartLimits,
  PartParser,
  PartReceiver,
  RawPart,
} from './raw-part.ts'

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
class PartReader implements PartReceiver, ReceiveMore {
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

  /** Parses more of the body. After an error, each call rejects with this error. */
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
