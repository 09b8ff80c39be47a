/** Reads a stream of octets to its end, or cancels it. */
import * as E from 'fp-ts/lib/Either.js'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { ClientResponse } from '../exchange.ts'
import { Silence, tooSilent } from './read-timeout.ts'
import type { WholeLimits } from './lazy-response.ts'
import { tooMany, Unopened } from './lazy-response.ts'

export type Octets = ReadableStream<Uint8Array>

/**
 * Goes on with all octets; with `Left` of {@link tooMany}, of {@link tooSilent}, or of the error with which the stream broke off. It
 * goes on itself, because another function that waits for this one costs 1 KB of memory for each call.
 */
export const readWhole = <A>(
  response: ClientResponse,
  limits: WholeLimits,
  goOn: (octets: E.Either<unknown, Uint8Array>) => A | Promise<A>,
): Promise<A> => {
  const unopened = Unopened.contentOf(response)
  return unopened === undefined
    ? readStream(response, limits, goOn)
    : unopened.whole(limits).then(
        (octets) => goOn(E.right(octets)),
        (error: unknown) => goOn(E.left(error)),
      )
}

const readStream = async <A>(
  { body }: ClientResponse,
  limits: WholeLimits,
  goOn: (octets: E.Either<unknown, Uint8Array>) => A | Promise<A>,
): Promise<A> => {
  if (body === null) return goOn(E.right(new Uint8Array()))
  const reader = body.getReader()
  const silence = silenceOf(reader, limits)
  let only: Uint8Array | undefined
  let pieces: ByteCollector | undefined
  let length = 0
  let broken: E.Either<unknown, never> | undefined
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      silence?.heard()
      length += value.length
      if (length > limits.octets) {
        leave(reader)
        broken = E.left(tooMany)
        break
      }
      // most contents come in one piece
      if (only === undefined) only = value
      else {
        if (pieces === undefined) (pieces = new ByteCollector()).add(only)
        pieces.add(value)
      }
    }
  } catch (error) {
    broken = E.left(error)
  }
  if (silence?.end() === true) broken = E.left(tooSilent)
  return goOn(broken ?? E.right(pieces === undefined ? (only ?? new Uint8Array()) : pieces.take()))
}

/** The beginning of a stream. */
export interface Beginning {
  readonly octets: Uint8Array
  /** What it broke off with, which may be {@link tooSilent}; `undefined` where it did not. */
  readonly error: unknown
}

/** The first octets, as many as there are; the rest is cancelled. A stream that breaks off has those that came. */
export const readFirst = async (body: Octets | null, limits: WholeLimits): Promise<Beginning> => {
  if (body === null) return { octets: new Uint8Array(), error: undefined }
  const pieces = new ByteCollector()
  let broken: unknown
  const reader = body.getReader()
  const silence = silenceOf(reader, limits)
  try {
    while (pieces.length < limits.octets) {
      const { done, value } = await reader.read()
      if (done) break
      silence?.heard()
      pieces.add(value)
    }
    leave(reader)
  } catch (error) {
    broken = error
  }
  if (silence?.end() === true) broken = tooSilent
  return { octets: pieces.take().subarray(0, limits.octets), error: broken }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Who reads a stream that is let go of hears of its end at once. */
const silenceOf = (reader: Reader, { timeout }: WholeLimits): Silence | undefined =>
  timeout === undefined ? undefined : new Silence(timeout, () => leave(reader))

/** Nobody waits for it: a copy of a stream is left only when the other one is. */
const leave = (reader: Reader): void => {
  reader.cancel().catch(() => undefined)
}

/** Lets go of a content that nobody reads, so that its connection is free again. One that somebody reads is theirs. */
export const cancel = (body: Octets | null): void => {
  if (body !== null && !body.locked) body.cancel().catch(() => undefined)
}
