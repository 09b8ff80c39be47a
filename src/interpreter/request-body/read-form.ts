/** Reads URL-encoded forms, under bounds that hold for every field, declared or not. */
import * as E from 'fp-ts/lib/Either.js'
import type { RequestFailure } from '../../http/failure.ts'
import * as Form from '../../http/form.ts'
import type * as MediaType from '../../http/media-type.ts'
import { readGroup } from '../parameters/read-parameters.ts'
import type { Plan } from '../../compiler/plan.ts'
import { textOf } from '../../body/text/read-text.ts'
import type { ReadContent } from '../../body/read-body.ts'
import { inForm } from '../parameters/raw-values.ts'
import {
  charsetOf,
  invalid,
  isWithinUtf8,
  unreadable,
  unsupportedCharset,
} from '../../body/read-body.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

/** The declared fields of a form, decoded. */
export const readForm = (plan: Plan, settings: Settings): ReadContent => {
  const read = readGroup(plan.parameters.form, inForm(plan.parameters.form), settings)
  return (octets, stated) => {
    const text = formText(octets, stated, settings)
    if (E.isLeft(text)) return text
    const fields = read(text.right)
    return E.isLeft(fields) ? invalid(fields.left) : fields
  }
}

/** All fields of a form. */
export const readFormMap =
  (settings: Settings): ReadContent =>
  (octets, stated) => {
    const text = formText(octets, stated, settings)
    if (E.isLeft(text)) return text
    const values = Form.groupByName(Form.split(text.right))
    return values === undefined ? unreadable(malformedEscape) : E.right(values)
  }

const malformedEscape = 'it has a malformed percent-escape'

/** The form as it was sent, once nothing is wrong with it as a whole. */
const formText = (
  octets: Uint8Array,
  stated: MediaType.MediaType | undefined,
  settings: Settings,
): E.Either<RequestFailure, string> => {
  const charset = charsetOf(stated)
  if (!isWithinUtf8(charset)) return unsupportedCharset
  const text = textOf(octets, charset)
  if (E.isLeft(text)) return text
  if (/%(?![\da-fA-F]{2})/.test(text.right)) return unreadable(malformedEscape)
  const failure = tooMany(text.right, settings) ?? tooLong(text.right, settings)
  return failure === undefined ? text : E.left(failure)
}

/** Counts the fields before anything is built of them. */
const tooMany = (text: string, settings: Settings): RequestFailure | undefined => {
  const most = settings['fw.http.limits.max-parameters']
  return Form.count(text, most) <= most
    ? undefined
    : {
        _tag: 'ContentTooLarge',
        detail: `The form has more than ${most} fields (fw.http.limits.max-parameters).`,
      }
}

const tooLong = (text: string, settings: Settings): RequestFailure | undefined => {
  const most = settings['fw.http.limits.max-form-attribute-size']
  const long = Form.split(text).find(
    ([name, value = '']) => exceeds(name, most) || exceeds(value, most),
  )
  if (long === undefined) return undefined
  const name = exceeds(long[0], most) ? undefined : Form.decode(long[0])
  return {
    _tag: 'ContentTooLarge',
    detail: `${name === undefined ? 'A field of the form' : `The form field ${JSON.stringify(name)}`} has more than ${most} octets (fw.http.limits.max-form-attribute-size).`,
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
