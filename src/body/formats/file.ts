/** Files that are sent, and bodies that are received into a file. */
import { isFileSource } from '../../endpoint/file.ts'
import type { BodyFormat } from '../body-format.ts'
import { onlyReceived, onlySent, streamedBody } from './whole-body.ts'

export const fileFormat: BodyFormat = {
  ...streamedBody,
  mayContainFiles: true,
  charsets: 'binary',
  cannotReceive: onlySent,
  accepts: isFileSource,
}

export const fileBodyFormat: BodyFormat = {
  ...streamedBody,
  charsets: 'binary',
  cannotSend: onlyReceived,
  accepts: () => false,
}
