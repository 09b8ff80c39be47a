/** A filter that adds security headers for browsers. */
import { pipe } from 'fp-ts/lib/function.js'
import type { PlainFilter } from '../endpoint/filter.ts'
import { priority } from '../endpoint/filter-order.ts'
import { responseFilter } from '../endpoint/response-filter.ts'
import { priorities } from './priorities.ts'
import { headersOf, withMissingHeaders } from './reply-headers.ts'

/** Options of `Strict-Transport-Security`, which makes browsers use only TLS. */
export interface TransportSecurity {
  /** Seconds. */
  readonly maxAge: number
  readonly includeSubDomains?: boolean
  /** Whether the host may be included in the preload lists of browsers. */
  readonly preload?: boolean
}

/** The headers to send in addition to `X-Content-Type-Options`. `true` sends a value that suits a service. */
export interface SecurityHeadersOptions {
  /**
   * `Strict-Transport-Security`, sent over TLS only (RFC 6797, 7.2). `true`: one year, with all subdomains. Browsers apply it until
   * it expires.
   */
  readonly strictTransportSecurity?: true | TransportSecurity
  /** `Content-Security-Policy`. `true`: documents cannot load any resource and cannot be embedded in frames. */
  readonly contentSecurityPolicy?: true | string
  /** `X-Frame-Options`, for browsers without support for Content Security Policy. `true`: `DENY`. */
  readonly frameOptions?: true | 'DENY' | 'SAMEORIGIN'
  /** `Referrer-Policy`. `true`: `no-referrer`. */
  readonly referrerPolicy?: true | string
  /** `Permissions-Policy`. */
  readonly permissionsPolicy?: string
  /** `Cross-Origin-Resource-Policy`. `true`: `same-origin`. */
  readonly crossOriginResourcePolicy?: true | 'same-origin' | 'same-site' | 'cross-origin'
  /** `Cross-Origin-Opener-Policy`. `true`: `same-origin`. */
  readonly crossOriginOpenerPolicy?:
    | true
    | 'same-origin'
    | 'same-origin-allow-popups'
    | 'noopener-allow-popups'
}

/**
 * Adds `X-Content-Type-Options: nosniff` and the headers of `options` to every response, including error responses. Headers of
 * the reply take precedence. Throws a `TypeError` for an invalid header value.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, html, path, produces, routes, securityHeaders, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const page = pipe(
 *   path('/'),
 *   get(),
 *   produces(html),
 *   handle(() => '<h1>Hello</h1>'),
 * )
 * const api = pipe(
 *   routes({ page }),
 *   withFilter(securityHeaders({ contentSecurityPolicy: "default-src 'self'", frameOptions: true })),
 * )
 * const { headers } = await inMemory(api)(new Request('http://localhost/'))
 *
 * assert.equal(headers.get('X-Content-Type-Options'), 'nosniff')
 * assert.equal(headers.get('Content-Security-Policy'), "default-src 'self'")
 * assert.equal(headers.get('X-Frame-Options'), 'DENY')
 * ```
 */
export const securityHeaders = (options: SecurityHeadersOptions = {}): PlainFilter => {
  const headers = headersOf([
    ['X-Content-Type-Options', 'nosniff'],
    [
      'Content-Security-Policy',
      orDefault(options.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
    ],
    ['X-Frame-Options', orDefault(options.frameOptions, 'DENY')],
    ['Referrer-Policy', orDefault(options.referrerPolicy, 'no-referrer')],
    ['Permissions-Policy', options.permissionsPolicy],
    ['Cross-Origin-Resource-Policy', orDefault(options.crossOriginResourcePolicy, 'same-origin')],
    ['Cross-Origin-Opener-Policy', orDefault(options.crossOriginOpenerPolicy, 'same-origin')],
  ])
  const transport = headersOf([
    ['Strict-Transport-Security', transportSecurity(options.strictTransportSecurity)],
  ])
  const headersOverTls = [...headers, ...transport]
  return pipe(
    responseFilter((replied, { security }) =>
      withMissingHeaders(
        replied,
        transport.length > 0 && security.secure ? headersOverTls : headers,
      ),
    ),
    priority(priorities.securityHeaders),
  )
}

const orDefault = <A>(option: true | A | undefined, value: A): A | undefined =>
  option === true ? value : option

const year = 365 * 24 * 60 * 60

const transportSecurity = (option: true | TransportSecurity | undefined): string | undefined => {
  if (option === undefined) return undefined
  const {
    maxAge,
    includeSubDomains = false,
    preload = false,
  }: TransportSecurity = option === true ? { maxAge: year, includeSubDomains: true } : option
  if (!(Number.isSafeInteger(maxAge) && maxAge >= 0))
    throw new TypeError(
      `securityHeaders: maxAge must be a non-negative integer number of seconds, got ${maxAge}`,
    )
  return [
    `max-age=${maxAge}`,
    ...(includeSubDomains ? ['includeSubDomains'] : []),
    ...(preload ? ['preload'] : []),
  ].join('; ')
}
