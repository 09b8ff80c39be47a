/** Header fields that keep browsers from doing what a service does not want. */
import { pipe } from 'fp-ts/lib/function.js'
import type { PlainFilter } from '../endpoint/filter.ts'
import { priority } from '../endpoint/filter-order.ts'
import { responseFilter } from '../endpoint/response-filter.ts'
import { priorities } from './priorities.ts'
import { headersOf, withMissingHeaders } from './reply-headers.ts'

/** How long, and for which hosts, a browser uses nothing but TLS. */
export interface TransportSecurity {
  /** Seconds. */
  readonly maxAge: number
  readonly includeSubDomains?: boolean
  /** Whether the host may join the lists that browsers are delivered with. */
  readonly preload?: boolean
}

/** What is sent beside `X-Content-Type-Options`: `true` for the value that suits a service, or another one. */
export interface SecurityHeadersOptions {
  /**
   * `Strict-Transport-Security`, only over TLS (RFC 6797, 7.2): `true` is a year with all subdomains. It
   * cannot be taken back before that time is over.
   */
  readonly strictTransportSecurity?: true | TransportSecurity
  /** `Content-Security-Policy`: `true` allows a document nothing, and nobody to frame it. */
  readonly contentSecurityPolicy?: true | string
  /** `X-Frame-Options`, for browsers that know no policy: `true` is `DENY`. */
  readonly frameOptions?: true | 'DENY' | 'SAMEORIGIN'
  /** `Referrer-Policy`: `true` is `no-referrer`. */
  readonly referrerPolicy?: true | string
  /** `Permissions-Policy`. */
  readonly permissionsPolicy?: string
  /** `Cross-Origin-Resource-Policy`: `true` is `same-origin`. */
  readonly crossOriginResourcePolicy?: true | 'same-origin' | 'same-site' | 'cross-origin'
  /** `Cross-Origin-Opener-Policy`: `true` is `same-origin`. */
  readonly crossOriginOpenerPolicy?:
    | true
    | 'same-origin'
    | 'same-origin-allow-popups'
    | 'noopener-allow-popups'
}

/**
 * Adds `X-Content-Type-Options: nosniff` to every response, refusals and errors too, and what else is asked for. A field that
 * a reply has already stays as it is. Throws a `TypeError` for a value that cannot be sent.
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
  const fields = headersOf([
    ['X-Content-Type-Options', 'nosniff'],
    [
      'Content-Security-Policy',
      usual(options.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
    ],
    ['X-Frame-Options', usual(options.frameOptions, 'DENY')],
    ['Referrer-Policy', usual(options.referrerPolicy, 'no-referrer')],
    ['Permissions-Policy', options.permissionsPolicy],
    ['Cross-Origin-Resource-Policy', usual(options.crossOriginResourcePolicy, 'same-origin')],
    ['Cross-Origin-Opener-Policy', usual(options.crossOriginOpenerPolicy, 'same-origin')],
  ])
  const transport = headersOf([
    ['Strict-Transport-Security', transportSecurity(options.strictTransportSecurity)],
  ])
  const secured = [...fields, ...transport]
  return pipe(
    responseFilter((answered, { security }) =>
      withMissingHeaders(answered, transport.length > 0 && security.secure ? secured : fields),
    ),
    priority(priorities.securityHeaders),
  )
}

const usual = <A>(option: true | A | undefined, value: A): A | undefined =>
  option === true ? value : option

const year = 365 * 24 * 60 * 60

const transportSecurity = (option: true | TransportSecurity | undefined): string | undefined => {
  if (option === undefined) return undefined
  const said = option === true ? { maxAge: year, includeSubDomains: true } : option
  const { maxAge, includeSubDomains = false, preload = false }: TransportSecurity = said
  if (!(Number.isSafeInteger(maxAge) && maxAge >= 0))
    throw new TypeError(`maxAge is a whole number of seconds, not ${maxAge}`)
  return [
    `max-age=${maxAge}`,
    ...(includeSubDomains ? ['includeSubDomains'] : []),
    ...(preload ? ['preload'] : []),
  ].join('; ')
}
