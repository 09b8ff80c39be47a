/** Limits and timeouts for operations. They override the corresponding settings. */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { durationMillis } from '../codec/duration-millis.ts'
import { textOrValue } from '../codec/from-string.ts'
import { size } from '../codec/size.ts'
import type { AttributeStep } from './tree/tree-scope.ts'
import { setAttributes } from './tree/tree-scope.ts'
import { checkOptions, combinatorFactory } from './internal/combinator.ts'
import type { Limits } from './definition/attributes.ts'

/**
 * A size in bytes: a number, or a string with a binary unit, such as `512K`, `10M` or `1G`. Where a function checks literals, an invalid
 * one is a compile error.
 */
export type Size = number | string

/**
 * A duration of at most 24 days: a number of milliseconds, or a string such as `10s`, `500ms` or `PT30M`. Where a function checks
 * literals, an invalid one is a compile error.
 */
export type Duration = number | string

/** Limits for an operation. If a limit is omitted, the value from the enclosing scope or the settings applies. */
export interface LimitsOptions {
  /**
   * Maximum size of the request body. Overrides `fw.http.limits.max-body-size`. If `parsedBodySize` is omitted,
   * `bodySize` also overrides `fw.http.limits.max-parsed-body-size`, so that a larger limit also applies to JSON.
   */
  readonly bodySize?: Size
  /**
   * Maximum size, after decompression, of a request body that is parsed as a whole, or of a form part that is not a
   * file. Overrides `fw.http.limits.max-parsed-body-size`. A smaller `bodySize` takes precedence.
   *
   * The limit applies to JSON, XML, HAL, URL-encoded forms, text, bytes, and bodies decoded by custom readers. It
   * does not apply to files and streams.
   */
  readonly parsedBodySize?: Size
  /**
   * Maximum size of a field name in a form, or of a field value that is not a file. Overrides
   * `fw.http.limits.max-form-attribute-size`.
   */
  readonly formAttributeSize?: Size
  /**
   * Maximum size of a file in a multipart form. Overrides `fw.http.limits.max-multipart-file-size`. A size above the limit of the
   * whole body is a configuration error (`FW-ROUTE-005`): declare `bodySize`, too.
   */
  readonly fileSize?: Size
  /** Maximum number of files in a multipart form. Overrides `fw.http.limits.max-multipart-files`. */
  readonly files?: number
  /**
   * Maximum number of query parameters, matrix parameters, cookies, fields of a form and parts of a multipart form. Overrides
   * `fw.http.limits.max-parameters`.
   */
  readonly parameters?: number
  /**
   * Maximum number of parts in a multipart form, including files. Overrides `fw.http.limits.max-multipart-parts`. If neither is
   * set, the limit of `parameters` applies.
   */
  readonly parts?: number
  /**
   * Maximum number of headers of a part in a multipart form. Overrides
   * `fw.http.limits.max-multipart-part-header-count`.
   */
  readonly partHeaders?: number
  /**
   * Maximum size of the header section of a part in a multipart form. Overrides
   * `fw.http.limits.max-multipart-part-header-size`.
   */
  readonly partHeaderSize?: Size
  /**
   * Maximum time from routing to the start of the response. `0` disables the timeout. Overrides `fw.http.handler-timeout`, or
   * `fw.worker.timeout` for a blocking operation.
   */
  readonly timeout?: Duration
}

/** Checks the names of limits, and literals of sizes and durations. The error message ends in the remedy. */
// the members are optional because `O` can be a union
export type ValidLimits<O> = {
  readonly [K in keyof O]?: K extends keyof LimitsOptions
    ? K extends 'timeout'
      ? ValidDuration<O[K]>
      : ValidSize<O[K]>
    : InvalidText<`there is no limit ${K & string}: use a member of LimitsOptions`>
}

/**
 * Sets limits for an operation, or for all operations in a resource or a tree. A limit can be higher or lower than
 * the corresponding setting. For each limit, the innermost value applies.
 *
 * A request body that exceeds its limit results in a 413 response. If the request has a `Content-Length` above the limit, the
 * body is not read at all. Too many parameters in the query, or too many cookies, result in a 400 response, and all other limits
 * of numbers in 413. Every body must arrive within `fw.http.read-timeout`. Throws a `TypeError` for an unknown limit and
 * for an invalid number, size or duration. If a size or a duration is a literal, an invalid one is a compile error.
 *
 * If the response does not start within `timeout`, the client receives 503 without `Retry-After` (RFC 9110, 15.6.4).
 * `context.request.signal` is then aborted, and a later result of the handler is discarded. The timer starts after
 * routing, so `timeout` also limits the time taken by filters and interceptors. The timer stops while the body is being
 * received, and then starts again from zero. A streamed response starts with its first chunk. For a blocking operation
 * on a worker, `timeout` limits the duration of the job, and the client receives 504 instead of 503.
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
 * // limits({ bodySize: '1 MB' }) is a compile error: use the unit K, M or G, as in 10M
 *
 * const stuck = pipe(
 *   path('/stuck'),
 *   get(),
 *   limits({ timeout: '20ms' }),
 *   handle(() => new Promise<void>(() => undefined)),
 * )
 * const response = await inMemory(routes({ stuck }))('http://localhost/stuck')
 * assert.equal(response.status, 503)
 * ```
 */
export const limits: <const O extends LimitsOptions>(options: O & ValidLimits<O>) => AttributeStep =
  combinatorFactory('limits', (options: LimitsOptions) =>
    setAttributes({ limits: Object.freeze(limitsOf(options)) }),
  )

/** A codec for a number of items. Text is not accepted, because these options have no units. */
export const count: t.Type<number, string> = textOrValue(
  'an integer of at least 1',
  (u): u is number => typeof u === 'number' && Number.isSafeInteger(u) && u >= 1,
  () => O.none,
  String,
)

const codecs: ReadonlyArray<readonly [keyof LimitsOptions, t.Type<number, string>]> = [
  ['bodySize', size],
  ['parsedBodySize', size],
  ['formAttributeSize', size],
  ['fileSize', size],
  ['files', count],
  ['parameters', count],
  ['parts', count],
  ['partHeaders', count],
  ['partHeaderSize', size],
  ['timeout', durationMillis],
]

const limitsOf = (options: LimitsOptions): Limits => {
  checkOptions(
    'limits',
    codecs.map(([name]) => name),
    options,
  )
  const decoded: { -readonly [K in keyof Limits]: Limits[K] } = {}
  for (const [name, codec] of codecs) {
    const value = options[name]
    if (value !== undefined) decoded[name] = readLimit(name, value, codec)
  }
  return decoded
}

/** Decodes a limit. Throws a `TypeError` for an invalid value. */
export const readLimit = (
  name: string,
  value: number | string,
  codec: t.Type<number, string>,
): number => {
  const decoded = codec.decode(value)
  if (isLeft(decoded))
    throw new TypeError(`invalid ${name}: expected ${codec.name}, got ${JSON.stringify(value)}`)
  return decoded.right
}

/** Reads an option that is a duration, as a number of milliseconds. Throws a `TypeError` for an invalid value. */
export const readDuration = (name: string, value: Duration): number =>
  readLimit(name, value, durationMillis)

/** Reads an option that is a size, as a number of bytes. Throws a `TypeError` for an invalid value. */
export const readSize = (name: string, value: Size): number => readLimit(name, value, size)

// Types that check literals of durations and sizes.
/**
 * Resolves to `unknown` if `D` is a duration, or a text that is known only at run time. Otherwise, causes a compile error that ends in
 * the remedy.
 */
export type ValidDuration<D> = [D] extends [string]
  ? IsPattern<D> extends true
    ? unknown
    : IsDuration<Uppercase<D>> extends true
      ? unknown
      : InvalidText<'use the unit ms, s, m, h or d, as in 10s'>
  : unknown

/** Like {@link ValidDuration}, for a size in bytes. */
export type ValidSize<S> = [S] extends [string]
  ? IsPattern<S> extends true
    ? unknown
    : IsDigits<Strip<Uppercase<S>, 'K' | 'M' | 'G'>> extends true
      ? unknown
      : InvalidText<'use the unit K, M or G, as in 10M'>
  : unknown

/** A type that no text has. The error message of TypeScript ends in `Remedy`. */
export interface InvalidText<Remedy extends string> {
  readonly text: Remedy
}

/**
 * Checks the names of the options `O`, and literals of those that are durations. `Options` are all options of a function. The error
 * message ends in the remedy.
 */
// the members are optional because `O` can be a union
export type ValidDurations<O, Options, Durations extends string> = {
  readonly [K in keyof O]?: K extends Durations
    ? ValidDuration<O[K]>
    : K extends keyof Options
      ? unknown
      : InvalidText<`there is no option ${K & string}`>
}

/** A duration that is checked by {@link ValidDuration}. */
export type CheckedDuration<D> = D & ValidDuration<D>

/** Whether a type has infinitely many texts, such as `string` and `${number}s`. */
type IsPattern<D extends string> = {} extends Record<D, 0> ? true : false

type IsDuration<D extends string> = D extends `P${string}${'D' | 'H' | 'M' | 'S'}`
  ? true
  : IsDigits<D extends `${infer N}MS` ? N : Strip<D, 'S' | 'M' | 'H' | 'D'>>

type Strip<D extends string, Unit extends string> = D extends `${infer N}${Unit}` ? N : D

/** Whether a text consists of digits. A literal that TypeScript reads as a number can contain other characters. */
type IsDigits<N extends string> = N extends `${number}`
  ? N extends `${string}${'.' | 'E' | 'X' | 'O' | 'B' | '-' | '+' | ' '}${string}`
    ? false
    : true
  : false
