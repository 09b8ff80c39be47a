/** Names the components of a document, and shares equal components. */
import type { JsonSchema } from '../../codec/json-schema.ts'
import { isAnnotated } from '../../codec/annotated.ts'
import type { Codec } from '../../codec/codec.ts'
import { isConstrained } from '../../codec/constraint.ts'
import { isKnown } from '../../codec/structure/known-codec.ts'
import type { ComponentUse } from './fold.ts'

/** A component with a preliminary reference. */
export interface Component {
  readonly id: number
  /** The name without a suffix for the use. */
  readonly name: string
  /** The codec, or another object that identifies the schema. */
  readonly key: object
  readonly use: ComponentUse
  /** Where the codec was found first. */
  readonly location: string | undefined
  readonly schema: JsonSchema
}

/** Two different schemas with one name. */
export interface NameConflict {
  readonly name: string
  readonly components: readonly [Component, Component]
}

const prefix = '#/components/schemas/'
const preliminary = `${prefix}~`

/** Returns the preliminary reference to a component. */
export const preliminaryReference = (id: number): string => `${preliminary}${id}`

/** Returns the ID of the component to which a preliminary reference refers. */
export const referenceId = (reference: string): number | undefined =>
  reference.startsWith(preliminary) ? Number(reference.slice(preliminary.length)) : undefined

/** Returns the IDs of the components to which a JSON text refers. */
const referencesIn = (text: string): ReadonlyArray<number> =>
  Array.from(text.matchAll(pattern), ([, id]) => Number(id))

const pattern = /"#\/components\/schemas\/~(\d+)"/g

/** Returns the components that can be reached from a document, which is a JSON text, in the order of their IDs. */
export const reachableComponents = (
  document: string,
  components: ReadonlyArray<Component | undefined>,
): ReadonlyArray<Component> => {
  const reached = new Set(referencesIn(document))
  for (const id of reached)
    for (const reference of referencesIn(JSON.stringify(components[id]?.schema ?? {})))
      reached.add(reference)
  return [...reached].toSorted((a, b) => a - b).flatMap((id) => components[id] ?? [])
}

/** Replaces the names of components whose key has a fallback name, if a component with another schema has the same name. */
export const withFallbackNames = (
  components: ReadonlyArray<Component>,
  fallbackNames: ReadonlyMap<object, string> = new Map(),
): ReadonlyArray<Component> =>
  components.map((component) => {
    const fallback = fallbackNames.get(component.key)
    if (fallback === undefined) return component
    const text = JSON.stringify(component.schema)
    const others = components.filter(({ key }) => !fallbackNames.has(key))
    const isTaken = others.some(
      ({ name, schema }) => name === component.name && JSON.stringify(schema) !== text,
    )
    return isTaken
      ? { ...component, name: unusedName(fallback, new Set(others.map(({ name }) => name))) }
      : component
  })

/** Components with the same name and equal schemas. */
type SchemaClass = readonly [Component, ...Component[]]

/**
 * Divides components into classes of equal schemas. Schemas are equal if they are the same text after each reference is replaced with
 * the class of its component. Starts with one class for each name, and splits classes until nothing changes, because schemas can be
 * recursive.
 */
export const equalComponents = (
  components: ReadonlyArray<Component>,
): ReadonlyMap<string, ReadonlyArray<SchemaClass>> => {
  const texts = components.map(({ schema }) => JSON.stringify(schema).split(pattern))
  const classOf = new Map<number, number>()
  const refine = (keyOf: (component: Component, index: number) => string): number => {
    const classes = new Map<string, number>()
    const next = components.map((component, index): readonly [number, number] => {
      const key = keyOf(component, index)
      const known = classes.get(key) ?? classes.size
      classes.set(key, known)
      return [component.id, known]
    })
    for (const [id, known] of next) classOf.set(id, known)
    return classes.size
  }
  let count = refine(({ name }) => name)
  for (;;) {
    const previous = count
    count = refine(({ id }, index) =>
      [
        classOf.get(id),
        // every second part is the ID of a reference
        ...(texts[index] ?? []).map((part, at) =>
          at % 2 === 0 ? part : (classOf.get(Number(part)) ?? part),
        ),
      ].join('"'),
    )
    if (count === previous) break
  }
  const byName = new Map<string, Map<number, [Component, ...Component[]]>>()
  for (const component of components) {
    const classes = byName.get(component.name) ?? new Map<number, [Component, ...Component[]]>()
    byName.set(component.name, classes)
    const known = classOf.get(component.id) ?? -1
    const members = classes.get(known)
    if (members === undefined) classes.set(known, [component])
    else members.push(component)
  }
  return new Map([...byName].map(([name, classes]) => [name, [...classes.values()]]))
}

/** The final names of components by ID. */
export type ComponentNames = ReadonlyMap<number, string>

/**
 * Names classes of components. The first class without a view has the name of the codec. The other classes have a suffix, such as
 * `Input`. A class for output precedes classes for input.
 */
export const nameComponents = (
  byName: ReadonlyMap<string, ReadonlyArray<SchemaClass>>,
): ComponentNames => {
  const names = new Map<number, string>()
  const taken = new Set(byName.keys())
  for (const [name, classes] of byName) {
    const ordered = classes
      .map((members) => ({ members, suffix: shortestSuffix(members) }))
      .toSorted((a, b) => a.suffix.complete.length - b.suffix.complete.length)
    const plain = ordered.find(({ suffix }) => suffix.shorter.includes(''))
    for (const { members, suffix } of ordered) {
      const unused = [...suffix.shorter, suffix.complete].find(
        (candidate) => candidate !== '' && !taken.has(name + candidate),
      )
      const suffixed = unused === undefined ? numbered(name, taken) : name + unused
      const final = members === plain?.members ? name : suffixed
      taken.add(final)
      for (const { id } of members) names.set(id, final)
    }
  }
  return names
}

const shortestSuffix = (members: SchemaClass): VariantSuffix => {
  const [first, ...others] = members
  return others.reduce((shortest, { use }) => {
    const suffix = variantSuffix(use)
    return suffix.complete.length < shortest.complete.length ? suffix : shortest
  }, variantSuffix(first.use))
}

const unusedName = (name: string, taken: ReadonlySet<string>): string =>
  taken.has(name) ? numbered(name, taken) : name

const numbered = (name: string, taken: ReadonlySet<string>): string => {
  let number = 2
  while (taken.has(`${name}${number}`)) number++
  return `${name}${number}`
}

/** Returns pairs of components for different codecs that have the same name and use, but different schemas. */
export const nameConflicts = (
  byName: ReadonlyMap<string, ReadonlyArray<SchemaClass>>,
): ReadonlyArray<NameConflict> =>
  [...byName].flatMap(([name, classes]) => {
    const bySuffix = new Map<string, Component>()
    for (const component of classes.flat()) {
      const { complete: suffix } = variantSuffix(component.use)
      const other = bySuffix.get(suffix)
      if (other === undefined) bySuffix.set(suffix, component)
      else if (other.key !== component.key && !areTogether(classes, other, component))
        return [{ name, components: [other, component] as const }]
    }
    return []
  })

const areTogether = (classes: ReadonlyArray<SchemaClass>, a: Component, b: Component): boolean =>
  classes.some((members) => members.includes(a) && members.includes(b))

/** Returns a JSON text with final references. */
export const replaceReferences = (text: string, names: ComponentNames): string =>
  text.replace(pattern, (_, id: string) => `"${prefix}${names.get(Number(id)) ?? id}"`)

/**
 * Returns the name of the component for a codec, or `undefined` if the codec has no explicit name. Recursive codecs always have a
 * name.
 */
export const componentName = (codec: Codec): string | undefined => {
  if (isAnnotated(codec)) {
    const { name } = codec.annotations
    return name === undefined ? undefined : (explicitName(name) ?? sanitize(name))
  }
  if (!isKnown(codec)) return codec._tag === 'KeyofType' ? explicitName(codec.name) : undefined
  if (codec._tag === 'RecursiveType') return explicitName(codec.name) ?? sanitize(codec.name)
  if (codec._tag === 'RefinementType' && (isConstrained(codec) || predefined.has(codec.name)))
    return undefined
  return nameable.has(codec._tag) ? explicitName(codec.name) : undefined
}

/** The tags of codecs that io-ts names after other codecs, unless the application names them. */
const nameable: ReadonlySet<string | undefined> = new Set([
  'RefinementType',
  'InterfaceType',
  'StrictType',
  'PartialType',
  'DictionaryType',
  'IntersectionType',
  'UnionType',
  'TupleType',
  'ArrayType',
  'ReadonlyArrayType',
  'ReadonlyType',
  'ExactType',
])

/** The names of predefined refinements. */
const predefined: ReadonlySet<string> = new Set(['number', 'int', 'Int'])

/** Returns a name that can be used for a component. The type arguments of a name such as `Page<Book>` are separated by underscores. */
const explicitName = (name: string): string | undefined => {
  const [, generic, args] = /^([A-Za-z][\w.-]*)(?:<(.*)>)?$/.exec(name) ?? []
  if (generic === undefined || (args !== undefined && defaultGenerics.has(generic)))
    return undefined
  return args === undefined ? generic : sanitize(name)
}

/** The generic names that io-ts derives from other codecs. */
const defaultGenerics: ReadonlySet<string> = new Set([
  'Array',
  'ReadonlyArray',
  'Partial',
  'Readonly',
  'Exact',
  'Record',
])

const sanitize = (name: string): string => {
  const sanitized = name.replace(/[^\w.-]+/g, '_').replace(/^[^A-Za-z]+|_+$/g, '')
  return sanitized === '' ? 'Schema' : sanitized
}

/** The text that is appended to the name of a component to distinguish uses. */
interface VariantSuffix {
  /** The suffix that contains everything that distinguishes the use. */
  readonly complete: string
  /** Shorter suffixes, in the order of preference. */
  readonly shorter: ReadonlyArray<string>
}

/** Returns the suffix for a use. A view is part of all suffixes. */
const variantSuffix = ({
  direction,
  view,
  isText,
  isLossless,
  rejectsUndeclared,
}: ComponentUse): VariantSuffix => {
  const viewName = view === undefined ? '' : `_${sanitize(view.name)}`
  const use = direction === 'input' ? 'Input' : ''
  const form = `${use}${isText ? 'Text' : ''}${isLossless ? 'Lossless' : ''}`
  return {
    complete: `${form}${rejectsUndeclared ? 'Strict' : ''}${viewName}`,
    shorter: [viewName, use + viewName, form + viewName],
  }
}
