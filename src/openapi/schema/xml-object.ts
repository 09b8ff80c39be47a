/** Describes how values are represented in XML. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema, XmlObject } from '../../codec/json-schema.ts'
import type { DeclaredName, XmlMapping } from '../../codec/structure/known-codec.ts'
import { defaultRootName } from '../../xml/mapping/naming.ts'
import { findMapping, unwrap } from '../../xml/mapping/unwrap-codec.ts'
import { annotated } from './combine-schemas.ts'

/** Adds an XML mapping to a schema. OpenAPI 3.1 has no keywords for character data and for lists in text. */
export const xmlSchema = (
  schema: JsonSchema,
  mapping: XmlMapping,
  version: '3.1' | '3.2',
): JsonSchema => {
  const xml = schema.xml ?? {}
  switch (mapping._tag) {
    case 'RootElement':
    case 'Element':
      return annotated(schema, { xml: { ...xml, ...nameOf(mapping.name) } })
    case 'Attribute':
      return annotated(schema, {
        xml: {
          ...xml,
          ...nameOf(mapping.name),
          ...(version === '3.1' ? { attribute: true } : { nodeType: 'attribute' }),
        },
      })
    case 'Value':
      return annotated(schema, {
        xml: { ...xml, ...(version === '3.1' ? { 'x-node-type': 'text' } : { nodeType: 'text' }) },
      })
    case 'List':
      return annotated(schema, { xml: { ...xml, 'x-list': true } })
    case 'ElementWrapper':
      return annotated(schema, {
        ...itemsSchema(schema, mapping.item),
        xml: {
          ...xml,
          ...nameOf(mapping.name),
          ...(version === '3.1' ? { wrapped: true } : { nodeType: 'element' }),
        },
      })
  }
}

const itemsSchema = ({ type, items }: JsonSchema, name: DeclaredName): JsonSchema =>
  type === 'array' && typeof items !== 'boolean'
    ? { items: annotated(items ?? {}, { xml: { ...items?.xml, ...nameOf(name) } }) }
    : {}

const nameOf = ({ local, namespace, prefix }: DeclaredName): XmlObject => ({
  ...(local === undefined ? {} : { name: local }),
  ...(namespace === undefined || namespace === '' ? {} : { namespace }),
  ...(prefix === undefined ? {} : { prefix }),
})

/** Adds the name of the root element to the schema of a document. */
export const xmlRootSchema = (schema: JsonSchema, codec: Codec): JsonSchema => {
  const unwrapped = unwrap(codec)
  if (findMapping(unwrapped, 'RootElement', 'ElementWrapper', 'Element') !== undefined)
    return schema
  const name = defaultRootName(unwrapped.names)
  return name === undefined ? schema : annotated(schema, { xml: { ...schema.xml, name } })
}
