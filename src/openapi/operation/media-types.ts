/** Describes bodies by media type. */
import { isFile, isHal } from '../../endpoint/representation.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import { parseDeclaredType } from '../../body/charset.ts'
import type { Codec } from '../../codec/codec.ts'
import { eventDataFormat } from '../../codec/event-data.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { shapeOf } from '../../compiler/links/entity.ts'
import * as MediaType from '../../http/media-type.ts'
import type { EventData, OutputField } from '../../endpoint/representation.ts'
import type { Content, Encoding, MediaTypeObject } from '../openapi-document.ts'
import type { Direction, DocumentContext } from './document-context.ts'
import { binarySchema, bodySchema, textSchema } from './document-context.ts'
import { halLinksSchema, isPlainProblem, problemSchema } from './problem-schema.ts'
import { uniteContents } from './unite-content.ts'
import { present } from '../schema/present.ts'

/** Describes alternative bodies by media type. Bodies with the same media type, such as translations, are united. */
export const describeContent = (
  bodies: ReadonlyArray<BodyPlan>,
  describe: (body: BodyPlan) => MediaTypeObject,
  sentType?: string,
): Content =>
  uniteContents(bodies.map((body) => ({ [sentType ?? mediaTypeName(body)]: describe(body) })))

/** Whether a body is a form with declared fields. */
export const isForm = ({ format }: BodyPlan): boolean =>
  format._tag === 'Form' || format._tag === 'MultipartForm'

/** Returns the media type of a body without its charset. */
export const mediaTypeName = ({ mediaType }: Pick<BodyPlan, 'mediaType'>): string =>
  MediaType.format({
    ...mediaType,
    parameters: mediaType.parameters.filter(([name]) => name !== 'charset'),
  })

/** Returns the media type in a `Content-Type` header without its charset. */
export const essenceOf = (contentType: string): string => {
  const parsed = parseDeclaredType(contentType)
  return parsed === undefined ? contentType : mediaTypeName(parsed)
}

/** Describes one representation of a body. */
export const describeBody = (
  context: DocumentContext,
  direction: Direction,
  body: BodyPlan,
): MediaTypeObject => {
  const { format } = body
  const schemaOf = (codec: Codec): JsonSchema => bodySchema(context, codec, direction, body)
  if (isFile(format)) return { schema: binarySchema(binaryType(body)) }
  if (isHal(format))
    return {
      schema:
        direction === 'input'
          ? schemaOf(format.codec)
          : halDocument(context, format.codec, format.collection, schemaOf),
    }
  switch (format._tag) {
    case 'Xml':
      return { schema: bodySchema(context, format.codec, direction, body, true) }
    case 'Json':
    case 'Codec':
    case 'Data':
      return { schema: schemaOf(format.codec) }
    case 'Problem':
      return { schema: problemDocument(context, direction, format.codec, schemaOf) }
    case 'RawJson':
      return { schema: {} }
    case 'Text':
      return {
        schema:
          format.codec === undefined
            ? { type: 'string' }
            : textSchema(context, format.codec, direction),
      }
    case 'TextStream':
      return { schema: { type: 'string' } }
    case 'Bytes':
    case 'ByteStream':
    case 'FileBody':
      return { schema: binarySchema(binaryType(body)) }
    case 'FormMap':
      return {
        schema: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      }
    case 'JsonStream':
      return format.framing.isArray
        ? { schema: { type: 'array', items: schemaOf(format.codec) } }
        : jsonLines(context, schemaOf(format.codec))
    case 'EventStream':
      return eventStream(context, format.data, body, (data) =>
        describeBody(context, direction, data),
      )
    case 'MultipartOutput':
      return multipartOutput(context, format.fields, body)
    case 'Form':
    case 'MultipartForm':
    case 'MultipartInput':
    case 'MultipartStream':
      return { schema: { type: 'object' } }
    case 'Provider':
      return { schema: isJson(body) ? schemaOf(format.codec) : opaqueSchema(body) }
    case 'Custom':
      return { schema: opaqueSchema(body) }
  }
}

const binaryType = (body: BodyPlan): string =>
  MediaType.isRange(body.mediaType) ? 'application/octet-stream' : mediaTypeName(body)

const isJson = ({ mediaType: { subtype } }: BodyPlan): boolean =>
  subtype === 'json' || subtype.endsWith('+json')

/** Returns the schema of a body that a function of the application reads or writes. */
const opaqueSchema = (body: BodyPlan): JsonSchema => {
  const { type, subtype } = body.mediaType
  if (isJson(body)) return {}
  return type === 'text' || subtype === 'xml' || subtype.endsWith('+xml')
    ? { type: 'string' }
    : binarySchema(binaryType(body))
}

/** Returns the schema of a problem document. The server adds members to those that it sends. */
const problemDocument = (
  context: DocumentContext,
  direction: Direction,
  codec: Codec,
  schemaOf: (codec: Codec) => JsonSchema,
): JsonSchema => {
  if (direction === 'input') return schemaOf(codec)
  return isPlainProblem(codec)
    ? problemSchema(context)
    : { allOf: [problemSchema(context), schemaOf(codec)] }
}

const halDocument = (
  context: DocumentContext,
  codec: Codec,
  collection: string,
  schemaOf: (codec: Codec) => JsonSchema,
): JsonSchema => {
  const shape = shapeOf(codec)
  const links = { _links: halLinksSchema(context) }
  const entity = (element: Codec): JsonSchema => ({
    allOf: [schemaOf(element), { type: 'object', required: ['_links'], properties: links }],
  })
  if (shape === undefined) return schemaOf(codec)
  const described: JsonSchema = shape.isCollection
    ? {
        type: 'object',
        required: ['_embedded', '_links'],
        properties: {
          _embedded: {
            type: 'object',
            required: [collection],
            properties: { [collection]: { type: 'array', items: entity(shape.codec) } },
          },
          ...links,
        },
      }
    : entity(shape.codec)
  return codec.is(null) ? { anyOf: [described, { type: 'null' }] } : described
}

const multipartOutput = (
  context: DocumentContext,
  fields: ReadonlyArray<OutputField> | undefined,
  { json, visibility, xml }: BodyPlan,
): MediaTypeObject => {
  if (fields === undefined) return { schema: { type: 'object' } }
  const parts = fields.flatMap(({ name, representation, isRepeated }) => {
    const [plan] = bodyPlans([representation], [], { json, visibility, xml })
    return plan === undefined ? [] : [{ name, isRepeated, plan }]
  })
  const encoding = parts.map(({ name, plan }): readonly [string, Encoding] => [
    name,
    { contentType: mediaTypeName(plan) },
  ])
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        parts.map(({ name, isRepeated, plan }) => {
          const { schema = {} } = describeBody(context, 'output', plan)
          return [name, isRepeated ? { type: 'array', items: schema } : schema]
        }),
      ),
    },
    ...present({ encoding: Object.fromEntries(encoding) }),
  }
}

/**
 * Describes a stream with one JSON value per line.
 *
 * OpenAPI 3.2 describes the elements of a stream with `itemSchema`. OpenAPI 3.1 has no such member. There, the extension
 * `x-item-schema` has the same value, and `schema` is what code generators expect: the schema of the event data.
 */
const jsonLines = ({ version }: DocumentContext, item: JsonSchema): MediaTypeObject =>
  version === '3.2' ? { itemSchema: item } : { schema: { type: 'string' }, 'x-item-schema': item }

/** Describes a stream of events. `describe` describes data that has a representation. */
const eventStream = (
  context: DocumentContext,
  data: EventData,
  { json, visibility, xml }: BodyPlan,
  describe: (body: BodyPlan) => MediaTypeObject,
): MediaTypeObject => {
  const [content, schema] = dataOf()
  const item: JsonSchema = {
    type: 'object',
    properties: {
      data: content,
      event: { type: 'string' },
      id: { type: 'string' },
      retry: { type: 'integer', minimum: 0 },
    },
  }
  return context.version === '3.2' ? { itemSchema: item } : { schema, 'x-item-schema': item }

  function dataOf(): readonly [content: JsonSchema, schema: JsonSchema] {
    if (data._tag === 'Codec') {
      const { codec } = data
      if (eventDataFormat(codec) === 'text') {
        const text = textSchema(context, codec, 'output')
        return [text, text]
      }
      const value = bodySchema(context, codec, 'output', { json, visibility })
      return [jsonText('application/json', value), value]
    }
    const [plan] = bodyPlans([data], [], { json, visibility, xml })
    const { schema: value = {} } = plan === undefined ? {} : describe(plan)
    return /[/+]json\b/.test(data.mediaType)
      ? [jsonText(data.mediaType, value), value]
      : [{ type: 'string', contentMediaType: data.mediaType }, { type: 'string' }]
  }
}

const jsonText = (mediaType: string, value: JsonSchema): JsonSchema => ({
  type: 'string',
  contentMediaType: mediaType,
  contentSchema: value,
})
