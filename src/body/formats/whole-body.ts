/** Defaults of formats whose bodies are read and written as a whole, and writers that several of them use. */
import type { BodyFormat, WriteValue } from '../body-format.ts'

/** A textual format without a codec that is both sent and received. */
export const wholeBody: BodyFormat = {
  codec: undefined,
  isStreamed: false,
  isTextual: true,
  mayContainFiles: false,
  charsets: 'any',
  nested: [],
  cannotReceive: undefined,
  cannotSend: undefined,
  accepts: () => true,
  reader: undefined,
  writer: undefined,
}

/** Defaults of formats whose bodies are read and written chunk by chunk. */
export const streamedBody: BodyFormat = {
  ...wholeBody,
  isStreamed: true,
  isTextual: false,
  charsets: 'utf-8',
  accepts: (value) => typeof value === 'object' && value !== null,
}

/** Reason why a streamed response format cannot be a request body. */
export const onlySent = 'is only sent, so it cannot be a body'

/** Reason why a format of request bodies cannot be sent. */
export const onlyReceived = 'is only received, so it cannot be sent'

export const writeString: WriteValue = (value) => {
  if (typeof value === 'string') return value
  throw new TypeError('expected a string where text is produced')
}
