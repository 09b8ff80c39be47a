/**
 * Which namespace a prefix stands for, element inside element.
 *
 * @see https://www.w3.org/TR/xml-names/#ns-decl
 */
import type { QName } from '../xml-names.ts'
import { xmlNamespace, xmlnsNamespace } from '../xml-names.ts'

/**
 * What an element declares, and the scope around it. Nothing is copied, because an element may declare thousands of prefixes. A
 * prefix of another element is looked up in the scopes around it, and is remembered in `found` from then on.
 */
export interface Scope {
  readonly declared: ReadonlyMap<string, string>
  readonly outside: Scope | undefined
  readonly found: Map<string, string>
}

/** The scope of a document. */
export const outermost = (): Scope => ({
  declared: new Map([['xml', xmlNamespace]]),
  outside: undefined,
  found: new Map(),
})

/** The scope of an element that declares these, if any. */
export const within = (outside: Scope, declared: Scope['declared'] | undefined): Scope =>
  declared === undefined ? outside : { declared, outside, found: new Map() }

/** The prefix that an attribute of this name declares, the empty one for the default; `undefined` when it declares none. */
export const declaredBy = (name: string): string | undefined =>
  name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : undefined

/** The namespace of a prefix, the empty prefix for the default; `undefined` when none is declared. */
export const namespaceOf = (scope: Scope, prefix: string): string | undefined => {
  const own = scope.declared.get(prefix) ?? scope.found.get(prefix)
  if (own !== undefined) return own
  let namespace: string | undefined = prefix === '' ? '' : undefined
  for (let one = scope.outside; one !== undefined; one = one.outside) {
    const found = one.declared.get(prefix) ?? one.found.get(prefix)
    if (found === undefined) continue
    namespace = found
    break
  }
  if (namespace !== undefined) scope.found.set(prefix, namespace)
  return namespace
}

/** What is wrong with a declaration; `undefined` when nothing is. The empty prefix declares the default. */
export const objection = (prefix: string, namespace: string): string | undefined => {
  if (prefix === 'xmlns') return 'the prefix xmlns cannot be declared'
  if (namespace === xmlnsNamespace) return 'the namespace of xmlns cannot be declared'
  if ((prefix === 'xml') !== (namespace === xmlNamespace))
    return 'the prefix xml and its namespace belong together'
  if (prefix !== '' && namespace === '') return 'a prefix stands for no namespace'
  return undefined
}

/** The name that a qualified one stands for; an attribute without a prefix is in no namespace. */
export const resolved = (scope: Scope, name: string, isAttribute: boolean): QName | undefined => {
  const colon = name.indexOf(':')
  if (colon === -1)
    return { namespace: isAttribute ? '' : (namespaceOf(scope, '') ?? ''), local: name }
  const namespace = namespaceOf(scope, name.slice(0, colon))
  return namespace === undefined ? undefined : { namespace, local: name.slice(colon + 1) }
}
