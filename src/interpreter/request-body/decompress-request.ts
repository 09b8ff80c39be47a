/**
 * Requests whose content is coded (RFC 9110, 8.4), as they would be without. Everything behind sees a request that was never
 * coded: its content is taken with the coding off, and the fields that tell of coded bytes are gone.
 */
import { isHttpError } from '../../endpoint/http-error.ts'
import type { RequestFailure } from '../../http/failure.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { Decompressor } from '../platform.ts'
import { isAbort } from '../errors/client-disconnect.ts'
import type { Exchange } from '../exchange.ts'
import { isFailure } from '../exchange.ts'
import type { BodyStream } from './body-stream.ts'
import type { MemoryReservation } from './memory-reservation.ts'
import { RewrittenExchange } from '../filters/rewritten-exchange.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'
import { bodyTooLarge } from '../../compiler/settings/size-limit.ts'
import { failureOf, readError } from '../errors/failure-error.ts'
import * as Failures from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'

/** Whether a content stands in a coding. */
export const isCompressed = (headers: Headers.Headers): boolean => codingOf(headers) !== undefined

const codingOf = (headers: Headers.Headers): string | undefined => {
  const text = Headers.combined(headers, 'content-encoding')
  if (text === undefined) return undefined
  const coding = Grammar.trim(text).toLowerCase()
  return coding === 'identity' ? undefined : coding
}

/** The same exchange with the coding taken off, where that can be done: one coding, which has a decoder. */
export const decompressRequest = (exchange: Exchange): Exchange => {
  const coding = codingOf(exchange.headers)
  // RFC 9110, 8.4.1.3
  const decoder = exchange.platform.decompressors.get(coding === 'x-gzip' ? 'gzip' : (coding ?? ''))
  return decoder === undefined ? exchange : new Uncoded(exchange, decoder)
}

class Uncoded extends RewrittenExchange {
  readonly #decoder: Decompressor

  constructor(coded: Exchange, decoder: Decompressor) {
    super(coded, {
      method: coded.method,
      target: coded,
      headers: Headers.without(
        Headers.without(coded.headers, 'content-encoding'),
        'content-length',
      ),
    })
    this.#decoder = decoder
  }

  override streamBody(limit: SizeLimit): BodyStream | RequestFailure {
    const coded = this.original.streamBody({ ...limit, bytes: roomFor(limit.bytes) })
    if (isFailure(coded)) return coded._tag === 'ContentTooLarge' ? bodyTooLarge(limit) : coded
    const chunks = decoded(coded, this.#decoder, limit)
    // whoever does not read to the end need not say so, and the decoder holds memory
    this.onEnd(() => void chunks.return(undefined).catch(() => undefined))
    return chunks
  }

  override readBody(limit: SizeLimit, then: (content: Uint8Array | RequestFailure) => void): void {
    const chunks = this.streamBody(limit)
    if (isFailure(chunks)) return then(chunks)
    whole(chunks, this.reservation).then(then, (error: unknown) => {
      const failure = isHttpError(error) ? failureOf(error) : undefined
      if (failure !== undefined) then(failure)
      else if (!isAbort(error, () => this.signal())) then({ _tag: 'InternalError' })
    })
  }
}

/** Bytes that may have to come for `limit` to come out: what cannot be compressed grows a little. */
const roomFor = (limit: number): number => limit + Math.ceil(limit / 1024) + 1024

/** More than so many times the bytes that came may not come out, once so many are out that it matters. */
const mostRatio = 100
const unmeasured = 1024 * 1024

const bomb: RequestFailure = {
  _tag: 'ContentTooLarge',
  detail: `The content is more than ${mostRatio} times as large as its coded form.`,
}

const broken: RequestFailure = Failures.ofErrors('InvalidInput', [
  { in: 'body', pointer: '#', detail: 'it is not of its content coding' },
])

/** What comes out, counted against the limit as it comes. */
async function* decoded(
  coded: AsyncIterable<Uint8Array>,
  decoder: Decompressor,
  limit: SizeLimit,
): AsyncGenerator<Uint8Array, undefined> {
  let came = 0
  let failure: { readonly error: unknown } | undefined
  async function* counted(): AsyncGenerator<Uint8Array, undefined> {
    try {
      for await (const chunk of coded) {
        came += chunk.length
        yield chunk
      }
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  let bytes = 0
  try {
    for await (const chunk of decoder(counted())) {
      bytes += chunk.length
      if (bytes > limit.bytes) throw readError(bodyTooLarge(limit))
      if (bytes > unmeasured && bytes > came * mostRatio) throw readError(bomb)
      yield chunk
    }
  } catch (error) {
    if (failure !== undefined) throw failure.error
    if (isHttpError(error)) throw error
    // what has no bytes is in no coding
    if (came > 0) throw readError(broken)
  }
}

/** Reads a decompressed body as a whole. Its decompressed bytes are those that count. */
const whole = async (
  chunks: AsyncIterable<Uint8Array>,
  reservation: MemoryReservation | undefined,
): Promise<Uint8Array> => {
  const collected = new ByteCollector()
  for await (const chunk of chunks) {
    if (reservation?.receive(chunk.length) === false) throw readError(reservation.rejected())
    collected.add(chunk)
  }
  reservation?.settle()
  return collected.take()
}
