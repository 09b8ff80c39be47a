/** Assigns prefixes to the namespaces in a schema, and escapes text. All prefixes are declared on the root element. */
import type { QName } from '../xml-names.ts'
import { xmlNamespace } from '../xml-names.ts'
import { illegalTextMessage } from './illegal-text.ts'
import type { ContentModel, Particle, XmlSchema } from '../mapping/xml-schema.ts'

/** Matches characters that might need to be escaped. All surrogates match, but only lone surrogates are rejected. */
const mayNeedEscapeInText = /[^\t\n\u0020-\u0025\u0027-\u003B\u003D\u003F-\uD7FF\uE000-\uFFFD]/
const mayNeedEscapeInAttribute =
  /[^\u0020\u0021\u0023-\u0025\u0027-\u003B\u003D\u003F-\uD7FF\uE000-\uFFFD]/
const replacedInText = /[&<>\r]|[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const replacedInAttribute = /[&<>"\t\n\r]|[^\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/**
 * The characters to escape, with their replacements. Carriage returns, and whitespace in attributes, are replaced with
 * character references because parsers would otherwise normalize them.
 */
const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
])

const replacement = (character: string): string => {
  const escape = escapes.get(character)
  if (escape === undefined) throw new TypeError(illegalTextMessage(character))
  return escape
}

/** Escapes character data. Throws a `TypeError` for characters that cannot occur in documents. */
export const escapeText = (text: string): string =>
  mayNeedEscapeInText.test(text) ? text.replace(replacedInText, replacement) : text

/** Escapes an attribute value for use in double quotes. Throws a `TypeError` for characters that cannot occur in documents. */
export const escapeAttribute = (text: string): string =>
  mayNeedEscapeInAttribute.test(text) ? text.replace(replacedInAttribute, replacement) : text

/** The prefixes assigned to the namespaces in a schema. */
export interface Prefixes {
  /** The namespace declarations in the start tag of the root element. */
  readonly declarations: string
  /** Returns the prefixed name of an element, or its local name if the namespace has no prefix. */
  readonly element: (name: QName) => string
  readonly attribute: (name: QName) => string
}

/**
 * Assigns prefixes to namespaces. The namespace of the root element becomes the default namespace, unless that
 * namespace has a preferred prefix or there are elements without a namespace.
 */
export const assignPrefixes = ({ root, models, prefixes: preferred }: XmlSchema): Prefixes => {
  const elements = new Set<string>()
  const attributes = new Set<string>()
  const collect = (particle: Particle): void => {
    elements.add(particle.name.namespace)
    for (const { name } of particle.alternatives) elements.add(name.namespace)
    for (const position of particle.positions) collect(position)
  }
  collect(root)
  for (const model of models) {
    for (const particle of particlesOf(model)) collect(particle)
    if (model._tag === 'Record') elements.add(model.namespace)
    if (model._tag === 'Object')
      for (const { name } of model.attributes) attributes.add(name.namespace)
  }
  const [first = ''] = root.alternatives.map(({ name }) => name.namespace)
  const isDefault = first !== '' && !elements.has('') && !preferred.has(first)
  const reserved = new Set(preferred.values())
  const prefixes = new Map<string, string>()
  let count = 0
  for (const namespace of [...elements, ...attributes]) {
    const isDefaultOnly = isDefault && namespace === first && !attributes.has(namespace)
    if (namespace === '' || namespace === xmlNamespace || isDefaultOnly || prefixes.has(namespace))
      continue
    let prefix = preferred.get(namespace)
    while (prefix === undefined) {
      const next = `ns${++count}`
      if (!reserved.has(next)) prefix = next
    }
    prefixes.set(namespace, prefix)
  }
  const declarations = [
    ...(isDefault ? [` xmlns="${escapeAttribute(first)}"`] : []),
    ...Array.from(
      prefixes,
      ([namespace, prefix]) => ` xmlns:${prefix}="${escapeAttribute(namespace)}"`,
    ),
  ]
  prefixes.set(xmlNamespace, 'xml')
  const attribute = ({ namespace, local }: QName): string => {
    const prefix = prefixes.get(namespace)
    return prefix === undefined ? local : `${prefix}:${local}`
  }
  return {
    declarations: declarations.join(''),
    element: (name) => (isDefault && name.namespace === first ? name.local : attribute(name)),
    attribute,
  }
}

const particlesOf = (model: ContentModel): ReadonlyArray<Particle> => {
  switch (model._tag) {
    case 'Object':
      return model.elements.map(({ particle }) => particle)
    case 'Record':
    case 'Wrapper':
      return [model.particle]
    case 'Text':
      return []
  }
}
