/** Verifies the examples that an operation declares, of which OpenAPI documents contain the encoded form. */
import { bodyFormat } from '../../body/body-formats.ts'
import { defaultResponse } from '../../endpoint/internal/default-response.ts'
import type { NamedExample } from '../../endpoint/definition/operation-documentation.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { Route } from '../flatten.ts'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { isRecord } from '../../codec/compiled/runtime.ts'
import { isValueOf } from '../../codec/structure/invalid-part.ts'
import type { AnyFormPart } from '../../endpoint/body.ts'
import { isFormPart } from '../../endpoint/body.ts'
import { isMap } from '../../http/platform-value.ts'

/**
 * Returns a description of each invalid example. An example must be accepted by at least one representation of its body. Examples of
 * enclosing trees apply only to operations that have the body.
 */
export const exampleErrors = ({ definition, attributes }: Route): ReadonlyArray<string> => {
  const { examples = [] } = attributes.documentation ?? {}
  const own = definition.attributes.documentation?.examples ?? []
  return examples.flatMap((example) => {
    const { name, value } = example
    const { form } = definition.parameters
    if (example.location === 'request' && form.size > 0) {
      const error = formError(form, value)
      return error === undefined
        ? []
        : [`the example ${JSON.stringify(name)} is not a value of the form: ${error}`]
    }
    const bodies = bodiesOf(definition, example)
    if (bodies.length === 0)
      return own.includes(example)
        ? [
            `the example ${JSON.stringify(name)} has no ${bodyName(example)}: declare it, or remove the example`,
          ]
        : []
    return bodies.some((body) => accepts(body, value))
      ? []
      : [
          `the example ${JSON.stringify(name)} is not a value of the ${bodyName(example)} (${bodies.map(bodyType).join(', ')}): pass the decoded value`,
        ]
  })
}

const bodiesOf = (
  definition: Route['definition'],
  { location, status }: NamedExample,
): ReadonlyArray<AnyRepresentation> => {
  if (location === 'request') return definition.bodies
  const { response } = defaultResponse(definition)
  if (status === undefined || status === response.status) return response.representations
  return definition.responses
    .filter((declared) => declared.status === status)
    .flatMap(({ representations }) => representations)
}

const bodyName = ({ location, status }: NamedExample): string =>
  location === 'request'
    ? 'request body'
    : status === undefined
      ? 'response body'
      : `response body with status ${status}`

const bodyType = ({ mediaType, format }: AnyRepresentation): string => {
  const { codec } = bodyFormat(format)
  return codec === undefined ? mediaType : `${mediaType}: ${codec.name}`
}

/** Whether a body can contain a value. An example of a JSON stream is a list of its elements. */
const accepts = ({ format }: AnyRepresentation, value: unknown): boolean => {
  try {
    return format._tag === 'JsonStream'
      ? Array.isArray(value) && value.every(format.codec.is)
      : bodyFormat(format).accepts(value)
  } catch {
    return false
  }
}

/** The codec of a text field, or the declaration of another part. */
type FormField = Codec | AnyFormPart

/** Returns a description of the first invalid field of a form, or `undefined` if all fields are valid. */
const formError = (fields: ReadonlyMap<string, FormField>, form: unknown): string | undefined => {
  if (!isRecord(form)) return 'pass an object with the decoded fields as members'
  const undeclared = Object.keys(form).find((key) => !fields.has(key))
  if (undeclared !== undefined)
    return `unknown field ${JSON.stringify(undeclared)}: declare it, or remove it from the example`
  const invalid = Array.from(fields).find(([key, field]) => !hasValue(field, form[key]))
  if (invalid === undefined) return undefined
  const [key, field] = invalid
  return `invalid field ${JSON.stringify(key)}: pass ${valueOf(field)}`
}

/** Whether a field can have a value. The value of a file is its content as text. */
const hasValue = (field: FormField, value: unknown): boolean => {
  if (!isFormPart(field)) return isValueOf(field, value)
  const { kind, isOptional, representation } = field
  if (isOptional && value === undefined) return true
  switch (kind) {
    case 'part':
      return representation !== undefined && accepts(representation, value)
    case 'upload':
      return t.string.is(value)
    case 'uploads':
      return value === undefined || t.array(t.string).is(value)
    case 'allFields':
      return value === undefined || isFormMap(value)
    case 'allUploads':
      return value === undefined
  }
}

const isFormMap = (value: unknown): boolean =>
  isMap(value) &&
  Array.from(value).every(([name, texts]) => t.string.is(name) && t.array(t.string).is(texts))

const valueOf = (field: FormField): string => {
  if (!isFormPart(field)) return `a decoded value of ${field.name}`
  switch (field.kind) {
    case 'part':
      return 'the decoded value'
    case 'upload':
      return 'the content of the file as a string'
    case 'uploads':
      return 'the contents of the files as a list of strings'
    case 'allFields':
      return 'a Map of lists of strings'
    case 'allUploads':
      return 'undefined'
  }
}
