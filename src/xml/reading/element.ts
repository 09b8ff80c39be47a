/**
 * Defines the elements of a parsed document, and resolves namespaces and references. Comments and processing
 * instructions are omitted.
 */
import type { QName } from '../xml-names.ts'
import { xmlNamespace, xmlnsNamespace, isCharacter } from '../xml-names.ts'

/**
 * The namespace declarations of an element, linked to the enclosing scope.
 *
 * An element can declare thousands of prefixes, so declarations are not copied into nested scopes. Namespaces found in
 * an enclosing scope are cached in `cache`, with the prefix as the key.
 */
export interface NamespaceScope {
  readonly declared: ReadonlyMap<string, string>
  readonly parent: NamespaceScope | undefined
  readonly cache: Map<string, string>
}

/** Creates the outermost scope, which declares only the prefix `xml`. */
export const documentScope = (): NamespaceScope => ({
  declared: new Map([['xml', xmlNamespace]]),
  parent: undefined,
  cache: new Map(),
})

/** Returns the namespace scope of an element. An element without namespace declarations shares the parent scope. */
export const childScope = (
  parent: NamespaceScope,
  declared: NamespaceScope['declared'] | undefined,
): NamespaceScope => (declared === undefined ? parent : { declared, parent, cache: new Map() })

/**
 * Returns the prefix declared by a namespace declaration, or an empty string for `xmlns`, which declares the default
 * namespace. Returns `undefined` for any other attribute.
 */
export const declaredPrefix = (name: string): string | undefined =>
  name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : undefined

/**
 * Returns the namespace bound to a prefix, or `undefined` if the prefix is not declared. An empty prefix selects the
 * default namespace.
 */
const namespaceOf = (scope: NamespaceScope, prefix: string): string | undefined => {
  const local = scope.declared.get(prefix) ?? scope.cache.get(prefix)
  if (local !== undefined) return local
  let namespace: string | undefined = prefix === '' ? '' : undefined
  for (let enclosing = scope.parent; enclosing !== undefined; enclosing = enclosing.parent) {
    const declared = enclosing.declared.get(prefix) ?? enclosing.cache.get(prefix)
    if (declared === undefined) continue
    namespace = declared
    break
  }
  if (namespace !== undefined) scope.cache.set(prefix, namespace)
  return namespace
}

/**
 * Validates a namespace declaration. Returns an error message, or `undefined` if the declaration is valid. An empty
 * prefix declares the default namespace.
 */
export const declarationError = (prefix: string, namespace: string): string | undefined => {
  if (prefix === 'xmlns') return 'the prefix xmlns must not be declared'
  if (namespace === xmlnsNamespace)
    return 'the namespace http://www.w3.org/2000/xmlns/ must not be declared'
  if ((prefix === 'xml') !== (namespace === xmlNamespace))
    return 'the prefix xml must not be bound to another namespace'
  if (prefix !== '' && namespace === '') return 'a prefix must not have an empty namespace'
  return undefined
}

/**
 * Resolves a qualified name. Returns `undefined` if the prefix is not declared. An attribute without a prefix is in no
 * namespace.
 */
export const resolveName = (
  scope: NamespaceScope,
  name: string,
  isAttribute: boolean,
): QName | undefined => {
  const colon = name.indexOf(':')
  if (colon === -1)
    return { namespace: isAttribute ? '' : (namespaceOf(scope, '') ?? ''), local: name }
  const namespace = namespaceOf(scope, name.slice(0, colon))
  return namespace === undefined ? undefined : { namespace, local: name.slice(colon + 1) }
}

/** An attribute with a resolved namespace. */
export interface Attribute extends QName {
  readonly value: string
}

/** A parsed element with a resolved namespace. */
export interface Element extends QName {
  /** The attributes, excluding namespace declarations. */
  readonly attributes: ReadonlyArray<Attribute>
  readonly children: ReadonlyArray<Element>
  /** The concatenated character data of the element, excluding the character data of child elements. */
  readonly text: string
}

/** Returns the value of an attribute, or `undefined` if the attribute is missing. */
export const attributeOf = (
  { attributes }: Element,
  { namespace, local }: QName,
): string | undefined =>
  attributes.find((attribute) => attribute.local === local && attribute.namespace === namespace)
    ?.value

const notBlank = /[^ \t\n\r]/

/** Whether an element contains character data other than whitespace. */
export const hasText = ({ text }: Element): boolean => notBlank.test(text)

/**
 * Returns the XPath of each selected element, such as `/books/book[2]`. A step includes a position only if multiple
 * siblings have the same local name.
 */
export const elementPaths = (
  root: Element,
  selected: ReadonlySet<Element>,
): ReadonlyMap<Element, string> => {
  const paths = new Map<Element, string>()
  const visit = (element: Element, path: string): void => {
    if (selected.has(element)) paths.set(element, path)
    const counts = new Map<string, number>()
    for (const { local } of element.children) counts.set(local, (counts.get(local) ?? 0) + 1)
    const positions = new Map<string, number>()
    for (const child of element.children) {
      const position = (positions.get(child.local) ?? 0) + 1
      positions.set(child.local, position)
      const step = (counts.get(child.local) ?? 0) > 1 ? `${child.local}[${position}]` : child.local
      visit(child, `${path}/${step}`)
    }
  }
  visit(root, `/${root.local}`)
  return paths
}

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['apos', "'"],
  ['quot', '"'],
])

/**
 * Resolves the entity and character references in a string in a single pass. Returns `undefined` if a reference is
 * invalid.
 */
export const resolveReferences = (text: string): string | undefined => {
  let result = ''
  let from = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at)
    if (end === -1) return undefined
    const character = resolveReference(text.slice(at + 1, end))
    if (character === undefined) return undefined
    result += text.slice(from, at) + character
    from = end + 1
  }
  return result + text.slice(from)
}

const special = /[\t\n&]/

/**
 * Normalizes a raw attribute value (XML, 3.3.3): resolves references, and replaces literal tabs and line feeds with
 * spaces. Returns `undefined` if a reference is invalid.
 */
export const normalizeAttribute = (written: string): string | undefined =>
  special.test(written) ? resolveReferences(written.replace(/[\t\n]/g, ' ')) : written

const decimal = /^#[0-9]+$/
const hexadecimal = /^#x[0-9A-Fa-f]+$/

const resolveReference = (name: string): string | undefined => {
  if (!name.startsWith('#')) return entities.get(name)
  const point = decimal.test(name)
    ? Number(name.slice(1))
    : hexadecimal.test(name)
      ? Number(`0${name.slice(1)}`)
      : 0
  return isCharacter(point) ? String.fromCodePoint(point) : undefined
}
