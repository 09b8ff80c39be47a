/**
 * Takes multipart content apart with `busboy`, which finds the delimiters and hands on what is between them. It skips in
 * silence what it does not like, so it is not left to judge anything: see `sections.ts`. What it finds does not pass the streams
 * that it makes: a piece is taken up by who reads the parts before the next one is asked for, so that its memory is free by then.
 */
import type { Readable, Writable } from 'node:stream'
import type { Intake } from '../../interpreter/request-body/body-stream.ts'
import { malformed } from '../../interpreter/request-body/multipart/rejected.ts'
import type { RawPart, SplitParts } from '../../interpreter/request-body/multipart/raw-part.ts'
import { Demand } from './demand.ts'
import { PartBody } from './part-body.ts'
import { BusboyInternals } from './busboy-internals.ts'

interface Found extends RawPart {
  readonly content: PartBody
}

/** Loads the parser. Only programs that read multipart bodies pay for it. */
export const loadParser = () => import('busboy')

export const splitParts: SplitParts = async function* (pieces, boundary, limits, free) {
  const { default: busboy } = await loadParser()
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
  })
  const demand = new Demand()
  const found: Found[] = []
  const failures: unknown[] = []
  let latest: PartBody | undefined
  let wake = nothing
  const fail = (error: unknown): void => {
    failures.push(error)
    parser.destroy()
    latest?.fail(failures[0])
    wake()
  }
  const sections = new BusboyInternals(parser, limits, fail)
  parser.on('file', (_, stream) => {
    const content = new PartBody(demand)
    latest = content
    divert(stream, content)
    found.push({ headers: sections.latestHeaders, content })
    demand.satisfy()
    wake()
  })
  parser.on('error', () => fail(malformed('it ends too early')))
  parser.on('finish', () => {
    if (sections.hasUnmatchedDelimiter) fail(malformed(noDelimiter))
  })
  parser.on('close', () => {
    demand.request()
    wake()
  })
  void feed(pieces, parser, demand, free).catch(fail)
  try {
    for (;;) {
      if (failures.length > 0) throw failures[0]
      const part = found.shift()
      if (part !== undefined) {
        yield part
        part.content.drop()
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

const nothing = (): void => undefined

const noDelimiter = 'a line begins as a delimiter does and is none'

/** Has what is found of a part go to its content, and only the end to the stream, for which the parser waits. */
const divert = (stream: Readable, content: PartBody): void => {
  const end = stream.push.bind(stream)
  stream.push = (octets: Uint8Array | null): boolean => {
    if (octets !== null) content.add(octets)
    else {
      content.end()
      end(null)
    }
    return true
  }
  // it fails together with the parser
  stream.on('error', nothing)
  stream.resume()
}

/** A longer piece is cut: all parts in it are found before the first one is read, and before too many are rejected. */
const longest = 64 * 1024

/** Hands over piece by piece; the next is asked for when this one is taken up. */
const feed = async (
  pieces: Intake,
  parser: Writable,
  demand: Demand,
  free: Intake['free'],
): Promise<void> => {
  for await (const piece of pieces) {
    // of what nobody wants any more, the rest has to come in all the same: another request stands behind it
    for (let at = 0; at < piece.length && !parser.destroyed; at += longest) {
      parser.write(piece.length > longest ? piece.subarray(at, at + longest) : piece)
      await demand.wait()
    }
    if (!parser.destroyed) free?.(piece)
  }
  if (!parser.destroyed) parser.end()
}
