/** Provides the formats for sending a file and for storing a request body in a file. */
import { isFileSource } from '../../endpoint/file.ts'
import type { BodyFormat } from '../body-format.ts'
import { onlyReceived, onlySent, streamedBody } from './whole-body.ts'

/** The format for sending a file. */
export const fileFormat: BodyFormat = {
  ...streamedBody,
  mayContainFiles: true,
  cannotReceive: onlySent,
  accepts: isFileSource,
}

/** The format for request bodies that are stored in a file. */
export const fileBodyFormat: BodyFormat = {
  ...streamedBody,
  cannotSend: onlyReceived,
  accepts: () => false,
}
