/**
 * A request path whose segments are accessed by position, without matrix parameters. Unlike `Path.split`, it does not build a
 * list of all segments, for callers that read only a few of them.
 *
 * A position is the index at which a segment starts in the received path. The first segment is at 1. The position after the last
 * segment is that of the end.
 *
 * ```text
 * / u s e r s / 4 2          segments at 1 and at 7; the end is at 10
 * 0 1         6 7 8
 * ```
 */
import * as Percent from './percent.ts'

export interface IndexedPath {
  /** The path as received. */
  readonly received: string
  readonly decoded: string
  /** The index in `decoded` of each position; `undefined` if both texts are equal, as they mostly are. */
  readonly decodedOffsets: ReadonlyMap<number, number> | undefined
}

/** Indexes a path that starts with `/`. Returns `undefined` if a segment cannot be decoded. */
export const of = (path: string): IndexedPath | undefined => {
  const received = path.includes(';') ? path.replace(/;[^/]*/g, '') : path
  return received.includes('%')
    ? decode(received)
    : { received, decoded: received, decodedOffsets: undefined }
}

const decode = (received: string): IndexedPath | undefined => {
  const decodedOffsets = new Map<number, number>()
  const texts: string[] = []
  let position = start
  let offset = start
  for (const segment of received.slice(start).split('/')) {
    const text = Percent.decode(segment)
    if (text === undefined) return undefined
    texts.push(text)
    decodedOffsets.set(position, offset)
    position += segment.length + 1
    offset += text.length + 1
  }
  return {
    received,
    decoded: `/${texts.join('/')}`,
    decodedOffsets: decodedOffsets.set(position, offset),
  }
}

/** The position of the first segment. */
export const start = 1

/** Returns the position after the last segment. */
export const end = ({ received }: IndexedPath): number => received.length + 1

/** Returns the position after the segment at `position`, which must not be the end. */
export const next = ({ received }: IndexedPath, position: number): number => {
  const slash = received.indexOf('/', position)
  return (slash < 0 ? received.length : slash) + 1
}

/** Returns the index of a position in the decoded path. */
export const decodedOffset = ({ decodedOffsets }: IndexedPath, position: number): number =>
  decodedOffsets === undefined ? position : (decodedOffsets.get(position) ?? position)

/** Returns the segments from one position up to another, as received. */
export const raw = ({ received }: IndexedPath, from: number, to: number): string =>
  received.slice(from, to - 1)

/** Returns the segments from one position up to another, decoded. An escaped slash becomes a slash. */
export const text = (path: IndexedPath, from: number, to: number): string =>
  path.decoded.slice(decodedOffset(path, from), decodedOffset(path, to) - 1)
