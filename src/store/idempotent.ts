/** The combinator that prevents requests with the same `Idempotency-Key` from running an operation twice. */
import type { AttributeStep } from '../endpoint/tree/tree-scope.ts'
import { setAttributes } from '../endpoint/tree/tree-scope.ts'
import { checkOneOf } from '../endpoint/definition/describe-value.ts'
import { checkOptions, combinatorFactory } from '../endpoint/internal/combinator.ts'
import type { Duration, InvalidText, Size, ValidDuration, ValidSize } from '../endpoint/limits.ts'
import { readDuration, readSize } from '../endpoint/limits.ts'
import type { Idempotency } from '../endpoint/definition/idempotency.ts'

/** Options for {@link idempotent}. */
export interface IdempotencyOptions {
  /** Whether requests without the header `Idempotency-Key` are rejected with 400. Default: `true`. */
  readonly required?: boolean
  /**
   * Whether keys must be Strings of structured fields (RFC 9651, 3.3.3), as in `Idempotency-Key: "8e03978e-40d5"`. By default, keys without
   * quotes are also accepted, because most clients send them. They consist of letters, digits and `-._~:/+=@`. Default: `false`.
   */
  readonly strict?: boolean
  /**
   * The time after which the key of a process that has ended can be used again. While the operation runs, the server extends the lease. At
   * least 1 ms. Default: `30s`.
   */
  readonly lease?: Duration
  /** The time for which responses are stored. At least 1 ms. Default: `24h`. */
  readonly retention?: Duration
  /** Maximum size of a stored response with its headers. Default: `1M`. */
  readonly maxResponseSize?: Size
}

/** Checks the names of options, and literals of sizes and durations. The error message ends in the remedy. */
// the members are optional because `O` can be a union
export type ValidIdempotency<O> = {
  readonly [K in keyof O]?: K extends 'lease' | 'retention'
    ? ValidDuration<O[K]>
    : K extends 'maxResponseSize'
      ? ValidSize<O[K]>
      : K extends keyof IdempotencyOptions
        ? unknown
        : InvalidText<`there is no option ${K & string}`>
}

/**
 * Runs an operation at most once for each `Idempotency-Key`. Applies to an operation, or to all operations in a resource or a tree. The
 * innermost value applies, and `false` disables it.
 *
 * The first response with a key is stored (see `withStore`) and sent again, with the header `Idempotent-Replayed: true`, if the request is
 * repeated. A request is a repetition if it has the key, the principal, the operation, the decoded input and the selected media type and
 * language of the first one. The order of the members in a JSON document does not matter. Other principals have keys of their own.
 *
 * | status | cause |
 * |---|---|
 * | 400 | the key is missing or malformed |
 * | 409 | the first request is still running (`Retry-After: 1`), or its response was too large to be stored |
 * | 422 | the key was used for a request with another input, or for another operation |
 * | 503 | the store is not available; the operation has not run |
 *
 * Responses with the statuses 401, 403, 408, 413, 429 and 503 are not stored, so the request can be repeated. The same applies if the
 * request timed out, or if the operation threw the `AbortError` of `context.request.signal` after the client had disconnected. All other
 * responses are stored, including 500, and also if the client has disconnected. A response above `maxResponseSize` is not
 * stored. The operation does not run again, and repetitions receive 409.
 *
 * The key is required for POST, PATCH and other methods that are neither safe nor idempotent. For PUT and DELETE it is optional, and for safe
 * methods it is ignored. Streams, files and uploads cannot be stored or compared, and are a configuration error
 * (`FW-ROUTE-005`), and so are `blocking` operations, because each worker has a store of its own. Throws a `TypeError` for an unknown or invalid option.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, handle, idempotent, int, json, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * let orders = 0
 * const order = pipe(
 *   path('/orders'),
 *   post(),
 *   body(json(t.type({ book: t.string }))),
 *   produces(json(int)),
 *   idempotent(),
 *   handle(() => ++orders),
 * )
 * const send = inMemory(routes({ order }))
 * const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': '8e03978e-40d5' }
 * const request = { method: 'POST', headers, body: '{"book":"Emma"}' }
 * await send('http://localhost/orders', request)
 * const repeated = await send('http://localhost/orders', request)
 *
 * assert.equal(await repeated.text(), '1')
 * assert.equal(repeated.headers.get('Idempotent-Replayed'), 'true')
 * ```
 */
export const idempotent: <const O extends IdempotencyOptions | false>(
  options?: O & ValidIdempotency<O>,
) => AttributeStep = combinatorFactory(
  'idempotent',
  (options: IdempotencyOptions | false = {}): AttributeStep =>
    setAttributes({ idempotency: options === false ? false : idempotencyFrom(options) }),
)

const idempotencyFrom = (options: IdempotencyOptions): Idempotency => {
  const known = ['required', 'strict', 'lease', 'retention', 'maxResponseSize'] as const
  const {
    required = true,
    strict = false,
    lease = 30_000,
    retention = 86_400_000,
    maxResponseSize = 1024 * 1024,
  } = checkOptions<IdempotencyOptions>('idempotent', known, options)
  return Object.freeze({
    isRequired: checkOneOf('idempotent', 'required', [true, false], required),
    isStrict: checkOneOf('idempotent', 'strict', [true, false], strict),
    lease: positive('lease', readDuration('lease', lease)),
    retention: positive('retention', readDuration('retention', retention)),
    maxResponseSize: readSize('maxResponseSize', maxResponseSize),
  })
}

const positive = (name: string, duration: number): number => {
  if (duration > 0) return duration
  throw new TypeError(`invalid ${name}: must be at least 1 ms`)
}
