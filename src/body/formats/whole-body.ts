/** Defines default properties of body formats, and functions shared by several formats. */
import type { ValueKinds } from '../../codec/structure/uninhabited.ts'
import type { BodyFormat, WriteValue } from '../body-format.ts'

/**
 * The default properties of formats whose bodies are read and written as a whole. By default, a format is textual, has no codec,
 * and can be sent and received.
 */
export const wholeBody: BodyFormat = {
  codec: undefined,
  isStreamed: false,
  stream: undefined,
  isTextual: true,
  mayContainFiles: false,
  cannotReceive: undefined,
  cannotSend: undefined,
  accepts: () => true,
  kinds: () => undefined,
  reader: undefined,
  writer: undefined,
}

/** The default properties of formats whose bodies are read and written in chunks. */
export const streamedBody: BodyFormat = {
  ...wholeBody,
  isStreamed: true,
  isTextual: false,
  accepts: (value) => typeof value === 'object' && value !== null,
  kinds: () => sourceKinds,
}

/** The kinds of the sources of a stream. A value with declared members, such as that of an object codec, is not a source. */
const sourceKinds: ValueKinds = new Set(['array', 'source'])

/** The value of `cannotReceive` for formats that can only be sent. */
export const onlySent = 'can only be sent, not received'

/** The value of `cannotSend` for formats that can only be received. */
export const onlyReceived = 'can only be received, not sent'

/** The kinds of values that are already text. */
export const stringKinds: ValueKinds = new Set(['string'])

/** Writes a string. Throws a `TypeError` for any other value. */
export const writeString: WriteValue = (value) => {
  if (typeof value === 'string') return value
  throw new TypeError('invalid text: expected a string')
}
