/** The failures of contents that have too many octets. */
import type { Failure } from '../http/failure.ts'

export const tooLarge = (limit: number, setting = 'fw.http.limits.max-body-size'): Failure => ({
  _tag: 'ContentTooLarge',
  detail: `The content has more than ${limit} octets (${setting}).`,
})
