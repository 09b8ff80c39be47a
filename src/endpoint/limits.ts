/** How much an operation takes, where that is not what the settings say. */
import { isLeft } from 'fp-ts/lib/Either.js'
import { size } from '../codec/size.ts'
import type { Mark } from './mark.ts'
import { mark } from './mark.ts'
import type { Limits } from './marks.ts'

/** Octets as a number, or as text with a binary unit: `512K`, `10M`, `1G`. */
export type Size = number | string

/** What can be limited; what is not named keeps the limit that is said around it or, last, that of the settings. */
export interface LimitsOptions {
  /** The whole content, in place of `fw.http.limits.max-body-size`. */
  readonly bodySize?: Size
  /** A name or value of a form that is no file, in place of `fw.http.limits.max-form-attribute-size`. */
  readonly formAttributeSize?: Size
  /** A file of a multipart form, in place of `fw.http.limits.max-multipart-file-size`. */
  readonly fileSize?: Size
}

/**
 * Limits of an operation, or of all of a resource or tree: larger or smaller ones than the settings have. The nearest wins,
 * limit by limit. What has more octets is refused with 413, before it is read where its length is announced. However large it
 * may be, a request has to arrive within `fw.http.read-timeout`. Throws a `TypeError` for what is no size.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, bytes, handle, limits, path, post, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const take = (to: string) => pipe(path(to), post(), body(bytes), handle(() => {}))
 * const api = pipe(
 *   routes({ note: take('/note'), film: pipe(take('/film'), limits({ bodySize: '2G' })) }),
 *   limits({ bodySize: 3 }),
 * )
 * const send = async (to: string) =>
 *   (await inMemory(api)(new Request(`http://localhost${to}`, { method: 'POST', body: new Uint8Array(4) })))
 *     .status
 *
 * assert.equal(await send('/note'), 413)
 * assert.equal(await send('/film'), 204)
 * assert.throws(() => limits({ bodySize: 'a lot' }), TypeError)
 * ```
 */
export const limits = (own: LimitsOptions): Mark => mark({ limits: Object.freeze(limitsOf(own)) })

const limitsOf = ({ bodySize, formAttributeSize, fileSize }: LimitsOptions): Limits => ({
  ...(bodySize === undefined ? {} : { bodySize: octets('bodySize', bodySize) }),
  ...(formAttributeSize === undefined
    ? {}
    : { formAttributeSize: octets('formAttributeSize', formAttributeSize) }),
  ...(fileSize === undefined ? {} : { fileSize: octets('fileSize', fileSize) }),
})

const octets = (name: string, given: Size): number => {
  const read = size.decode(given)
  if (isLeft(read)) throw new TypeError(`${name} is ${size.name}, not ${JSON.stringify(given)}`)
  return read.right
}
