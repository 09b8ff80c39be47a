/**
 * Adds generated examples to the document that the documentation page shows. Without them, Swagger UI would show the bounds of numbers
 * and texts that match patterns by chance.
 */
import type { Json, JsonSchema } from '../../codec/json-schema.ts'
import * as Status from '../../http/status.ts'
import { generateJson } from '../mock/generate-json.ts'
import { random } from '../mock/random.ts'
import { schemasOf } from '../mock/schema-shape.ts'
import type {
  Content,
  MediaTypeObject,
  OpenApiDocument,
  Operation,
  PathItem,
  ResponseObject,
} from '../openapi-document.ts'

/** Returns the document with an example of each body that has none. The examples are the same for equal documents. */
export const withSamples = (document: OpenApiDocument): OpenApiDocument => {
  const { components = {}, paths = {}, webhooks } = document
  const schemas = schemasOf(components.schemas ?? {})
  const generate: Generate = (schema, name) =>
    generateJson(schema, schemas, random('sample'), {
      attempt: 0,
      wanted: new Set(),
      isSample: true,
      ...(name === undefined ? {} : { name }),
    })
  const withSample =
    (status?: number) =>
    (described: MediaTypeObject, mediaType: string): MediaTypeObject => {
      const { schema, examples } = described
      if (examples !== undefined) return described
      if (isForm.test(mediaType) && schema !== undefined)
        return { ...described, schema: withFieldSamples(schema, generate) }
      const example =
        status !== undefined && status >= 400 && isProblem.test(mediaType)
          ? problemOf(status, schema, generate)
          : bodyOf(described, mediaType, generate)
      return example === undefined ? described : { ...described, example }
    }
  const ofContent = (content: Content, status?: number): Content =>
    mapRecord(content, withSample(status))
  const ofResponse = (response: ResponseObject, status: number): ResponseObject =>
    response.content === undefined
      ? response
      : { ...response, content: ofContent(response.content, status) }
  /** The statuses of the responses that operations share, by reference. */
  const statuses = new Map<string, number>()
  const ofOperation = (operation: Operation): Operation => {
    const { requestBody, responses } = operation
    return {
      ...operation,
      ...(requestBody && {
        requestBody: { ...requestBody, content: ofContent(requestBody.content) },
      }),
      responses: mapRecord(responses, (response, status) => {
        if (!('$ref' in response)) return ofResponse(response, Number(status))
        statuses.set(response.$ref, Number(status))
        return response
      }),
    }
  }
  const ofItem = (item: PathItem): PathItem =>
    methods.reduce<PathItem>((result, method) => {
      const operation = item[method]
      return operation === undefined ? result : { ...result, [method]: ofOperation(operation) }
    }, item)
  return {
    ...document,
    paths: mapRecord(paths, ofItem),
    ...(webhooks && { webhooks: mapRecord(webhooks, ofItem) }),
    // after the operations, which determine the statuses
    ...(components.responses && {
      components: {
        ...components,
        responses: mapRecord(components.responses, (response, name) =>
          ofResponse(response, statuses.get(`#/components/responses/${name}`) ?? 500),
        ),
      },
    }),
  }
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'query'] as const

const mapRecord = <A, B>(
  record: Readonly<Record<string, A>>,
  map: (value: A, key: string) => B,
): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))

type Generate = (schema: JsonSchema, name?: string) => Json | undefined

const isProblem = /^application\/problem\+/
const isForm = /^(?:multipart\/|application\/x-www-form-urlencoded)/
const isLines = /^application\/(?:x-)?ndjson/

const isBinary = ({ format, contentMediaType }: JsonSchema): boolean =>
  format === 'binary' || contentMediaType !== undefined

/** Returns a body, or an element of a stream of JSON values. */
const bodyOf = (
  { schema, itemSchema, 'x-item-schema': item = itemSchema }: MediaTypeObject,
  mediaType: string,
  generate: Generate,
): Json | undefined => {
  if (item !== undefined && isLines.test(mediaType)) return generate(item)
  return schema === undefined || isBinary(schema) ? undefined : generate(schema)
}

/** Returns the schema of a form with examples of its fields, because Swagger UI shows an input for each of them. */
const withFieldSamples = (schema: JsonSchema, generate: Generate): JsonSchema => ({
  ...schema,
  ...(schema.properties && {
    properties: mapRecord(schema.properties, (field, name) => {
      const isKnown = field.examples !== undefined || field.default !== undefined
      const example = isKnown || isBinary(field) ? undefined : generate(field, name)
      return example === undefined ? field : { ...field, examples: [example] }
    }),
  }),
})

/** Returns a problem with the members that the server always sends, and those that an application has declared. */
const problemOf = (status: number, schema: JsonSchema = {}, generate: Generate): Json => {
  const declared = (schema.allOf ?? []).slice(1).map((members) => generate(members))
  return Object.assign(
    { type: 'about:blank', title: Status.title(status), status, instance },
    ...declared.filter((members) => typeof members === 'object'),
    { status },
  )
}

const instance = 'urn:uuid:2f9e3a5c-7c1b-4d58-9a0e-6b1d4c8e7f30'
