/**
 * A path as a text in which segments are found by position, without its matrix parameters. It is what `path.ts` splits,
 * for those who want a segment or two of it and no list of them all.
 *
 * A position is where a segment begins in the path as received; the first one is 1. Behind the last segment comes the
 * position one past the end.
 *
 * ```text
 * / u s e r s / 4 2          segments from 1 and from 7; 10 is past the end
 * 0 1         6 7 8
 * ```
 */
import * as Percent from './percent.ts'

export interface IndexedPath {
  /** As received. */
  readonly received: string
  readonly decoded: string
  /** Where in the decoded text each position is; `undefined` when the two texts are the same, as they mostly are. */
  readonly decodedOffsets: ReadonlyMap<number, number> | undefined
}

/** Prepares a path that begins with `/`; `undefined` when a segment cannot be decoded. */
export const of = (path: string): IndexedPath | undefined => {
  const received = path.includes(';') ? path.replace(/;[^/]*/g, '') : path
  return received.includes('%')
    ? decode(received)
    : { received, decoded: received, decodedOffsets: undefined }
}

const decode = (received: string): IndexedPath | undefined => {
  const places = new Map<number, number>()
  const texts: string[] = []
  let at = start
  let place = start
  for (const segment of received.slice(start).split('/')) {
    const text = Percent.decode(segment)
    if (text === undefined) return undefined
    texts.push(text)
    places.set(at, place)
    at += segment.length + 1
    place += text.length + 1
  }
  return { received, decoded: `/${texts.join('/')}`, decodedOffsets: places.set(at, place) }
}

/** The position of the first segment. */
export const start = 1

/** The position past the end. */
export const end = ({ received }: IndexedPath): number => received.length + 1

/** The position behind the segment at a position that is not past the end. */
export const next = ({ received }: IndexedPath, at: number): number => {
  const slash = received.indexOf('/', at)
  return (slash < 0 ? received.length : slash) + 1
}

/** Where a position is in the decoded text. */
export const decodedOffset = ({ decodedOffsets }: IndexedPath, at: number): number =>
  decodedOffsets === undefined ? at : (decodedOffsets.get(at) ?? at)

/** The segments from a position up to another, as received. */
export const raw = ({ received }: IndexedPath, from: number, to: number): string =>
  received.slice(from, to - 1)

/** The segments from a position up to another, decoded; a slash that was escaped is one like others. */
export const text = (path: IndexedPath, from: number, to: number): string =>
  path.decoded.slice(decodedOffset(path, from), decodedOffset(path, to) - 1)
