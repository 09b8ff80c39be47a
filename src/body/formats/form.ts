/** Forms: URL-encoded with declared fields, URL-encoded as a map, and multipart forms. */
import * as E from 'fp-ts/lib/Either.js'
import type { FormMap } from '../../endpoint/form.ts'
import type { AnyRepresentation, OutputField } from '../../endpoint/representation.ts'
import * as Form from '../../http/form.ts'
import type { BodyFormat } from '../body-format.ts'
import { formText, malformedEscape } from '../form-text.ts'
import { unreadableBody } from '../read-body.ts'
import { onlyReceived, onlySent, streamedBody, wholeBody } from './whole-body.ts'

const writeForm = (value: unknown): string => {
  if (isFormMap(value)) return Form.format(value)
  throw new TypeError('expected a Map where a form is produced')
}

const isFormMap = (value: unknown): value is FormMap => value instanceof Map

/** A form whose fields are parameters of the operation, which reads it with them. */
export const formFormat: BodyFormat = {
  ...wholeBody,
  isTextual: false,
  charsets: 'utf-8',
  accepts: isFormMap,
  writer: () => writeForm,
}

export const formMapFormat: BodyFormat = {
  ...formFormat,
  isTextual: true,
  reader:
    ({ form }) =>
    (bytes, stated) => {
      const text = formText(bytes, stated, form)
      if (E.isLeft(text)) return text
      const values = Form.groupByName(Form.split(text.right))
      return values === undefined ? unreadableBody(malformedEscape) : E.right(values)
    },
}

/** A multipart form that is received: declared parts, all parts, or parts as they arrive. */
export const multipartFormat: BodyFormat = {
  ...streamedBody,
  accepts: isFormMap,
  cannotSend: onlyReceived,
}

/** A multipart form that is sent. */
export const multipartOutputFormat = (
  fields: ReadonlyArray<OutputField> | undefined,
): BodyFormat => ({
  ...streamedBody,
  mayContainFiles: true,
  nested: (fields ?? []).map(({ representation }): AnyRepresentation => representation),
  cannotReceive: onlySent,
})
