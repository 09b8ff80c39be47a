/**
 * Provides the formats for URL-encoded forms with declared fields, URL-encoded forms that are read as a map, and multipart forms.
 *
 * Limits apply to all fields of a URL-encoded form, whether or not they are declared.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { ValueKinds } from '../../codec/structure/uninhabited.ts'
import type { FormMap } from '../../endpoint/body.ts'
import type { OutputField } from '../../endpoint/representation.ts'
import * as Percent from '../../http/percent.ts'
import type { BodyFormat, FormLimits } from '../body-format.ts'
import { onlyReceived, onlySent, streamedBody, wholeBody } from '../body-format.ts'
import { unreadableBody, charsetOf, unsupportedCharset, decodeText } from '../decode-body.ts'
import { isMap } from '../../http/platform-value.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type * as MediaType from '../../http/media-type.ts'
import { isUtf8Compatible } from '../charset.ts'

const writeForm = (value: unknown): string => {
  if (isFormMap(value)) return Percent.formatPairs(value)
  throw new TypeError('invalid form: expected a Map')
}

const mapKinds: ValueKinds = new Set(['map'])

const isFormMap = (value: unknown): value is FormMap => isMap(value)

/** The format for URL-encoded forms with declared fields. It has no reader, because the interpreter reads the fields. */
export const formFormat: BodyFormat = {
  ...wholeBody,
  isTextual: false,
  accepts: isFormMap,
  kinds: () => mapKinds,
  writer: () => writeForm,
}

/** The format for URL-encoded forms whose value is a map of all fields. */
export const formMapFormat: BodyFormat = {
  ...formFormat,
  isTextual: true,
  reader:
    ({ form }) =>
    (bytes, contentType) => {
      const text = formText(bytes, contentType, form)
      if (E.isLeft(text)) return text
      const values = Percent.groupPairs(Percent.splitPairs(text.right))
      return values === undefined ? unreadableBody(malformedEscape) : E.right(values)
    },
}

/** The format for received multipart forms. Their parts are read as declared fields, as undeclared parts, or as a stream. */
export const multipartFormat: BodyFormat = {
  ...streamedBody,
  accepts: isFormMap,
  cannotSend: onlyReceived,
}

/** Creates the format for sending multipart forms. Without declared fields, values are lists of parts. */
export const multipartOutputFormat = (
  fields: ReadonlyArray<OutputField> | undefined,
): BodyFormat => ({
  ...streamedBody,
  mayContainFiles: true,
  cannotReceive: onlySent,
  kinds: () => (fields === undefined ? partKinds : fieldKinds),
})

const partKinds: ValueKinds = new Set(['part'])
const fieldKinds: ValueKinds = new Set(['object'])

/** The error detail for a form with malformed percent-encoding. */
export const malformedEscape = 'it has malformed percent-encoding'

/**
 * Decodes the bytes of a URL-encoded form as text, without decoding percent-encoded characters. Returns a failure if the charset is not
 * supported, the percent-encoding is malformed, or a limit is exceeded.
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

/** Returns a failure if a form has too many fields. Fields are counted before memory is allocated for them. */
const tooManyFields = (
  text: string,
  { fields, fieldsName }: FormLimits,
): RequestFailure | undefined => {
  return fields === Infinity || Percent.countPairs(text, fields) <= fields
    ? undefined
    : {
        _tag: 'ContentTooLarge',
        detail: `The form has more than ${fields} fields (${fieldsName}).`,
      }
}

/**
 * Returns a failure if the name or value of a form field is too large. The error detail contains the name unless the name itself is
 * too large.
 */
const oversizedField = (
  text: string,
  { fieldSize, fieldSizeName }: FormLimits,
): RequestFailure | undefined => {
  if (fieldSize === Infinity) return undefined
  const field = Percent.splitPairs(text).find(
    ([name, value = '']) => exceeds(name, fieldSize) || exceeds(value, fieldSize),
  )
  if (field === undefined) return undefined
  const name = exceeds(field[0], fieldSize) ? undefined : Percent.decodeForm(field[0])
  return {
    _tag: 'ContentTooLarge',
    detail: `${name === undefined ? 'A field of the form' : `The form field ${JSON.stringify(name)}`} is larger than ${fieldSize} bytes (${fieldSizeName}).`,
  }
}

/**
 * Whether a name or value exceeds `maximum` bytes when decoded. A percent-encoded byte consists of three
 * characters.
 */
const exceeds = (text: string, maximum: number): boolean => {
  if (text.length * 3 <= maximum) return false
  if (text.length > maximum * 3) return true
  let bytes = text.length
  for (let index = text.indexOf('%'); index >= 0; index = text.indexOf('%', index + 3)) bytes -= 2
  return bytes > maximum || bytes + bytesBeyondAscii(text) > maximum
}

/** Returns the difference between a string's length in UTF-8 bytes and its length in UTF-16 code units. */
const bytesBeyondAscii = (text: string): number =>
  new TextEncoder().encode(text).length - text.length
