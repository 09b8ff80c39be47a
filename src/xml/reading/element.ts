/**
 * Defines the elements in a parsed document, and resolves namespaces and references. Elements contain no comments or processing
 * instructions.
 */
import type { QName } from '../xml-names.ts'
import { xmlNamespace, xmlnsNamespace, isCharacter } from '../xml-names.ts'

/**
 * The namespace declarations on an element, together with the enclosing scope.
 *
 * Declarations are not copied, because an element may declare thousands of prefixes. Namespaces that are found in an enclosing
 * scope are cached in `cache`, by prefix.
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

/** Returns the scope for an element with the given declarations. If there are no declarations, returns the parent scope. */
export const childScope = (
  parent: NamespaceScope,
  declared: NamespaceScope['declared'] | undefined,
): NamespaceScope => (declared === undefined ? parent : { declared, parent, cache: new Map() })

/**
 * Returns the prefix that an attribute declares, or an empty string if the attribute declares the default namespace. Returns
 * `undefined` if the attribute is not a namespace declaration.
 */
export const declaredPrefix = (name: string): string | undefined =>
  name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : undefined

/**
 * Returns the namespace that a prefix is bound to, or `undefined` if the prefix is not declared. The empty prefix stands for the
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
 * Returns an error message if a namespace declaration is invalid, and otherwise `undefined`. The empty prefix declares the
 * default namespace.
 */
export const declarationError = (prefix: string, namespace: string): string | undefined => {
  if (prefix === 'xmlns') return 'the prefix xmlns must not be declared'
  if (namespace === xmlnsNamespace) return 'the namespace of xmlns must not be declared'
  if ((prefix === 'xml') !== (namespace === xmlNamespace))
    return 'the prefix xml must not be bound to another namespace'
  if (prefix !== '' && namespace === '') return 'a prefix must not have an empty namespace'
  return undefined
}

/**
 * Resolves a qualified name. Returns `undefined` if the prefix is not declared. An attribute without a prefix has no namespace.
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

/** An attribute, with its namespace resolved. */
export interface Attribute extends QName {
  readonly value: string
}

/** A parsed element, with its namespace resolved. */
export interface Element extends QName {
  /** The attributes, excluding namespace declarations. */
  readonly attributes: ReadonlyArray<Attribute>
  readonly children: ReadonlyArray<Element>
  /** The concatenated character data directly inside the element. The text inside child elements is not included. */
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

/** Whether an element has character data other than white space. */
export const hasText = ({ text }: Element): boolean => notBlank.test(text)

/**
 * Returns the XPaths of the selected elements, such as `/books/book[2]`. A step has a position only if several siblings have the
 * same name.
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

/** Replaces entity and character references in a string, in one pass. Returns `undefined` if a reference is invalid. */
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
 * Normalizes a raw attribute value. References are resolved, and literal tabs and line feeds become spaces (XML, 3.3.3). Returns
 * `undefined` if a reference is invalid.
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
