/** A filter that adds security headers for browsers. */
import { checkOptions } from '../endpoint/internal/combinator.ts'
import { pipe } from 'fp-ts/lib/function.js'
import type { PlainFilter } from '../endpoint/filter.ts'
import { priority, withOrder } from '../endpoint/filter-order.ts'
import { responseFilter } from '../endpoint/filter.ts'
import { priorities } from './authentication.ts'
import { headersOf, withMissingHeaders } from './reply-headers.ts'

/** Parameters of the `Strict-Transport-Security` header, which instructs browsers to use only HTTPS. */
export interface TransportSecurity {
  /** Time, in seconds, for which browsers access this host only over HTTPS after receiving the header. */
  readonly maxAge: number
  readonly includeSubDomains?: boolean
  /** Whether the host can be included in the preload lists of browsers. */
  readonly preload?: boolean
}

/**
 * The headers to send in addition to `X-Content-Type-Options`. The option value `true` selects a recommended header
 * value.
 */
export interface SecurityHeadersOptions {
  /**
   * Value of the `Strict-Transport-Security` header, which is sent only over TLS (RFC 6797, 7.2). `true` means one
   * year and all subdomains. Browsers apply the policy until it expires.
   */
  readonly strictTransportSecurity?: true | TransportSecurity
  /**
   * Value of the `Content-Security-Policy` header. `true` means that documents cannot load any resources and cannot
   * be embedded in frames.
   */
  readonly contentSecurityPolicy?: true | string
  /**
   * Value of the `X-Frame-Options` header, for browsers that do not support Content Security Policy. `true` means
   * `DENY`.
   */
  readonly frameOptions?: true | 'DENY' | 'SAMEORIGIN'
  /** Value of the `Referrer-Policy` header. `true` means `no-referrer`. */
  readonly referrerPolicy?: true | string
  /** Value of the `Permissions-Policy` header. */
  readonly permissionsPolicy?: string
  /** Value of the `Cross-Origin-Resource-Policy` header. `true` means `same-origin`. */
  readonly crossOriginResourcePolicy?: true | 'same-origin' | 'same-site' | 'cross-origin'
  /** Value of the `Cross-Origin-Opener-Policy` header. `true` means `same-origin`. */
  readonly crossOriginOpenerPolicy?:
    | true
    | 'same-origin'
    | 'same-origin-allow-popups'
    | 'noopener-allow-popups'
}

/**
 * Creates a filter that adds `X-Content-Type-Options: nosniff` and the headers in `options` to every response,
 * including error responses. Headers already set in a reply take precedence. Throws a `TypeError` for an invalid header
 * value.
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
  checkOptions(
    'securityHeaders',
    [
      'strictTransportSecurity',
      'contentSecurityPolicy',
      'frameOptions',
      'referrerPolicy',
      'permissionsPolicy',
      'crossOriginResourcePolicy',
      'crossOriginOpenerPolicy',
    ],
    options,
  )
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
    withOrder(() => ({ name: 'securityHeaders' })),
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
  } = checkOptions<TransportSecurity>(
    'strictTransportSecurity',
    ['maxAge', 'includeSubDomains', 'preload'],
    option === true ? { maxAge: year, includeSubDomains: true } : option,
  )
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
