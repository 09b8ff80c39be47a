/**
 * Splits a multipart body into parts with `busboy`, which only searches for the delimiters (`busboy-internals.ts`).
 *
 * Part bodies bypass the streams that busboy creates: the next chunk is parsed when the reader has used the previous one, so that
 * its memory can be released.
 */
import type { Readable, Writable } from 'node:stream'
import type { BodyStream } from '../../interpreter/request-body/body-stream.ts'
import { malformedMultipart } from '../../interpreter/request-body/multipart/multipart-limits.ts'
import type { RawPart, SplitParts } from '../../interpreter/platform.ts'
import { BusboyInternals, invalidDelimiter } from './busboy-internals.ts'
import { Demand } from './demand.ts'
import { PartBody } from './part-body.ts'

interface ParsedPart extends RawPart {
  readonly body: PartBody
}

/** Loads busboy, which only programs that read multipart bodies need. */
export const loadParser = () => import('busboy')

export const splitParts: SplitParts = async function* (chunks, boundary, limits, free) {
  const { default: busboy } = await loadParser()
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
  })
  const demand = new Demand()
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
  const internals = new BusboyInternals(parser, limits, fail)
  parser.on('file', (_, stream) => {
    const content = new PartBody(demand)
    latest = content
    divert(stream, content)
    parts.push({ headers: internals.latestHeaders, body: content })
    demand.satisfy()
    wake()
  })
  parser.on('error', () => fail(malformedMultipart('unexpected end')))
  parser.on('finish', () => {
    if (internals.hasUnmatchedDelimiter) fail(malformedMultipart(invalidDelimiter))
  })
  parser.on('close', () => {
    demand.request()
    wake()
  })
  void feed(chunks, parser, demand, free).catch(fail)
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

const noop = (): void => undefined

/** Redirects the bytes of a busboy stream to a part body. The stream itself gets only its end, for which busboy waits. */
const divert = (stream: Readable, body: PartBody): void => {
  const push = stream.push.bind(stream)
  stream.push = (chunk: Uint8Array | null): boolean => {
    if (chunk !== null) body.add(chunk)
    else {
      body.end()
      push(null)
    }
    return true
  }
  // errors of the stream are also errors of the parser
  stream.on('error', noop)
  stream.resume()
}

/** Maximum bytes that are parsed at once: all parts in them are parsed before the first one is read, or too many are rejected. */
const maxChunkSize = 64 * 1024

/** Writes the chunks to the parser, each one when the reader has used the previous one. */
const feed = async (
  chunks: BodyStream,
  parser: Writable,
  demand: Demand,
  free: BodyStream['free'],
): Promise<void> => {
  for await (const chunk of chunks) {
    // the rest of a body that is no longer read must still be received, because another request may follow it
    for (let start = 0; start < chunk.length && !parser.destroyed; start += maxChunkSize) {
      parser.write(
        chunk.length > maxChunkSize ? chunk.subarray(start, start + maxChunkSize) : chunk,
      )
      await demand.wait()
    }
    if (!parser.destroyed) free?.(chunk)
  }
  if (!parser.destroyed) parser.end()
}
