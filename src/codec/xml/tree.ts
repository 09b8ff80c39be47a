/**
 * The elements of a document: `fast-xml-parser` reads it, and names are resolved. The text is well-formed and has no instructions:
 * the parser takes much that is no XML, and loses its way in an instruction with an apostrophe.
 */
import { XMLParser } from 'fast-xml-parser'
import type { Attribute, Element } from './element.ts'
import { attributeValue, dereferenced } from './reference.ts'
import type { Scope } from './scope.ts'
import { declaredBy, outermost, resolved, within } from './scope.ts'

/** Before each name, so that none is one that the parser refuses: `constructor`. No name begins so. */
const mark = '.'

/** Nothing is guessed, trimmed or replaced; how deep elements may stand is known already. */
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

/** As the parser gives them: one member has the name, or says that it is text, and one the attributes. */
type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

const nodesOf = (value: unknown): ReadonlyArray<Node> =>
  Array.isArray(value) ? value.filter(isNode) : none

const none: ReadonlyArray<never> = []

/** The root element of a well-formed text. Throws where the parser sees another document. */
export const treeOf = (text: string): Element => {
  const root = nodesOf(parser.parse(text)).find((node) => nameOf(node) !== undefined)
  if (root === undefined) throw new TypeError('a document has no root element')
  return elementOf(root, outermost)
}

/** The name of an element; `undefined` for text. */
const nameOf = (node: Node): string | undefined => {
  for (const key in node) if (key.startsWith(mark)) return key
  return undefined
}

const elementOf = (node: Node, around: Scope): Element => {
  const key = nameOf(node) ?? mark
  const written = node[':@']
  const own: ReadonlyArray<Pair> = isNode(written) ? Object.entries(written).map(named) : none
  const scope = own.length === 0 ? around : within(around, declarations(own))
  const children: Element[] = []
  let text = ''
  for (const child of nodesOf(node[key])) {
    const data = child['#text']
    const section = child['#cdata']
    if (data !== undefined) text += characters(data)
    else if (section !== undefined) text += verbatim(section)
    else children.push(elementOf(child, scope))
  }
  return {
    ...qualified(scope, key.slice(mark.length), false),
    attributes: own.length === 0 ? none : attributes(own, scope),
    children,
    text,
  }
}

type Pair = readonly [name: string, written: string]

const named = ([key, written]: readonly [string, unknown]): Pair => [
  key.slice(mark.length),
  String(written),
]

const declarations = (own: ReadonlyArray<Pair>): ReadonlyMap<string, string> | undefined => {
  const declared = new Map<string, string>()
  own.forEach(([name, written]) => {
    const prefix = declaredBy(name)
    if (prefix !== undefined) declared.set(prefix, attributeValue(written) ?? '')
  })
  return declared.size === 0 ? undefined : declared
}

const attributes = (own: ReadonlyArray<Pair>, scope: Scope): ReadonlyArray<Attribute> =>
  own
    .filter(([name]) => declaredBy(name) === undefined)
    .map(([name, written]) => ({
      ...qualified(scope, name, true),
      value: attributeValue(written) ?? '',
    }))

const qualified = (scope: Scope, name: string, isAttribute: boolean) => {
  const found = resolved(scope, name, isAttribute)
  if (found === undefined) throw new TypeError('a prefix is not declared')
  return found
}

const characters = (data: unknown): string => {
  const written = String(data)
  return written.includes('&') ? (dereferenced(written) ?? '') : written
}

/** The text of a section. */
const verbatim = (section: unknown): string =>
  nodesOf(section)
    .map((node) => String(node['#text']))
    .join('')
