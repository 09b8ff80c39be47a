/** Verifies the examples that an operation declares, of which OpenAPI documents contain the encoded form. */
import { bodyFormat } from '../../body/body-formats.ts'
import { defaultResponse } from '../../endpoint/internal/default-response.ts'
import type { NamedExample } from '../../endpoint/definition/operation-documentation.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { Route } from '../flatten.ts'
import { formError } from './form-example.ts'

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
      const error = formError(form, value, accepts)
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
