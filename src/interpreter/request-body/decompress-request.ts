/** Decompresses request bodies (RFC 9110, 8.4). Later steps see an exchange without `Content-Encoding` and `Content-Length`. */
import { isHttpError } from '../../endpoint/http-error.ts'
import type { RequestFailure } from '../../http/failure.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { Decompressor, Exchange, BodyStream } from '../exchange.ts'
import { isFailure } from '../exchange.ts'
import { isAbort } from '../errors/log-errors.ts'
import type { MemoryReservation } from '../memory-reservation.ts'
import { RewrittenExchange } from '../rewritten-exchange.ts'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import { bodyTooLarge } from '../../compiler/settings/body-limit.ts'
import { failureOf, readError } from '../errors/error-response.ts'
import * as Failures from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'

/** Whether a request body has a content coding other than `identity`. */
export const isCompressed = (headers: Headers.RequestHeaders): boolean =>
  codingOf(headers) !== undefined

const codingOf = (headers: Headers.RequestHeaders): string | undefined => {
  const text = Headers.combined(headers, 'content-encoding')
  if (text === undefined) return undefined
  const coding = Grammar.trim(text).toLowerCase()
  return coding === 'identity' ? undefined : coding
}

/**
 * Returns an exchange that decompresses the body. If the body has an unsupported content coding or several content codings,
 * returns `exchange` unchanged.
 */
export const decompressRequest = (exchange: Exchange): Exchange => {
  const coding = codingOf(exchange.headers)
  // `x-gzip` is equivalent to `gzip` (RFC 9110, 8.4.1.3)
  const decompress = exchange.platform.decompressors.get(
    coding === 'x-gzip' ? 'gzip' : (coding ?? ''),
  )
  return decompress === undefined ? exchange : new DecompressedExchange(exchange, decompress)
}

class DecompressedExchange extends RewrittenExchange {
  readonly #decompress: Decompressor

  constructor(compressed: Exchange, decompress: Decompressor) {
    super(compressed, {
      method: compressed.method,
      target: compressed,
      headers: Headers.without(
        Headers.without(Headers.toList(compressed.headers), 'content-encoding'),
        'content-length',
      ),
    })
    this.#decompress = decompress
  }

  override streamBody(limit: SizeLimit): BodyStream | RequestFailure {
    const compressed = this.original.streamBody({ ...limit, bytes: compressedLimit(limit.bytes) })
    if (isFailure(compressed))
      return compressed._tag === 'ContentTooLarge' ? bodyTooLarge(limit) : compressed
    const chunks = decompressed(compressed, this.#decompress, limit)
    // a reader may stop without calling `return`, and the decompressor holds memory
    this.onEnd(() => void chunks.return(undefined).catch(() => undefined))
    return chunks
  }

  override readBody(limit: SizeLimit, then: (body: Uint8Array | RequestFailure) => void): void {
    const chunks = this.streamBody(limit)
    if (isFailure(chunks)) return then(chunks)
    readAll(chunks, this.reservation).then(then, (error: unknown) => {
      const failure = isHttpError(error) ? failureOf(error) : undefined
      if (failure !== undefined) then(failure)
      else if (!isAbort(error, () => this.signal())) then({ _tag: 'InternalError' })
    })
  }
}

/**
 * Returns the maximum size of a compressed body whose decompressed size is `limit` bytes. The result exceeds `limit`, because
 * compression makes incompressible data slightly larger.
 */
const compressedLimit = (limit: number): number => limit + Math.ceil(limit / 1024) + 1024

/** The maximum compression ratio. Not enforced until more than `uncheckedBytes` bytes have been decompressed. */
const maxRatio = 100
const uncheckedBytes = 1024 * 1024

const ratioExceeded: RequestFailure = {
  _tag: 'ContentTooLarge',
  detail: `Maximum compression ratio of ${maxRatio} exceeded.`,
}

const malformed: RequestFailure = Failures.ofErrors('InvalidInput', [
  { in: 'body', pointer: '#', detail: 'malformed compressed data' },
])

/** Yields the decompressed chunks. Enforces the limits on the size and the compression ratio. */
async function* decompressed(
  compressed: AsyncIterable<Uint8Array>,
  decompress: Decompressor,
  limit: SizeLimit,
): AsyncGenerator<Uint8Array, undefined> {
  let received = 0
  let failure: { readonly error: unknown } | undefined
  async function* countReceived(): AsyncGenerator<Uint8Array, undefined> {
    try {
      for await (const chunk of compressed) {
        received += chunk.length
        yield chunk
      }
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  let bytes = 0
  try {
    for await (const chunk of decompress(countReceived())) {
      bytes += chunk.length
      if (bytes > limit.bytes) throw readError(bodyTooLarge(limit))
      if (bytes > uncheckedBytes && bytes > received * maxRatio) throw readError(ratioExceeded)
      yield chunk
    }
  } catch (error) {
    if (failure !== undefined)
      throw isTooLarge(failure.error) ? readError(bodyTooLarge(limit)) : failure.error
    if (isHttpError(error)) throw error
    // an empty body is valid in every content coding
    if (received > 0) throw readError(malformed)
  }
}

/** Whether the compressed body exceeds its size limit. */
const isTooLarge = (error: unknown): boolean =>
  isHttpError(error) && failureOf(error)?._tag === 'ContentTooLarge'

/** Reads an entire decompressed body. Its bytes are counted in `reservation`. */
const readAll = async (
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
