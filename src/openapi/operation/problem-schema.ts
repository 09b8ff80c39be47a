/** The schemas of problem documents and HAL links, which documents contain as components. */
import * as t from 'io-ts'
import { named, withSchema } from '../../codec/annotated.ts'
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { problem } from '../../endpoint/problem.ts'
import type { DocumentContext } from './document-context.ts'
import { bodySchema } from './document-context.ts'

/** A named component with a fixed schema. */
const component = (name: string, schema: JsonSchema): Codec =>
  named(name)(withSchema(schema)(t.UnknownRecord))

const Problem = component('Problem', {
  type: 'object',
  description: 'A problem document (RFC 9457).',
  required: ['type', 'status', 'instance'],
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'The kind of problem. `about:blank`: the status identifies it.',
    },
    title: { type: 'string', description: 'A short description of the kind of problem.' },
    status: { type: 'integer', minimum: 200, maximum: 999 },
    detail: { type: 'string', description: 'A description of this occurrence of the problem.' },
    errors: {
      type: 'array',
      description: 'The validation errors in the request.',
      items: {
        type: 'object',
        required: ['in', 'detail'],
        properties: {
          in: {
            type: 'string',
            enum: ['path', 'query', 'header', 'cookie', 'matrix', 'form', 'body'],
          },
          name: { type: 'string', description: 'The name of the parameter or of the part.' },
          pointer: {
            type: 'string',
            description: 'The location in the body: a JSON Pointer as a URI fragment.',
          },
          detail: { type: 'string', description: 'The violated requirement.' },
        },
      },
    },
    truncated: {
      type: 'boolean',
      description: 'Whether the request has more errors than `errors` contains.',
    },
    supported: {
      type: 'array',
      items: { type: 'string' },
      description: 'The media types or methods that the resource supports.',
    },
    'violated-policies': {
      type: 'array',
      items: { type: 'string' },
      description: 'The names of the exceeded rate limits.',
    },
    instance: {
      type: 'string',
      format: 'uri-reference',
      description: 'Identifies this occurrence of the problem.',
    },
  },
})

/** Returns the schema of the problem documents that the server creates. */
export const problemSchema = (context: DocumentContext): JsonSchema =>
  bodySchema(context, Problem, 'output')

/** Whether a codec describes problem documents without extension members. */
export const isPlainProblem = (codec: Codec): boolean =>
  'codec' in problem.format && problem.format.codec === codec

const halLink: JsonSchema = {
  type: 'object',
  required: ['href'],
  properties: {
    href: { type: 'string', description: 'A URI reference, or a URI template (RFC 6570).' },
    templated: { const: true },
    type: { type: 'string' },
    deprecation: { type: 'string' },
    name: { type: 'string' },
    profile: { type: 'string' },
    title: { type: 'string' },
    hreflang: { type: 'string' },
  },
}

const HalLinks = component('HalLinks', {
  type: 'object',
  description: 'Links by relation type.',
  additionalProperties: { anyOf: [halLink, { type: 'array', items: halLink }] },
})

/** Returns the schema of `_links` in HAL documents. */
export const halLinksSchema = (context: DocumentContext): JsonSchema =>
  bodySchema(context, HalLinks, 'output')

/** The names of these components if an application has other components with their names. */
export const fallbackNames: ReadonlyMap<Codec, string> = new Map([
  [Problem, 'ProblemDocument'],
  [HalLinks, 'HalLinkObjects'],
])
