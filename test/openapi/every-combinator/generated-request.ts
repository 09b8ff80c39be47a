/** Creates requests from the description of an operation. */
import * as assert from 'uvu/assert'
import type { Json } from '../../../src/codec/json-schema.ts'
import { generateJson } from '../../../src/openapi/mock/generate-json.ts'
import { random } from '../../../src/openapi/mock/random.ts'
import type { SubSchema } from '../../../src/openapi/mock/schema-shape.ts'
import { schemasOf } from '../../../src/openapi/mock/schema-shape.ts'
import type { OpenApiDocument, ParameterObject } from '../../../src/openapi/openapi-document.ts'
import { operationsOf } from '../document.ts'

/** Bodies of media types whose schemas do not describe their syntax. */
const samples: Readonly<Record<string, string>> = {
  'application/xml': '<point><x>1</x><y>2</y></point>',
  'text/csv': 'a,b',
  'text/x-pair': '1 2',
}

/** Creates a request for the described operation: with all required parameters, and a body that matches its schema. */
export const generatedRequest = (
  document: OpenApiDocument,
  id: string,
  method: string,
  seed = 0,
): { readonly target: string; readonly init: RequestInit } => {
  const schemas = schemasOf(document.components?.schemas ?? {})
  const generate = (schema: SubSchema, name: string): Json => {
    const value = generateJson(schema, schemas, random(`${id} ${name} ${seed}`), {
      attempt: 0,
      wanted: new Set(),
    })
    assert.is.not(value, undefined, `${id}: no value of ${JSON.stringify(schema)}`)
    return value ?? null
  }
  const [template, operation] = findOperation(document, id)
  const required = (operation.parameters ?? []).filter(
    (parameter): parameter is ParameterObject => 'name' in parameter && parameter.required === true,
  )
  const textOf = ({ name, schema = {} }: ParameterObject) => asText(generate(schema, name))
  const target = required
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (path, parameter) =>
        path.replace(
          `{${parameter.name}}`,
          `${parameter.style === 'matrix' ? `;${parameter.name}=` : ''}${encodeURIComponent(textOf(parameter))}`,
        ),
      template,
    )
  const search = new URLSearchParams(
    required
      .filter((parameter) => parameter.in === 'query')
      .map((parameter): [string, string] => [parameter.name, textOf(parameter)]),
  )
  const content = Object.entries(operation.requestBody?.content ?? {})
  const [type, media] = content.find(([name]) => name === 'application/json') ?? content[0] ?? []
  return {
    target: `${target}?${search.toString()}`,
    init: {
      method,
      ...(type === undefined ? {} : bodyOf(type, generate(media?.schema ?? {}, type))),
    },
  }
}

const findOperation = (document: OpenApiDocument, id: string) => {
  for (const [template, item] of Object.entries(document.paths ?? {})) {
    const operation = operationsOf({ ...document, paths: { [template]: item }, webhooks: {} }).get(
      id,
    )
    if (operation !== undefined) return [template.replace(/#.*$/, ''), operation] as const
  }
  throw new Error(`the document has no operation ${id}`)
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

const bodyOf = (type: string, value: Json): RequestInit => {
  const fields = () =>
    Object.entries(Object(value)).flatMap(([name, field]) =>
      [field].flat().map((item) => [name, item] as const),
    )
  switch (type) {
    case 'multipart/form-data': {
      const form = new FormData()
      for (const [name, field] of fields()) form.append(name, asText(field))
      return { body: form }
    }
    case 'application/x-www-form-urlencoded':
      return {
        body: new URLSearchParams(
          fields().map(([name, field]): [string, string] => [name, asText(field)]),
        ),
      }
    default:
      return {
        headers: { 'Content-Type': type === '*/*' ? 'application/octet-stream' : type },
        body: samples[type] ?? (type.endsWith('json') ? JSON.stringify(value) : asText(value)),
      }
  }
}
