/** Describes how values are represented in XML. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema, XmlObject } from '../../codec/json-schema.ts'
import { readSchema } from '../../codec/schema/read-schema.ts'
import type { DeclaredName, XmlMapping } from '../../codec/structure/known-codec.ts'
import { defaultRootName } from '../../xml/mapping/naming.ts'
import { findMapping, unwrap } from '../../xml/mapping/unwrap-schema.ts'
import { annotated } from './combine-schemas.ts'

/** Adds an XML mapping to a schema. */
export const xmlSchema = (
  schema: JsonSchema,
  mapping: XmlMapping,
  version: '3.1' | '3.2',
): JsonSchema =>
  annotated(schema, {
    ...(mapping._tag === 'ElementWrapper' ? itemsSchema(schema, mapping.item) : {}),
    xml: {
      ...schema.xml,
      ...('name' in mapping ? nameOf(mapping.name) : {}),
      ...keywords[version][mapping._tag],
    },
  })

type Keywords = Readonly<Record<XmlMapping['_tag'], XmlObject>>

/** The keywords of mappings in addition to names. OpenAPI 3.1 has none for character data and for lists in text. */
const keywords: Readonly<Record<'3.1' | '3.2', Keywords>> = {
  '3.1': {
    RootElement: {},
    Element: {},
    Attribute: { attribute: true },
    Value: { 'x-node-type': 'text' },
    List: { 'x-list': true },
    ElementWrapper: { wrapped: true },
  },
  '3.2': {
    RootElement: {},
    Element: {},
    Attribute: { nodeType: 'attribute' },
    Value: { nodeType: 'text' },
    List: { 'x-list': true },
    ElementWrapper: { nodeType: 'element' },
  },
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
  const unwrapped = unwrap(readSchema(codec, 'drop'))
  if (findMapping(unwrapped, 'RootElement', 'ElementWrapper', 'Element') !== undefined)
    return schema
  const name = defaultRootName(unwrapped.names)
  return name === undefined ? schema : annotated(schema, { xml: { ...schema.xml, name } })
}
