/** Exchanges that delegate to another exchange, except for the parts that pre-matching filters or decompression have changed. */
import type { ClientCertificate } from '../endpoint/context.ts'
import type { Rewriting } from '../endpoint/request-filter.ts'
import type { RequestFailure } from '../http/failure.ts'
import * as Headers from '../http/headers.ts'
import * as RequestTarget from '../http/request-target.ts'
import type { EncodedResponse, Exchange, BodyStream, Platform } from './exchange.ts'
import { onStreamEnd } from './exchange.ts'
import type { SizeLimit } from '../compiler/settings/body-limit.ts'
import type { MemoryReservation } from './memory-reservation.ts'

/** Returns the original exchange, before any rewriting. */
export const originalExchange = (exchange: Exchange): Exchange =>
  exchange instanceof RewrittenExchange ? originalExchange(exchange.original) : exchange

/** Applies the changes requested by a pre-matching filter. The new target must match `grammar`. Throws a `TypeError` if the new target or a new header is invalid. */
export const rewriteExchange = (
  exchange: Exchange,
  { method, target, headers }: Rewriting,
  grammar: RequestTarget.TargetGrammar,
): Exchange =>
  method === undefined && target === undefined && headers === undefined
    ? exchange
    : new RewrittenExchange(exchange, {
        method: method ?? exchange.method,
        target: target === undefined ? exchange : parseTarget(target, grammar),
        headers:
          headers === undefined ? exchange.headers : changeHeaders(exchange.headers, headers),
      })

interface Resource {
  readonly path: string
  readonly query: string | undefined
}

const parseTarget = (target: string, grammar: RequestTarget.TargetGrammar): Resource => {
  const parsed = RequestTarget.parseOriginForm(target, grammar)
  if (parsed === undefined)
    throw new TypeError(`invalid request target ${JSON.stringify(target)}: expected a path`)
  return parsed
}

const changeHeaders = (
  headers: Headers.RequestHeaders,
  changes: Readonly<Record<string, string | undefined>>,
): Headers.Headers =>
  Object.entries(changes).reduce<Headers.Headers>((current, [name, value]) => {
    const others = Headers.without(current, name)
    return value === undefined ? others : Headers.append(others, name, value)
  }, Headers.toList(headers))

/** An exchange that delegates to another exchange, except for the rewritten parts. */
export class RewrittenExchange implements Exchange {
  readonly original: Exchange
  readonly method: string
  readonly path: string
  readonly query: string | undefined
  readonly headers: Headers.RequestHeaders

  constructor(
    original: Exchange,
    to: {
      readonly method: string
      readonly target: Resource
      readonly headers: Headers.RequestHeaders
    },
  ) {
    this.original = original
    this.method = to.method
    this.path = to.target.path
    this.query = to.target.query
    this.headers = to.headers
  }

  origin(): string {
    return this.original.origin()
  }
  prefix(): string {
    return this.original.prefix()
  }
  clientAddress(): string | undefined {
    return this.original.clientAddress()
  }
  get runtimeValue(): unknown {
    return this.original.runtimeValue
  }
  clientCertificate(): ClientCertificate | undefined {
    return this.original.clientCertificate?.()
  }
  signal(): AbortSignal {
    return this.original.signal()
  }
  readBody(limit: SizeLimit, then: (body: Uint8Array | RequestFailure) => void): void {
    this.original.readBody(limit, then)
  }
  streamBody(limit: SizeLimit): BodyStream | RequestFailure {
    return this.original.streamBody(limit)
  }
  get platform(): Platform {
    return this.original.platform
  }
  get reservation(): MemoryReservation | undefined {
    return this.original.reservation
  }
  hasRoomFor(response: EncodedResponse): boolean {
    return this.original.hasRoomFor?.(response) ?? true
  }
  send(response: EncodedResponse): void {
    this.original.send(response)
  }
  onEnd(then: () => void): void {
    this.original.onEnd(then)
  }
  onStreamEnd(then: () => void): void {
    onStreamEnd(this.original, then)
  }
}
