/** The text of URL-encoded forms, and the limits that hold for every field, declared or not. */
import * as E from 'fp-ts/lib/Either.js'
import type { RequestFailure } from '../http/failure.ts'
import * as Form from '../http/form.ts'
import type * as MediaType from '../http/media-type.ts'
import { charsetOf, isUtf8Compatible, unreadableBody, unsupportedCharset } from './read-body.ts'
import { decodeText } from './text/read-text.ts'

/** Limits of a form. `Infinity` disables a limit. */
export interface FormLimits {
  /** Maximum number of fields. */
  readonly fields: number
  /** Maximum size of a decoded name or value in bytes. */
  readonly fieldSize: number
}

export const malformedEscape = 'it has a malformed percent-escape'

/** Decodes a URL-encoded form as text, after checking its charset, its percent-escapes and the limits. */
export const formText = (
  bytes: Uint8Array,
  stated: MediaType.MediaType | undefined,
  limits: FormLimits,
): E.Either<RequestFailure, string> => {
  const charset = charsetOf(stated)
  if (!isUtf8Compatible(charset)) return unsupportedCharset
  const text = decodeText(bytes, charset)
  if (E.isLeft(text)) return text
  if (/%(?![\da-fA-F]{2})/.test(text.right)) return unreadableBody(malformedEscape)
  const failure = tooMany(text.right, limits) ?? tooLong(text.right, limits)
  return failure === undefined ? text : E.left(failure)
}

/** Counts the fields before anything is allocated for them. */
const tooMany = (text: string, { fields: most }: FormLimits): RequestFailure | undefined => {
  return most === Infinity || Form.count(text, most) <= most
    ? undefined
    : {
        _tag: 'ContentTooLarge',
        detail: `The form has more than ${most} fields (fw.http.limits.max-parameters).`,
      }
}

const tooLong = (text: string, { fieldSize: most }: FormLimits): RequestFailure | undefined => {
  if (most === Infinity) return undefined
  const long = Form.split(text).find(
    ([name, value = '']) => exceeds(name, most) || exceeds(value, most),
  )
  if (long === undefined) return undefined
  const name = exceeds(long[0], most) ? undefined : Form.decode(long[0])
  return {
    _tag: 'ContentTooLarge',
    detail: `${name === undefined ? 'A field of the form' : `The form field ${JSON.stringify(name)}`} has more than ${most} bytes (fw.http.limits.max-form-attribute-size).`,
  }
}

/** Whether a name or value has more than `most` bytes when decoded: an escape, of three characters, is one byte. */
const exceeds = (text: string, most: number): boolean => {
  if (text.length * 3 <= most) return false
  if (text.length > most * 3) return true
  let bytes = text.length
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 3)) bytes -= 2
  return bytes > most || bytes + bytesBeyondAscii(text) > most
}

/** The bytes that UTF-8 needs in addition to one for each UTF-16 code unit. */
const bytesBeyondAscii = (text: string): number =>
  new TextEncoder().encode(text).length - text.length
