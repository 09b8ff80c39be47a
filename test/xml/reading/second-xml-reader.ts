/**
 * Reads documents with `fast-xml-parser`, and converts them to the elements of the XML parser.
 *
 * `fast-xml-parser` accepts malformed documents, so only well-formed ones are passed to it. Processing instructions are removed,
 * because it misinterprets apostrophes in them. Names must not contain the two characters that it treats as white space.
 */
import { XMLParser } from 'fast-xml-parser'
import type { Attribute, Element, NamespaceScope } from '../../../src/xml/reading/element.ts'
import {
  normalizeAttribute,
  resolveReferences,
  declaredPrefix,
  documentScope,
  resolveName,
  childScope,
} from '../../../src/xml/reading/element.ts'

/** A prefix of each name, because the parser rejects names such as `constructor`. No XML name starts with it. */
const mark = '.'

/** A parser that does not convert, trim or replace text. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: mark,
  transformTagName: (name) => (name.startsWith(mark) ? name : mark + name),
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  cdataPropName: '#cdata',
  maxNestedTags: Infinity,
  jPath: false,
})

type Node = Readonly<Record<string, unknown>>

const nodesOf = (value: unknown): ReadonlyArray<Node> =>
  Array.isArray(value) ? (value as ReadonlyArray<Node>) : []

const nameOf = (node: Node): string | undefined =>
  Object.keys(node).find((key) => key.startsWith(mark))

/** Matches processing instructions, and the sections and comments that may contain the same text. */
const instructions = /<!\[CDATA\[[^]*?\]\]>|<!--[^]*?-->|<\?[^]*?\?>/g

/** Parses a well-formed document, and returns its root element. */
export const secondReading = (document: string): Element => {
  const text = document.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const plain = text.replace(instructions, (match) => (match.startsWith('<?') ? '' : match))
  const root = nodesOf(parser.parse(plain)).find((node) => nameOf(node) !== undefined)
  if (root === undefined) throw new Error('missing root element')
  return elementOf(root, documentScope())
}

const elementOf = (node: Node, parent: NamespaceScope): Element => {
  const key = nameOf(node) ?? mark
  const pairs = Object.entries(node[':@'] ?? {}).map(
    ([name, raw]) => [name.slice(mark.length), normalizeAttribute(String(raw)) ?? ''] as const,
  )
  const declared = pairs.flatMap(([name, value]) => {
    const prefix = declaredPrefix(name)
    return prefix === undefined ? [] : [[prefix, value] as const]
  })
  const scope = childScope(parent, declared.length === 0 ? undefined : new Map(declared))
  const children: Element[] = []
  let text = ''
  for (const child of nodesOf(node[key])) {
    if ('#text' in child) text += resolveReferences(String(child['#text'])) ?? ''
    else if ('#cdata' in child) {
      for (const section of nodesOf(child['#cdata'])) text += String(section['#text'])
    } else children.push(elementOf(child, scope))
  }
  const attributes = pairs
    .filter(([name]) => declaredPrefix(name) === undefined)
    .map(([name, value]): Attribute => ({ ...qualified(scope, name, true), value }))
  return { ...qualified(scope, key.slice(mark.length), false), attributes, children, text }
}

const qualified = (scope: NamespaceScope, name: string, isAttribute: boolean) => {
  const resolved = resolveName(scope, name, isAttribute)
  if (resolved === undefined) throw new Error('undeclared prefix')
  return resolved
}
