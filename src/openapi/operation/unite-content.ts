/** Unites descriptions of the same message: representations with one media type, and responses with one status. */
import type { JsonSchema } from '../../codec/json-schema.ts'
import type {
  Content,
  HeaderObject,
  MediaTypeObject,
  Reference,
  ResponseObject,
} from '../openapi-document.ts'
import { present } from '../schema/present.ts'

/** Whether two descriptions are equal. */
export const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b)

/** Returns a schema that accepts what either of two schemas accepts. */
export const uniteSchemas = (a: JsonSchema, b: JsonSchema): JsonSchema => {
  if (isEqual(a, {}) || isEqual(b, {})) return {}
  const alternatives = alternativesOf(a)
  const added = alternativesOf(b).filter(
    (schema) => !alternatives.some((other) => isEqual(other, schema)),
  )
  return added.length === 0 ? a : { anyOf: [...alternatives, ...added] }
}

const alternativesOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> =>
  schema.anyOf !== undefined && Object.keys(schema).length === 1 ? schema.anyOf : [schema]

/** Unites two representations with the same media type. A schema that only one of them has is the first one, or is omitted. */
const uniteMediaTypes = (a: MediaTypeObject, b: MediaTypeObject): MediaTypeObject => {
  const schemas = (['schema', 'itemSchema', 'x-item-schema'] as const).flatMap((name) => {
    const [first, second] = [a[name], b[name]]
    return first === undefined || second === undefined
      ? []
      : [[name, uniteSchemas(first, second)] as const]
  })
  return {
    ...a,
    ...Object.fromEntries(schemas),
    ...(b.encoding === undefined ? {} : { encoding: { ...b.encoding, ...a.encoding } }),
    ...(b.examples === undefined ? {} : { examples: { ...b.examples, ...a.examples } }),
  }
}

/** Unites representations by media type. */
export const uniteContents = (contents: ReadonlyArray<Content>): Content => {
  const united = new Map<string, MediaTypeObject>()
  for (const content of contents)
    for (const [mediaType, described] of Object.entries(content)) {
      const earlier = united.get(mediaType)
      united.set(mediaType, earlier === undefined ? described : uniteMediaTypes(earlier, described))
    }
  return Object.fromEntries(united)
}

/**
 * Unites two responses with the same status. A header is required only if both responses have it. `describe` returns the
 * description of the united response.
 */
export const uniteResponses = (
  a: ResponseObject,
  b: ResponseObject,
  describe: (a: string, b: string) => string,
): ResponseObject => {
  if (a === b) return a
  const content = uniteContents([a.content ?? {}, b.content ?? {}])
  const headers = { ...uniteHeaders(b.headers, a.headers), ...uniteHeaders(a.headers, b.headers) }
  const links = { ...b.links, ...a.links }
  return {
    description: describe(a.description, b.description),
    ...present({ headers, content, links }),
  }
}

type ResponseHeaders = Required<ResponseObject>['headers']

const uniteHeaders = (
  headers: ResponseHeaders = {},
  others: ResponseHeaders = {},
): ResponseHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      isRequired(header) && !isRequired(others[name]) ? optionalHeader(header) : header,
    ]),
  )

const isRequired = (header: HeaderObject | Reference | undefined): boolean =>
  header !== undefined && 'required' in header && header.required

const optionalHeader = (header: HeaderObject | Reference): HeaderObject | Reference => {
  if ('$ref' in header) return header
  const { required: _, ...others } = header
  return others
}
