/**
 * Takes multipart content apart with `busboy`, which finds the delimiters and hands on what is between them. It skips in
 * silence what it does not like, so it is not left to judge anything: see `sections.ts`.
 */
import type { Readable, Writable } from 'node:stream'
import { malformed } from '../../interpreter/multipart/refused.ts'
import type { RawPart, SplitParts } from '../../interpreter/multipart/raw-part.ts'
import { Sections } from './sections.ts'

interface Found extends RawPart {
  readonly stream: Readable
}

export const splitParts: SplitParts = async function* (pieces, boundary, limits) {
  // only who reads multipart content pays for loading it
  const { default: busboy } = await import('busboy')
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
  })
  const found: Found[] = []
  const failures: unknown[] = []
  let wake = nothing
  const fail = (error: unknown): void => {
    failures.push(error)
    parser.destroy()
    wake()
  }
  const sections = new Sections(parser, limits, fail)
  parser.on('file', (_, stream) => {
    // it fails together with the parser
    stream.on('error', nothing)
    found.push({ headers: sections.latest, content: octetsOf(stream, failures), stream })
    wake()
  })
  parser.on('error', () => fail(malformed('it ends too early')))
  parser.on('finish', () => {
    if (sections.isUnclear) fail(malformed(noDelimiter))
  })
  parser.on('close', () => wake())
  void feed(pieces, parser).catch(fail)
  try {
    for (;;) {
      if (failures.length > 0) throw failures[0]
      const part = found.shift()
      if (part !== undefined) {
        yield part
        part.stream.resume()
      } else if (parser.closed) return undefined
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    parser.destroy()
  }
}

const nothing = (): void => undefined

const noDelimiter = 'a line begins as a delimiter does and is none'

/** Hands over piece by piece; the next is asked for when there is room. */
const feed = async (pieces: AsyncIterable<Uint8Array>, parser: Writable): Promise<void> => {
  let go = nothing
  parser.on('drain', () => go())
  parser.on('close', () => go())
  for await (const piece of pieces)
    // of what nobody wants any more, the rest has to come in all the same: another request stands behind it
    if (!parser.destroyed && !parser.write(piece))
      await new Promise<void>((resolve) => {
        go = resolve
      })
  if (!parser.destroyed) parser.end()
}

/** The content of a part. What broke it off is told in place of what the stream makes of that. */
async function* octetsOf(
  stream: Readable,
  failures: ReadonlyArray<unknown>,
): AsyncGenerator<Uint8Array, undefined> {
  try {
    for await (const octets of stream.iterator({ destroyOnReturn: false })) yield octets
  } catch (error) {
    throw failures.length > 0 ? failures[0] : error
  }
}
