/** The failure of a body that exceeds a size limit. */
import type { RequestFailure } from '../../http/failure.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'

export const tooLarge = ({ bytes, setting }: SizeLimit): RequestFailure => ({
  _tag: 'ContentTooLarge',
  detail: `The content has more than ${bytes} octets (${setting}).`,
})
