/** Operations whose XML is read and written as was said around them. */
import type { Definition } from '../endpoint/endpoint.ts'
import { isFormPart } from '../endpoint/form-part.ts'
import type { AnyRepresentation, Format } from '../endpoint/representation.ts'
import type { XmlMarks } from '../endpoint/xml-options.ts'

export const xmlWithin = (definition: Definition, marks: XmlMarks): Definition => {
  const all = (given: ReadonlyArray<AnyRepresentation>): ReadonlyArray<AnyRepresentation> =>
    given.map((one) => representation(one, marks))
  const { form } = definition.parameters
  return {
    ...definition,
    bodies: all(definition.bodies),
    produces: all(definition.produces),
    responses: definition.responses.map((one) => ({
      ...one,
      representations: all(one.representations),
    })),
    parameters: {
      ...definition.parameters,
      form: new Map(
        Array.from(form, ([name, one]) => [
          name,
          isFormPart(one) && one.representation !== undefined
            ? Object.assign({}, one, { representation: representation(one.representation, marks) })
            : one,
        ]),
      ),
    },
  }
}

const representation = (one: AnyRepresentation, marks: XmlMarks): AnyRepresentation => {
  const format = formatWithin(one.format, marks)
  return format === one.format ? one : { ...one, format }
}

const formatWithin = (format: Format, marks: XmlMarks): Format => {
  switch (format._tag) {
    case 'Xml':
      return format.within(marks)
    case 'EventStream':
      return format.data._tag === 'Codec'
        ? format
        : { ...format, data: representation(format.data, marks) }
    case 'MultipartOutput':
      return format.fields === undefined
        ? format
        : {
            ...format,
            fields: format.fields.map((field) => ({
              ...field,
              representation: representation(field.representation, marks),
            })),
          }
    default:
      return format
  }
}
