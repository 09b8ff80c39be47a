/** How much an operation takes, and for how long, where that is not what the settings say. */
import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { durationMillis } from '../codec/duration-millis.ts'
import { size } from '../codec/size.ts'
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import type { Limits } from './internal/attributes.ts'

/** Octets as a number, or as text with a binary unit: `512K`, `10M`, `1G`. */
export type Size = number | string

/** Milliseconds as a number, or a duration as text: `10s`, `500ms`, `PT30M`; at most 24 days. */
export type Duration = number | string

/** What can be limited; what is not named keeps the limit that is said around it or, last, that of the settings. */
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
  /** A name or value of a form that is no file, in place of `fw.http.limits.max-form-attribute-size`. */
  readonly formAttributeSize?: Size
  /** A file of a multipart form, in place of `fw.http.limits.max-multipart-file-size`. */
  readonly fileSize?: Size
  /**
   * Until the response begins, in place of `fw.http.handler-timeout` and, for a blocking operation, of `fw.worker.timeout`; 0
   * waits without end.
   */
  readonly time?: Duration
}

/**
 * Limits of an operation, or of all of a resource or tree: larger or smaller ones than the settings have. The nearest wins,
 * limit by limit. What has more octets is refused with 413, before it is read where its length is announced. However large it
 * may be, a request has to arrive within `fw.http.read-timeout`. Throws a `TypeError` for what is no size or duration.
 *
 * A response that has not begun within `time` is answered with 503 (RFC 9110, 15.6.4), without `Retry-After`: nobody knows
 * whether it would go faster, and what still runs may have its effect. `context.request.signal` aborts, and what comes later is
 * dropped. The time runs from when the operation is found: filters and interceptors are part of it, those before matching are
 * not. While the content is received it rests, and behind that the whole of it is there again. A stream has begun with its
 * first piece. Of a blocking operation on a worker, `time` is what its job may take, answered with 504.
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
  if (isLeft(decoded)) throw new TypeError(`${name} is ${codec.name}, not ${JSON.stringify(given)}`)
  return decoded.right
}
