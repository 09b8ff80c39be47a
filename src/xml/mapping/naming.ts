/** Resolves element and attribute names, collects the members of objects, and detects conflicts between members. */
import type { QName } from '../xml-names.ts'
import { expandedName, isNcName } from '../xml-names.ts'
import type { ObjectModel } from './xml-schema.ts'
import type { DeclaredName } from '../../codec/structure/known-codec.ts'
import { withoutAnnotations } from '../../codec/annotated.ts'
import type { Member, Schema } from '../../codec/schema/schema.ts'
import { isStandardType } from '../../codec/standard-schema/standard-schema.ts'
import type { Unwrapped } from './unwrap-schema.ts'
import { lexicalOf, unwrap } from './unwrap-schema.ts'

/** Returns the message for an invalid name. The following constants are messages for other configuration errors. */
export const noName = (local: string): string =>
  `invalid name ${JSON.stringify(local)}: declare a different name with xmlElement`
const rootOfMember = ({ local = '', namespace }: DeclaredName): string =>
  `xmlRootElement names only root elements: wrap the member in xmlElement('${local}'${
    namespace === undefined ? '' : `, { namespace: '${namespace}' }`
  })`
export const noRoot = 'missing root element name: declare it with xmlRootElement, or name the codec'
export const listRoot =
  'a list is not supported as the root element: wrap it with xmlElementWrapper'
export const unnamedListRoot =
  'a list is not supported as the root element, and the root element has no name: wrap the list with xmlElementWrapper, and declare the name there or with xmlRootElement'
export const listInList = 'unsupported nested list: wrap the inner list with xmlElementWrapper'
export const listInUnion = 'unsupported list in a union: wrap it with xmlElementWrapper'
export const tuple = 'unsupported tuple: use xmlElementWrapper or xmlList'
export const endless = 'unsupported codec: the recursion is infinite'

/**
 * Returns an error message for each conflict between the members of an object. `values` is the number of members that
 * map to character data.
 */
export const memberConflicts = (
  { attributes, elements }: ObjectModel,
  values: number,
): ReadonlyArray<string> => [
  ...(values > 1 ? ['more than one member maps to the character data of the element'] : []),
  ...(values > 0 && elements.length > 0
    ? ['an element with character data can have attributes, but no child elements']
    : []),
  ...duplicates(attributes.map(({ name }) => name)).map(
    (name) => `more than one member maps to the attribute ${name}`,
  ),
  ...duplicates(
    elements.flatMap(({ particle }) => distinct(particle.alternatives.map(({ name }) => name))),
  ).map((name) => `more than one member maps to the element ${name}`),
]

/** Removes duplicate names. Alternatives for the same member can share a name. */
const distinct = (names: ReadonlyArray<QName>): ReadonlyArray<QName> => [
  ...new Map(names.map((name) => [expandedName(name), name])).values(),
]

const duplicates = (names: ReadonlyArray<QName>): ReadonlyArray<string> => {
  const expanded = names.map(expandedName)
  return [...new Set(expanded.filter((name, index) => expanded.indexOf(name) !== index))]
}

/** Resolves declared names. Also collects preferred prefixes and configuration errors. */
export class NameResolver {
  readonly #prefixes = new Map<string, string>()
  readonly #errors = new Set<string>()

  /** Preferred prefixes, keyed by namespace. */
  get prefixes(): ReadonlyMap<string, string> {
    return this.#prefixes
  }

  get errors(): ReadonlyArray<string> {
    return [...this.#errors]
  }

  /** Adds a configuration error. */
  report(path: string, error: string): void {
    this.#errors.add(`${path}: ${error}`)
  }

  /**
   * Returns the name of a member: the one in `mapping`, or else the inherited name. Reports the name of a root element that is declared for the
   * member instead, unless it is the inherited name.
   */
  member(
    { mappings }: Unwrapped,
    mapping: { readonly name: DeclaredName } | undefined,
    inherited: QName,
    path: string,
  ): QName {
    if (mapping !== undefined) return this.resolve(mapping.name, inherited, path)
    const root = mappings.find(({ _tag }) => _tag === 'RootElement')
    if (root !== undefined && 'name' in root) {
      const { local = inherited.local, namespace = inherited.namespace } = root.name
      if (local !== inherited.local || namespace !== inherited.namespace)
        this.report(path, rootOfMember(root.name))
    }
    return inherited
  }

  /** Completes a declared name. Undeclared parts are taken from the inherited name. */
  resolve(declared: DeclaredName, inherited: QName, path: string): QName {
    const { namespace = inherited.namespace, local = inherited.local, prefix } = declared
    if (!isNcName(local)) this.report(path, noName(local))
    if (prefix !== undefined && namespace !== '') {
      for (const [other, otherPrefix] of this.#prefixes)
        if (otherPrefix === prefix && other !== namespace)
          this.report(path, `prefix ${prefix} is declared for two namespaces`)
      this.#prefixes.set(namespace, this.#prefixes.get(namespace) ?? prefix)
    }
    return { namespace, local }
  }
}

/**
 * Derives the default name of the root element from the first valid name in `names`.
 *
 * Everything up to the last full stop is removed. The first letter is converted to lower case, unless the second letter
 * is also upper case. For example, `library.Book` becomes `book`, and `URL` remains `URL`.
 */
export const defaultRootName = (names: ReadonlyArray<string>): string | undefined => {
  const local = names
    .filter(isNcName)
    .map((name) => name.slice(name.lastIndexOf('.') + 1))
    .find(isNcName)
  return local === undefined || /^.\p{Lu}/u.test(local)
    ? local
    : local.slice(0, 1).toLowerCase() + local.slice(1)
}

/** A declaration of an object member. */
export type Declared = Pick<Member, 'key' | 'schema' | 'required'>

/** A function that receives a configuration error. */
type Report = (error: string) => void

/**
 * Returns the declarations of each member, keyed by member name. An intersection can declare a member more than once.
 */
export const declaredMembers = (
  core: Schema,
  report: Report,
): ReadonlyMap<string, readonly [Declared, ...Declared[]]> => {
  const byKey = new Map<string, readonly [Declared, ...Declared[]]>()
  for (const declared of membersOf(core, report)) {
    const earlier = byKey.get(declared.key)
    // io-ts does not write this member
    if (declared.key !== '__proto__')
      byKey.set(declared.key, earlier === undefined ? [declared] : [...earlier, declared])
  }
  return byKey
}

/** Returns the members of an object, or of the objects that make up an intersection. */
const membersOf = (core: Schema, report: Report): ReadonlyArray<Declared> => {
  switch (core._tag) {
    case 'Object':
      return core.members
    case 'Intersection':
      return core.members.flatMap((part) => {
        const inner = unwrap(part).core
        if (inner !== undefined) return membersOf(inner, report)
        report('unsupported union in an intersection')
        return []
      })
    default: {
      const { reported } = core
      report(
        isStandardType(reported)
          ? `unsupported ${reported.name} schema: in XML, a schema can describe only text; declare elements with t.type({ … })`
          : `unsupported codec ${reported.name}: XML requires objects, collections or single values`,
      )
      return []
    }
  }
}

/**
 * Whether the parts of an intersection declare the same member with different codecs, at least one of which is
 * structured. In such a case, one part could expose data that another part hides.
 */
export const hasConflict = (declared: readonly [Declared, ...Declared[]]): boolean => {
  const schemas = declared.map(({ schema }) => schema)
  const codecs = new Set(schemas.map(({ reported }) => withoutAnnotations(reported)))
  return codecs.size > 1 && schemas.some((schema) => lexicalOf(schema) === undefined)
}
