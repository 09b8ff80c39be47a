/** Declares limits on the number of requests. */
import { durationMillis } from '../codec/duration-millis.ts'
import type { Context } from '../endpoint/context.ts'
import type { RateLimit, RateLimitKey } from '../endpoint/definition/attributes.ts'
import { describeValue } from '../endpoint/definition/describe-value.ts'
import type { Rate } from '../endpoint/definition/store.ts'
import { checkOptions, combinatorFactory } from '../endpoint/internal/combinator.ts'
import type { Duration, ValidDurations } from '../endpoint/limits.ts'
import { count, readLimit } from '../endpoint/limits.ts'
import type { RateLimitStep } from '../endpoint/tree/rate-limited.ts'
import { addRateLimit } from '../endpoint/tree/rate-limited.ts'

/** Options for {@link rateLimit}. */
export interface RateLimitPolicy {
  /** Maximum number of requests of a caller in any period of the length `window`. An integer of at least 1. */
  readonly limit: number
  /** The length of the period, from 1 ms to 24 days. */
  readonly window: Duration
  /**
   * Maximum number of requests that a caller can send at once, from 1 to `limit`. Default: half of `limit`, rounded up. After a burst,
   * `limit - burst + 1` further requests are allowed in each period, at even intervals.
   */
  readonly burst?: number
  /**
   * Which requests are counted together: those of a client address (`address`), those of a principal (`principal`), or those for which
   * a function returns the same key. Default: `address`.
   */
  readonly by?: 'address' | 'principal' | ((context: Context) => string | undefined)
  /**
   * Name of the limit in headers and problem documents: 1 to 64 letters, digits, `_`, `-`, `.`, `/` and `:`. Must be unique among the limits
   * that apply to an operation. Default: `default`, then `default-2` and so on, from the outermost limit to the innermost.
   */
  readonly name?: string
  /** Whether responses have the headers `RateLimit-Policy` and `RateLimit`. Default: `true`. */
  readonly headers?: boolean
}

/**
 * Limits the number of requests of each caller to an operation, a resource or a tree. In any period of the length `window`, at most
 * `limit` requests are processed. Requests above the limit result in a 429 response, before the body is read.
 *
 * The operations of a limited tree or resource share the limit. All limits that apply to an operation are checked: those by address first, and
 * inner ones before outer ones. A request that a limit rejects counts only for the limits that were checked before. `critical` operations are not limited.
 *
 * Limits are enforced by the generic cell rate algorithm, which needs one number for each caller and forgets no request at the end of a
 * period. A caller who sends a `burst` of requests then regains one request after each `window / (limit - burst + 1)`:
 *
 * | limit, window | burst       | at once | then one every | in each further minute |
 * |---------------|-------------|---------|----------------|------------------------|
 * | 10, `1m`      | 5 (default) | 5       | 10 s           | 6                      |
 * | 10, `1m`      | 1           | 1       | 6 s            | 10                     |
 * | 10, `1m`      | 10          | 10      | 60 s           | 1                      |
 *
 * The 429 response has a `Retry-After` header with a number of seconds, and a problem document with the type
 * `https://iana.org/assignments/http-problem-types#quota-exceeded`, in which `violated-policies` contains the name of the limit. All
 * responses have the headers `RateLimit-Policy`, such as `"default";q=10;w=60`, and `RateLimit`, such as `"default";r=4;t=10`: 4 further
 * requests are allowed now, and one more after 10 seconds. These headers and the problem type are those of an Internet-Draft, which can change:
 * draft-ietf-httpapi-ratelimit-headers-10.
 *
 * A limit by `address` is checked before authentication, so that it also limits attempts to guess a password. The addresses of an IPv6 network
 * of 56 bits count as one, and an IPv4-mapped address counts as IPv4. Behind a proxy, set `fw.http.proxy.trusted`: otherwise, all clients have the
 * address of the proxy.
 *
 * A limit by `principal` or by a function is checked after authentication, and before the access rule. Requests without a principal, and those
 * for which the function returns `undefined`, are counted by address. `by: 'principal'` requires an authentication filter
 * (`FW-ACCESS-002`).
 *
 * Requests are counted in the store that {@link withStore} selects. If the store is not available, requests are allowed, and a
 * warning is logged at most once per second. Throws a `TypeError` for an invalid option.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { handle, path, post, rateLimit, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const login = pipe(
 *   path('/login'),
 *   post(),
 *   handle(() => {}),
 *   rateLimit({ limit: 3, window: '1m', burst: 2 }),
 * )
 * const send = inMemory(routes({ login }))
 * const attempt = () => send('http://localhost/login', { method: 'POST' })
 *
 * assert.equal((await attempt()).status, 204)
 * assert.equal((await attempt()).status, 204)
 * const rejected = await attempt()
 * assert.equal(rejected.status, 429)
 * assert.equal(rejected.headers.get('Retry-After'), '30')
 * ```
 */
export const rateLimit: <const O extends RateLimitPolicy>(
  options: O & ValidDurations<O, RateLimitPolicy, 'window'>,
) => RateLimitStep = combinatorFactory('rateLimit', (options: RateLimitPolicy) =>
  addRateLimit(readPolicy(options)),
)

const readPolicy = (options: RateLimitPolicy): RateLimit => {
  const known = ['limit', 'window', 'burst', 'by', 'name', 'headers'] as const
  const {
    by = 'address',
    name,
    headers = true,
    ...given
  } = checkOptions('rateLimit', known, options)
  const limit = readLimit('limit', given.limit, count)
  const window = readLimit('window', given.window, durationMillis)
  const burst = readLimit('burst', given.burst ?? Math.ceil(limit / 2), count)
  if (window === 0) throw new TypeError('rateLimit: invalid window: must be at least 1 ms, got 0')
  if (burst > limit)
    throw new TypeError(
      `rateLimit: invalid burst: must be at most limit, which is ${limit}, got ${burst}`,
    )
  if (name !== undefined && !(typeof name === 'string' && /^[\w\-./:]{1,64}$/.test(name)))
    throw new TypeError(
      'rateLimit: invalid name: must consist of 1 to 64 letters, digits, "_", "-", ".", "/" and ":"',
    )
  if (typeof headers !== 'boolean')
    throw new TypeError(
      `rateLimit: invalid headers: expected true or false, got ${describeValue(headers)}`,
    )
  return { name, limit, window, rate: rateOf(limit, window, burst), by: checkKey(by), headers }
}

const checkKey = (by: RateLimitKey): RateLimitKey => {
  if (by === 'address' || by === 'principal' || typeof by === 'function') return by
  throw new TypeError(
    `rateLimit: invalid by: expected 'address', 'principal' or a function, got ${describeValue(by)}`,
  )
}

/**
 * Returns the rate at which at most `limit` units are taken in any period of `window` milliseconds.
 *
 * If one unit is regained in each `interval`, `burst + n` units take at least `n` intervals. With `limit - burst + 1` for `n`, `limit + 1`
 * units therefore take at least `window`. The interval is rounded up to microseconds.
 */
const rateOf = (limit: number, window: number, burst: number): Rate => ({
  interval: Math.ceil((window * 1000) / (limit - burst + 1)) / 1000,
  burst,
})
