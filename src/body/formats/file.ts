/** Provides the formats for sending a file and for receiving a body into a file. */
import { isFileSource } from '../../endpoint/file.ts'
import type { BodyFormat } from '../body-format.ts'
import { onlyReceived, onlySent, streamedBody } from './whole-body.ts'

/** The format of a file that is sent. */
export const fileFormat: BodyFormat = {
  ...streamedBody,
  mayContainFiles: true,
  charsets: 'binary',
  cannotReceive: onlySent,
  accepts: isFileSource,
}

/** The format of a body that is received into a file. */
export const fileBodyFormat: BodyFormat = {
  ...streamedBody,
  charsets: 'binary',
  cannotSend: onlyReceived,
  accepts: () => false,
}
