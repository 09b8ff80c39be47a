/**
 * Splits a multipart body into parts.
 *
 * A chunk is parsed only when the reader has consumed the previous chunk. The memory of the previous chunk can then be released.
 */
import type { Headers } from '../../http/headers.ts'
import { malformedMultipart } from '../../interpreter/request-body/multipart/parts.ts'
import type { RawPart, SplitParts } from '../../interpreter/platform.ts'
import { ChunkFeed } from './chunk-feed.ts'
import { PartBody } from './part-body.ts'
import { PartParser } from './part-parser.ts'

interface ParsedPart extends RawPart {
  readonly body: PartBody
}

/** Returns a function that splits bodies. It buffers only the header section of each part. */
export const partSplitter = (): SplitParts => splitParts

const splitParts: SplitParts = async function* (chunks, boundary, limits, free) {
  const parts: ParsedPart[] = []
  const errors: unknown[] = []
  let latest: PartBody | undefined
  let hasEnded = false
  let wake = noop
  const fail = (error: unknown): void => {
    errors.push(error)
    feed.discard()
    latest?.fail(errors[0])
    wake()
  }
  const begin = (headers: Headers): PartBody => {
    const body = new PartBody(feed)
    latest = body
    parts.push({ headers, body })
    feed.satisfy()
    wake()
    return body
  }
  const onEnd = (): void => {
    parser.end()
    hasEnded = true
    wake()
  }
  const parser = new PartParser(boundary, limits, { begin, fail })
  const feed = new ChunkFeed(chunks, parser, free, { onEnd, fail })
  try {
    for (;;) {
      if (errors.length > 0) throw errors[0]
      const part = parts.shift()
      if (part !== undefined) {
        yield part
        part.body.drop()
      } else if (hasEnded) return undefined
      else
        await new Promise<void>((resolve) => {
          wake = resolve
          feed.request()
        })
    }
  } finally {
    // a part that is still being read has no more bytes
    if (!hasEnded && errors.length === 0)
      latest?.fail(malformedMultipart('unexpected end of the body'))
    feed.discard()
  }
}

const noop = (): void => undefined
