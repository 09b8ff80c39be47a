/** Size limits and timeouts of operations, which override settings. */
import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { durationMillis } from '../codec/duration-millis.ts'
import { size } from '../codec/size.ts'
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import type { Limits } from './internal/attributes.ts'

/** Size in bytes: a number, or text with a binary unit (`512K`, `10M`, `1G`). */
export type Size = number | string

/** Duration: a number of milliseconds, or text (`10s`, `500ms`, `PT30M`). At most 24 days. */
export type Duration = number | string

/** Limits of an operation. An omitted limit keeps its value from the enclosing scope or the settings. */
export interface LimitsOptions {
  /**
   * Maximum size of the body, in place of `fw.http.limits.max-body-size`. Without a `parsedBodySize` it also replaces
   * `fw.http.limits.max-parsed-body-size`, so that a larger `bodySize` takes effect for JSON, too.
   */
  readonly bodySize?: Size
  /**
   * Maximum size, after decompression, of a body that is parsed as a whole (JSON, XML, HAL, URL-encoded forms, text, bytes, bodies
   * of custom readers) and of a part of a form that is not a file, in place of `fw.http.limits.max-parsed-body-size`. Files
   * and streams are not subject to it. A smaller `bodySize` takes precedence.
   */
  readonly parsedBodySize?: Size
  /**
   * Maximum size of a form name or of a value that is not a file. Overrides `fw.http.limits.max-form-attribute-size`.
   */
  readonly formAttributeSize?: Size
  /** Maximum size of a file in a multipart form. Overrides `fw.http.limits.max-multipart-file-size`. */
  readonly fileSize?: Size
  /**
   * Time within which the response must start; 0 disables the timeout. Overrides `fw.http.handler-timeout`, and for a
   * blocking operation `fw.worker.timeout`.
   */
  readonly time?: Duration
}

/**
 * Sets limits of an operation, or of all operations of a resource or a tree. They may be above or below the settings.
 * The innermost value applies, for each limit separately.
 *
 * A body above its limit results in 413, before it is read if its length is announced. Every body must arrive within
 * `fw.http.read-timeout`. Throws a `TypeError` for an invalid size or duration.
 *
 * A response that does not start within `time` becomes 503 without `Retry-After` (RFC 9110, 15.6.4). Then
 * `context.request.signal` aborts, and a later result is discarded. The timer starts after routing, and includes
 * filters and interceptors. It stops while the body is received and then restarts. A stream starts with its first
 * chunk. For a blocking operation on a worker, `time` limits its job, and the status is 504.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, bytes, get, handle, limits, path, post, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const take = (to: string) => pipe(path(to), post(), body(bytes), handle(() => {}))
 * const api = pipe(
 *   routes({ note: take('/note'), film: pipe(take('/film'), limits({ bodySize: '2G' })) }),
 *   limits({ bodySize: 3 }),
 * )
 * const send = async (to: string) =>
 *   (await inMemory(api)(`http://localhost${to}`, { method: 'POST', body: new Uint8Array(4) }))
 *     .status
 *
 * assert.equal(await send('/note'), 413)
 * assert.equal(await send('/film'), 204)
 * assert.throws(() => limits({ bodySize: 'a lot' }), TypeError)
 *
 * const stuck = pipe(
 *   path('/stuck'),
 *   get(),
 *   limits({ time: '20ms' }),
 *   handle(() => new Promise<void>(() => undefined)),
 * )
 * const response = await inMemory(routes({ stuck }))('http://localhost/stuck')
 * assert.equal(response.status, 503)
 * ```
 */
export const limits = (own: LimitsOptions): AttributeStep =>
  setAttributes({ limits: Object.freeze(limitsOf(own)) })

const limitsOf = ({
  bodySize,
  parsedBodySize,
  formAttributeSize,
  fileSize,
  time,
}: LimitsOptions): Limits => ({
  ...(bodySize === undefined ? {} : { bodySize: read('bodySize', bodySize, size) }),
  ...(parsedBodySize === undefined
    ? {}
    : { parsedBodySize: read('parsedBodySize', parsedBodySize, size) }),
  ...(formAttributeSize === undefined
    ? {}
    : { formAttributeSize: read('formAttributeSize', formAttributeSize, size) }),
  ...(fileSize === undefined ? {} : { fileSize: read('fileSize', fileSize, size) }),
  ...(time === undefined ? {} : { time: read('time', time, durationMillis) }),
})

const read = (name: string, given: number | string, codec: t.Type<number, string>): number => {
  const decoded = codec.decode(given)
  if (isLeft(decoded))
    throw new TypeError(`invalid ${name}: expected ${codec.name}, got ${JSON.stringify(given)}`)
  return decoded.right
}
