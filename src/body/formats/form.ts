/**
 * Provides the formats for URL-encoded forms with declared fields, URL-encoded forms that are read as a map, and multipart forms.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { ValueKinds } from '../../codec/structure/uninhabited.ts'
import type { FormMap } from '../../endpoint/body.ts'
import type { OutputField } from '../../endpoint/representation.ts'
import * as Form from '../../http/form.ts'
import type { BodyFormat } from '../body-format.ts'
import { formText, malformedEscape } from '../form-text.ts'
import { unreadableBody } from '../read-body.ts'
import { onlyReceived, onlySent, streamedBody, wholeBody } from './whole-body.ts'
import { isMap } from '../../http/platform-value.ts'

const writeForm = (value: unknown): string => {
  if (isFormMap(value)) return Form.format(value)
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
      const values = Form.groupByName(Form.split(text.right))
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
