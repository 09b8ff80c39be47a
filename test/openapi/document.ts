/** Helpers for tests of documents. */
import * as assert from 'uvu/assert'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ConfigurationError } from '../../src/endpoint/definition/configuration-error.ts'
import type { AnyNode } from '../../src/endpoint/routes.ts'
import type { OpenApiOptions } from '../../src/openapi/open-api.ts'
import { openApi } from '../../src/openapi/open-api.ts'
import type {
  MediaTypeObject,
  OpenApiDocument,
  Operation,
  PathItem,
  Reference,
  ResponseObject,
} from '../../src/openapi/openapi-document.ts'

/** Creates the document of a tree. */
export const describeTree = (
  tree: AnyNode,
  options: Partial<OpenApiOptions> = {},
): OpenApiDocument => openApi(tree, { info: { title: 'Test', version: '1.0.0' }, ...options })

/** Returns the operations of a document by operation id. */
export const operationsOf = ({ paths = {}, webhooks = {} }: OpenApiDocument) =>
  new Map(
    [...Object.values(paths), ...Object.values(webhooks)]
      .flatMap(operationsIn)
      .map((operation) => [operation.operationId, operation] as const),
  )

const operationsIn = (item: PathItem): ReadonlyArray<Operation> => [
  ...[item.get, item.put, item.post, item.delete, item.options, item.head, item.patch, item.trace]
    .concat(item.query)
    .filter((operation) => operation !== undefined),
  ...Object.values(item.additionalOperations ?? {}),
  ...Object.values(item['x-additional-operations'] ?? {}),
]

/** Returns an operation of a document. */
export const operationOf = (document: OpenApiDocument, id: string): Operation => {
  const operation = operationsOf(document).get(id)
  if (operation === undefined) throw new Error(`the document has no operation ${id}`)
  return operation
}

/** Returns the only operation of a tree with the operation id `operation`. */
export const describeOnly = (tree: AnyNode, options: Partial<OpenApiOptions> = {}): Operation =>
  operationOf(describeTree(tree, options), 'operation')

/** Returns a response of an operation. References are replaced by the components to which they refer. */
export const responseOf = (
  document: OpenApiDocument,
  { responses }: Operation,
  status: number,
): ResponseObject | undefined => {
  const response = responses[String(status)]
  return response === undefined || !isReference(response)
    ? response
    : document.components?.responses?.[response.$ref.slice('#/components/responses/'.length)]
}

const isReference = (response: ResponseObject | Reference): response is Reference =>
  '$ref' in response

/** Asserts that a response matches its description: the status, the media type, the required headers and the body. */
export const checkResponse = async (
  document: OpenApiDocument,
  operationId: string,
  response: Response,
): Promise<void> => {
  const title = `${operationId} ${response.status}`
  const described = responseOf(document, operationOf(document, operationId), response.status)
  assert.is.not(described, undefined, `${title} is described`)
  for (const [name, header] of Object.entries(described?.headers ?? {}))
    if ('required' in header && header.required)
      assert.ok(response.headers.has(name), `${title} has the header ${name}`)
  const type = response.headers.get('content-type')?.replace(/;\s*(?:charset|boundary)=.*$/i, '')
  const text = await response.text()
  const { content = {} } = described ?? {}
  if (text === '') return
  const media = content[type ?? ''] ?? content['*/*']
  assert.is.not(
    media,
    undefined,
    `${title} has the media type ${type}: ${Object.keys(content).join()}`,
  )
  if (type === undefined || !/[/+]json$/.test(type) || media === undefined) return
  const errors = schemaErrors(document, media, JSON.parse(text))
  assert.equal(errors, [], `${title}: ${text}`)
}

/** Returns the errors of a value in a representation. */
export const schemaErrors = (
  document: OpenApiDocument,
  media: MediaTypeObject,
  value: unknown,
): ReadonlyArray<unknown> => {
  const validate = validators.get(media) ?? compileSchema(document, media)
  validators.set(media, validate)
  return validate(value) ? [] : (validate.errors ?? [])
}

/** Compiled schemas. A representation belongs to one document, and to many operations if it is a component. */
const validators = new WeakMap<MediaTypeObject, ValidateFunction>()

/** Shared, because each instance compiles the meta-schemas. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })

const compileSchema = (
  { components }: OpenApiDocument,
  { schema = {} }: MediaTypeObject,
): ValidateFunction => ajv.compile({ ...schema, components })

/** Returns the codes and remedies of the errors that a function throws. */
export const issuesOf = (run: () => unknown): ReadonlyArray<string> => {
  try {
    run()
  } catch (error) {
    if (error instanceof ConfigurationError)
      return error.issues.map(({ code, remedy }) => `${code} ${remedy}`)
    throw error
  }
  return []
}
