/** A limit on the size of a body, with the setting that a 413 names. */
import type { RequestFailure } from '../../http/failure.ts'

export interface SizeLimit {
  readonly bytes: number
  readonly setting: string
}

export const bodyTooLarge = ({ bytes, setting }: SizeLimit): RequestFailure => ({
  _tag: 'ContentTooLarge',
  detail: `Size limit of ${bytes} bytes exceeded (${setting}).`,
})
