/**
 * Documents as `fast-xml-parser` sees them, in the words of ours. It takes much that is no XML, so it is only asked about what is,
 * without instructions, in which it loses its way at an apostrophe, and names without the two characters that it takes for white space.
 */
import { XMLParser } from 'fast-xml-parser'
import type { Attribute, Element } from '../../src/xml/reading/element.ts'
import { normalizeAttribute, resolveReferences } from '../../src/xml/reading/references.ts'
import type { Scope } from '../../src/xml/reading/namespace-scope.ts'
import {
  declaredPrefix,
  documentScope,
  resolveName,
  childScope,
} from '../../src/xml/reading/namespace-scope.ts'

/** Before each name, so that none is one that the parser rejectsUndeclared: `constructor`. No name begins so. */
const mark = '.'

/** Nothing is guessed, trimmed or replaced. */
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

/** Outside of sections and comments, in which there are none. */
const instructions = /<!\[CDATA\[[^]*?\]\]>|<!--[^]*?-->|<\?[^]*?\?>/g

/** The root element of a well-formed document. */
export const secondReading = (document: string): Element => {
  const text = document.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const plain = text.replace(instructions, (found) => (found.startsWith('<?') ? '' : found))
  const root = nodesOf(parser.parse(plain)).find((node) => nameOf(node) !== undefined)
  if (root === undefined) throw new Error('missing root element')
  return elementOf(root, documentScope())
}

const elementOf = (node: Node, around: Scope): Element => {
  const key = nameOf(node) ?? mark
  const own = Object.entries(node[':@'] ?? {}).map(
    ([name, written]) =>
      [name.slice(mark.length), normalizeAttribute(String(written)) ?? ''] as const,
  )
  const declared = own.flatMap(([name, value]) => {
    const prefix = declaredPrefix(name)
    return prefix === undefined ? [] : [[prefix, value] as const]
  })
  const scope = childScope(around, declared.length === 0 ? undefined : new Map(declared))
  const children: Element[] = []
  let text = ''
  for (const child of nodesOf(node[key])) {
    if ('#text' in child) text += resolveReferences(String(child['#text'])) ?? ''
    else if ('#cdata' in child) {
      for (const piece of nodesOf(child['#cdata'])) text += String(piece['#text'])
    } else children.push(elementOf(child, scope))
  }
  const attributes = own
    .filter(([name]) => declaredPrefix(name) === undefined)
    .map(([name, value]): Attribute => ({ ...qualified(scope, name, true), value }))
  return { ...qualified(scope, key.slice(mark.length), false), attributes, children, text }
}

const qualified = (scope: Scope, name: string, isAttribute: boolean) => {
  const found = resolveName(scope, name, isAttribute)
  if (found === undefined) throw new Error('undeclared prefix')
  return found
}
