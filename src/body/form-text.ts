/** Decodes URL-encoded forms as text, and enforces limits on all fields, both declared and undeclared. */
import * as E from 'fp-ts/lib/Either.js'
import type { RequestFailure } from '../http/failure.ts'
import * as Form from '../http/form.ts'
import * as Percent from '../http/percent.ts'
import type * as MediaType from '../http/media-type.ts'
import { charsetOf, isUtf8Compatible, unreadableBody, unsupportedCharset } from './read-body.ts'
import { decodeText } from './read-text.ts'

/** The limits for a form. `Infinity` disables a limit. */
export interface FormLimits {
  /** Maximum number of fields in a form. */
  readonly fields: number
  /** Maximum size of a decoded name or value, in bytes. */
  readonly fieldSize: number
}

/** The error detail for a form with a malformed percent-escape. */
export const malformedEscape = 'it has a malformed percent-escape'

/**
 * Decodes the bytes of a URL-encoded form as text, and checks the charset, the percent-escapes and the limits. Percent-escapes
 * are not decoded.
 */
export const formText = (
  bytes: Uint8Array,
  contentType: MediaType.MediaType | undefined,
  limits: FormLimits,
): E.Either<RequestFailure, string> => {
  const charset = charsetOf(contentType)
  if (!isUtf8Compatible(charset)) return unsupportedCharset
  const text = decodeText(bytes, charset)
  if (E.isLeft(text)) return text
  if (/%(?![\da-fA-F]{2})/.test(text.right)) return unreadableBody(malformedEscape)
  const failure = tooManyFields(text.right, limits) ?? oversizedField(text.right, limits)
  return failure === undefined ? text : E.left(failure)
}

/** Returns a failure if the form has too many fields. Fields are counted before any memory is allocated for them. */
const tooManyFields = (text: string, { fields }: FormLimits): RequestFailure | undefined => {
  return fields === Infinity || Form.count(text, fields) <= fields
    ? undefined
    : {
        _tag: 'ContentTooLarge',
        detail: `The form has more than ${fields} fields (fw.http.limits.max-parameters).`,
      }
}

/**
 * Returns a failure if a field name or value is too large. The failure contains the field name, unless the name itself is too
 * large.
 */
const oversizedField = (text: string, { fieldSize }: FormLimits): RequestFailure | undefined => {
  if (fieldSize === Infinity) return undefined
  const field = Form.split(text).find(
    ([name, value = '']) => exceeds(name, fieldSize) || exceeds(value, fieldSize),
  )
  if (field === undefined) return undefined
  const name = exceeds(field[0], fieldSize) ? undefined : Percent.decodeForm(field[0])
  return {
    _tag: 'ContentTooLarge',
    detail: `${name === undefined ? 'A field of the form' : `The form field ${JSON.stringify(name)}`} is larger than ${fieldSize} bytes (fw.http.limits.max-form-attribute-size).`,
  }
}

/**
 * Whether a name or value has more than `maximum` bytes after decoding. A percent-escape, which has three characters, is decoded
 * to one byte.
 */
const exceeds = (text: string, maximum: number): boolean => {
  if (text.length * 3 <= maximum) return false
  if (text.length > maximum * 3) return true
  let bytes = text.length
  for (let index = text.indexOf('%'); index >= 0; index = text.indexOf('%', index + 3)) bytes -= 2
  return bytes > maximum || bytes + bytesBeyondAscii(text) > maximum
}

/** Returns by how much the number of UTF-8 bytes exceeds the number of UTF-16 code units. */
const bytesBeyondAscii = (text: string): number =>
  new TextEncoder().encode(text).length - text.length
