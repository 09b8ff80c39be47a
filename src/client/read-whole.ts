/** Reads a stream of octets to its end, or cancels it. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientResponse } from './exchange.ts'
import { tooMany, Unopened } from './unopened.ts'

export type Octets = ReadableStream<Uint8Array>

/**
 * Goes on with all octets; with `Left` of {@link tooMany} when there are more than `limit`, or of the error with which the stream
 * broke off. It goes on itself, because another function that waits for this one costs 1 KB of memory for each call.
 */
export const readWhole = async <A>(
  response: ClientResponse,
  limit: number,
  goOn: (octets: E.Either<unknown, Uint8Array>) => A | Promise<A>,
): Promise<A> => {
  const unopened = Unopened.contentOf(response)
  if (unopened !== undefined) return unopened.whole(limit).then(E.right, E.left).then(goOn)
  const { body } = response
  if (body === null) return goOn(E.right(new Uint8Array()))
  const reader = body.getReader()
  let only: Uint8Array | undefined
  let pieces: Uint8Array[] | undefined
  let length = 0
  let broken: E.Either<unknown, never> | undefined
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      length += value.length
      if (length > limit) {
        leave(reader)
        broken = E.left(tooMany)
        break
      }
      // most contents come in one piece
      if (only === undefined) only = value
      else (pieces ??= [only]).push(value)
    }
  } catch (error) {
    broken = E.left(error)
  }
  return goOn(
    broken ?? E.right(pieces === undefined ? (only ?? new Uint8Array()) : joined(pieces, length)),
  )
}

/** The beginning of a stream. */
export interface Beginning {
  readonly octets: Uint8Array
  /** What it broke off with; `undefined` where it did not. */
  readonly error: unknown
}

/** The first octets, as many as there are; the rest is cancelled. A stream that breaks off has those that came. */
export const readFirst = async (body: Octets | null, limit: number): Promise<Beginning> => {
  if (body === null) return { octets: new Uint8Array(), error: undefined }
  const pieces: Uint8Array[] = []
  let length = 0
  let broken: unknown
  const reader = body.getReader()
  try {
    while (length < limit) {
      const { done, value } = await reader.read()
      if (done) break
      length += value.length
      pieces.push(value)
    }
    leave(reader)
  } catch (error) {
    broken = error
  }
  return { octets: joined(pieces, length).subarray(0, limit), error: broken }
}

/** Nobody waits for it: a copy of a stream is left only when the other one is. */
const leave = (reader: ReadableStreamDefaultReader<Uint8Array>): void => {
  reader.cancel().catch(() => undefined)
}

/** Pieces of so many octets as one. */
export const joined = (pieces: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1) return only
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** Lets go of a content that nobody reads, so that its connection is free again. One that somebody reads is theirs. */
export const cancel = (body: Octets | null): void => {
  if (body !== null && !body.locked) body.cancel().catch(() => undefined)
}
