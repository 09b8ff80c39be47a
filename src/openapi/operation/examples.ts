/** Adds the declared examples of an operation to its bodies, in their encoded form. */
import type { BodyPlan } from '../../body/body-plan.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { defaultVisibility } from '../../body/body-plan.ts'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { interpretedBackEnd } from '../../codec/generated/interpreted-back-end.ts'
import { fullVisibility, isHidden, visibilityOf } from '../../codec/visibility/visibility.ts'
import { shapeOf } from '../../compiler/links/entity.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { NamedExample } from '../../endpoint/internal/operation-documentation.ts'
import type { ExampleObject, MediaTypeObject } from '../openapi-document.ts'

/** Returns a function that adds the examples of a request body, or of the response body with a status, to a media type. */
export const withExamples =
  (plan: Plan, body: BodyPlan, location: NamedExample['location'], status?: number) =>
  (described: MediaTypeObject): MediaTypeObject => {
    const declared = plan.attributes.documentation?.examples ?? []
    const examples = declared
      .filter(
        (example) =>
          example.location === location &&
          (location === 'request' || (example.status ?? plan.success.status) === status),
      )
      .flatMap((example): ReadonlyArray<readonly [string, ExampleObject]> => {
        const encoded = encodeExample(body, example.value)
        return encoded === undefined ? [] : [[example.name, exampleObject(example, encoded.value)]]
      })
    return examples.length === 0
      ? described
      : { ...described, examples: { ...described.examples, ...Object.fromEntries(examples) } }
  }

const exampleObject = ({ summary, description }: NamedExample, value: unknown): ExampleObject => ({
  ...(summary === undefined ? {} : { summary }),
  ...(description === undefined ? {} : { description }),
  value,
})

/** Encodes an example for a body. Returns `undefined` if the body cannot contain the value, or its format has no examples. */
const encodeExample = (body: BodyPlan, value: unknown): { readonly value: unknown } | undefined => {
  const { format } = body
  if (format._tag !== 'JsonStream' && !bodyFormat(format).accepts(value)) return undefined
  switch (format._tag) {
    case 'Json':
    case 'Problem':
    case 'Data':
      return { value: toJson(encoderFor(format.codec, body)(value)) }
    case 'Hal':
      return { value: halExample(format.codec, format.collection, value, body) }
    case 'Xml': {
      const visibility = visibilityFor(format.codec, body)
      return { value: format.writer((member) => isHidden(member, visibility))(value) }
    }
    case 'Text':
      return {
        value: format.codec === undefined ? value : toJson(encoderFor(format.codec, body)(value)),
      }
    case 'RawJson':
    case 'FormMap':
      return undefined
    case 'JsonStream':
      return format.isArray && Array.isArray(value) && value.every(format.codec.is)
        ? { value: toJson(value.map(encoderFor(format.codec, body))) }
        : undefined
    default:
      return undefined
  }
}

/** Members that are restricted to roles are part of examples. */
const visibilityFor = (codec: Codec, { visibility = defaultVisibility }: BodyPlan) =>
  visibility.view === undefined ? fullVisibility : visibilityOf(codec, visibility.view, () => true)

const encoderFor = (codec: Codec, body: BodyPlan): ((value: unknown) => unknown) =>
  compileCodec(codec, 'drop', interpretedBackEnd, visibilityFor(codec, body)).encode

const halExample = (codec: Codec, collection: string, value: unknown, body: BodyPlan): unknown => {
  const encoded = toJson(encoderFor(codec, body)(value))
  if (Array.isArray(encoded))
    return {
      _embedded: { [collection]: encoded.map((element: unknown) => withLinks(element)) },
      _links: {},
    }
  return shapeOf(codec) === undefined ? encoded : withLinks(encoded)
}

const withLinks = (encoded: unknown): unknown =>
  typeof encoded === 'object' && encoded !== null ? { ...encoded, _links: {} } : encoded

const toJson = (encoded: unknown): unknown => {
  const text: unknown = JSON.stringify(encoded, (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
  return typeof text === 'string' ? JSON.parse(text) : undefined
}
