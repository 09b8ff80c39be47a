/**
 * Namespace scopes: resolve prefixes to namespaces.
 *
 * @see https://www.w3.org/TR/xml-names/#ns-decl
 */
import type { QName } from '../xml-names.ts'
import { xmlNamespace, xmlnsNamespace } from '../xml-names.ts'

/**
 * The declarations of an element, and the enclosing scope.
 *
 * Declarations are not copied, because an element may declare thousands of prefixes. Prefixes that enclosing scopes declare are
 * cached in `cache`.
 */
export interface Scope {
  readonly declared: ReadonlyMap<string, string>
  readonly parent: Scope | undefined
  readonly cache: Map<string, string>
}

/** Creates the scope of a document. */
export const documentScope = (): Scope => ({
  declared: new Map([['xml', xmlNamespace]]),
  parent: undefined,
  cache: new Map(),
})

/** Returns the scope of an element with the given declarations. */
export const childScope = (parent: Scope, declared: Scope['declared'] | undefined): Scope =>
  declared === undefined ? parent : { declared, parent, cache: new Map() }

/** Returns the prefix that an attribute declares, an empty string for the default namespace, or `undefined`. */
export const declaredPrefix = (name: string): string | undefined =>
  name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : undefined

/** Returns the namespace of a prefix, or `undefined` if it is not declared. The empty prefix is the default namespace. */
export const namespaceOf = (scope: Scope, prefix: string): string | undefined => {
  const own = scope.declared.get(prefix) ?? scope.cache.get(prefix)
  if (own !== undefined) return own
  let namespace: string | undefined = prefix === '' ? '' : undefined
  for (let enclosing = scope.parent; enclosing !== undefined; enclosing = enclosing.parent) {
    const found = enclosing.declared.get(prefix) ?? enclosing.cache.get(prefix)
    if (found === undefined) continue
    namespace = found
    break
  }
  if (namespace !== undefined) scope.cache.set(prefix, namespace)
  return namespace
}

/** Returns the error of a declaration, or `undefined`. The empty prefix declares the default namespace. */
export const declarationError = (prefix: string, namespace: string): string | undefined => {
  if (prefix === 'xmlns') return 'the prefix xmlns must not be declared'
  if (namespace === xmlnsNamespace) return 'the namespace of xmlns must not be declared'
  if ((prefix === 'xml') !== (namespace === xmlNamespace))
    return 'the prefix xml must have its own namespace'
  if (prefix !== '' && namespace === '') return 'a prefix must not have an empty namespace'
  return undefined
}

/** Resolves a qualified name, or returns `undefined` for an undeclared prefix. Attributes without a prefix have no namespace. */
export const resolveName = (
  scope: Scope,
  name: string,
  isAttribute: boolean,
): QName | undefined => {
  const colon = name.indexOf(':')
  if (colon === -1)
    return { namespace: isAttribute ? '' : (namespaceOf(scope, '') ?? ''), local: name }
  const namespace = namespaceOf(scope, name.slice(0, colon))
  return namespace === undefined ? undefined : { namespace, local: name.slice(colon + 1) }
}
