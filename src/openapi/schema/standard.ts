/** Describes codecs that were created from schemas of other libraries. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import type { Schema } from '../../codec/schema/schema.ts'
import {
  isObject,
  jsonSchemaOf,
  resolveReference,
} from '../../codec/standard-schema/json-schema-of.ts'
import { schemasIn } from '../../codec/visibility/restrictions.ts'
import type { Fold } from './fold.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Describes a codec that was created with `fromStandardSchema`. Definitions become components. Returns `undefined` for other codecs,
 * and if the library does not support JSON Schema.
 */
export const standardSchema = (fold: Fold, codec: Codec, part: Schema): JsonSchema | undefined => {
  if (codec._tag !== 'StandardType') return undefined
  const [standard] = schemasIn(codec)
  if (standard === undefined) return undefined
  const direction = standard.encodesInputs ? 'input' : fold.direction
  const root = jsonSchemaOf(standard.schema, direction)
  if (!isObject(root)) return undefined
  return convert(fold, codec.name, root, part)
}

const convert = (fold: Fold, vendor: string, root: Json, part: Schema): JsonSchema => {
  const reference = (target: string): JsonSchema => {
    const schema = resolveReference(target, root)
    const name = target === '#' ? root['title'] : target.slice(target.lastIndexOf('/') + 1)
    return isObject(schema)
      ? fold.addComponent(nameOf(name, vendor), schema, part, () => rewrite(schema))
      : {}
  }
  const rewrite = (schema: Json): JsonSchema => {
    const { $ref, ...keywords } = schema
    const rewritten = Object.fromEntries(
      Object.entries(keywords).flatMap(([keyword, value]) =>
        dropped.has(keyword) ? [] : [[keyword, rewriteKeyword(keyword, value)]],
      ),
    )
    return typeof $ref === 'string' ? { ...reference($ref), ...rewritten } : rewritten
  }
  const rewriteKeyword = (keyword: string, value: unknown): unknown => {
    if (single.has(keyword)) return isObject(value) ? rewrite(value) : value
    if (lists.has(keyword) && Array.isArray(value))
      return value.map((schema: unknown) => (isObject(schema) ? rewrite(schema) : schema))
    if (maps.has(keyword) && isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, schema]) => [
          name,
          isObject(schema) ? rewrite(schema) : schema,
        ]),
      )
    return value
  }
  return rewrite(root)
}

/** Keywords that identify a schema or contain definitions. */
const dropped: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$defs',
  'definitions',
  '$anchor',
  '~standard',
])

const single: ReadonlySet<string> = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Returns the name of a component. Libraries generate names that begin with underscores for anonymous definitions. */
const nameOf = (name: unknown, vendor: string): string =>
  typeof name === 'string' && /^[A-Za-z]/.test(name) ? name : `${vendor}Schema`
