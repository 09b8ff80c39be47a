/**
 * Splits a multipart body into parts with `busboy` (see `busboy-internals.ts`).
 *
 * A chunk is parsed only when the reader has consumed the previous chunk. The memory of the previous chunk can then be released.
 */
import type { Writable } from 'node:stream'
import type { Headers } from '../../http/headers.ts'
import type { BodyStream } from '../../interpreter/chunks.ts'
import { malformedMultipart } from '../../interpreter/request-body/multipart/parts.ts'
import type { RawPart, SplitParts } from '../../interpreter/platform.ts'
import * as Grammar from '../../http/grammar.ts'
import { BusboyInternals, invalidDelimiter } from './busboy-internals.ts'
import type { Demand } from './part-body.ts'
import { PartBody } from './part-body.ts'

interface ParsedPart extends RawPart {
  readonly body: PartBody
}

/** Imports busboy. Only programs that read multipart bodies need it. */
export const loadParser = () => import('busboy')

/** Creates a function that splits multipart bodies. The first body that is split imports busboy. */
export const partSplitter = (): SplitParts => {
  let busboy: Awaited<ReturnType<typeof loadParser>>['default'] | undefined
  return async function* (chunks, boundary, limits, free) {
    // a failed import is not kept, so that the next body can succeed
    busboy ??= (await loadParser()).default
    const parser = busboy({
      headers: { 'content-type': `multipart/form-data; boundary=${Grammar.quote(boundary)}` },
    })
    const parts: ParsedPart[] = []
    const errors: unknown[] = []
    let latest: PartBody | undefined
    let wake = noop
    const fail = (error: unknown): void => {
      errors.push(error)
      parser.destroy()
      latest?.fail(errors[0])
      wake()
    }
    const begin = (headers: Headers): PartBody => {
      const body = new PartBody(demand)
      latest = body
      parts.push({ headers, body })
      demand.satisfy()
      wake()
      return body
    }
    const internals = new BusboyInternals(parser, limits, { begin, fail })
    const demand = new ChunkFeed(chunks, parser, internals.parse, free, fail)
    parser.on('error', () => fail(malformedMultipart('unexpected end of the body')))
    parser.on('finish', () => {
      if (internals.hasUnmatchedDelimiter) fail(malformedMultipart(invalidDelimiter))
    })
    parser.on('close', () => {
      demand.request()
      wake()
    })
    try {
      for (;;) {
        if (errors.length > 0) throw errors[0]
        const part = parts.shift()
        if (part !== undefined) {
          yield part
          part.body.drop()
        } else if (parser.closed) return undefined
        else
          await new Promise<void>((resolve) => {
            wake = resolve
            demand.request()
          })
      }
    } finally {
      parser.destroy()
    }
  }
}

const noop = (): void => undefined

/**
 * Maximum number of bytes that are parsed at once. This also limits the number of parts that are parsed before the first of them
 * can be read or rejected.
 */
const maxChunkSize = 64 * 1024

/**
 * Parses chunks while a reader is waiting for data. If the parser has been destroyed, the remaining chunks are
 * received and discarded, because another request may follow.
 */
class ChunkFeed implements Demand {
  readonly #chunks: BodyStream
  readonly #parser: Writable
  readonly #parse: BusboyInternals['parse']
  readonly #free: BodyStream['free']
  readonly #fail: (error: unknown) => void
  #isRequested = false
  /** Whether a chunk is being received or parsed, or all chunks have been received. */
  #isBusy = false
  #chunk: Uint8Array | undefined
  /** Number of bytes of the chunk that have been parsed. */
  #parsed = 0

  constructor(
    chunks: BodyStream,
    parser: Writable,
    parse: BusboyInternals['parse'],
    free: BodyStream['free'],
    fail: (error: unknown) => void,
  ) {
    this.#chunks = chunks
    this.#parser = parser
    this.#parse = parse
    this.#free = free
    this.#fail = fail
  }

  request(): void {
    this.#isRequested = true
    if (!this.#isBusy) this.#advance()
  }

  satisfy(): void {
    this.#isRequested = false
  }

  #advance(): void {
    this.#isBusy = true
    while (this.#isRequested && this.#chunk !== undefined && !this.#parser.destroyed)
      this.#parseNext(this.#chunk)
    if (this.#isRequested || this.#parser.destroyed) this.#receive()
    else this.#isBusy = false
  }

  #parseNext(chunk: Uint8Array): void {
    const start = this.#parsed
    if (start >= chunk.length) {
      this.#chunk = undefined
      this.#free?.(chunk)
      return
    }
    this.#parsed = start + maxChunkSize
    this.#parse(chunk.subarray(start, this.#parsed))
  }

  #receive(): void {
    void this.#chunks
      .next()
      .then(({ done, value }) => {
        if (done !== true) {
          this.#chunk = value
          this.#parsed = 0
          this.#advance()
        } else if (!this.#parser.destroyed) this.#parser.end()
      })
      .catch(this.#fail)
  }
}
