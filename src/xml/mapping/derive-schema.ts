/** Derives an XML schema from the schema of a codec. */
import { partsOf } from '../../codec/schema/schema.ts'
import type { RecordSchema, Schema } from '../../codec/schema/schema.ts'
import {
  memberConflicts,
  endless,
  listInList,
  listInUnion,
  listRoot,
  noName,
  noRoot,
  tuple,
  unnamedListRoot,
  declaredMembers,
  hasConflict,
  NameResolver,
  defaultRootName,
} from './naming.ts'
import type { Declared } from './naming.ts'
import { unsupportedText, unionMapping } from './lexical-mapping.ts'
import type { QName } from '../xml-names.ts'
import { isNcName } from '../xml-names.ts'
import type {
  Alternative,
  ContentModel,
  ElementMember,
  ObjectModel,
  Particle,
  XmlSchema,
  TextMember,
} from './xml-schema.ts'
import { isCollection, lexicalOf, findMapping, repeats, unwrap } from './unwrap-schema.ts'
import type { Unwrapped } from './unwrap-schema.ts'

/**
 * The maximum number of content models. This limit stops the derivation of recursive codecs whose definition returns a
 * new codec on each call.
 */
const maxModels = 2000

/** The maximum nesting depth of content models. This limit serves the same purpose as {@link maxModels}. */
const maxDepth = 200

/**
 * The particle for an object member. `allowsNull` and `allowsUndefined` apply to the member. If the member is a list,
 * the flags in `particle` apply to the values in the list.
 */
interface MemberParticle extends Pick<Unwrapped, 'allowsNull' | 'allowsUndefined'> {
  readonly particle: Particle
}

/** Derives the XML schema for the schema of a codec. Configuration errors are returned as part of the XML schema. */
export const deriveSchema = (schema: Schema): XmlSchema => new Deriver().schema(schema)

class Deriver {
  readonly #models: ContentModel[] = []
  readonly #modelIndices = new Map<Schema, Map<string, number>>()
  #depth = 0
  readonly #names = new NameResolver()

  schema(schema: Schema): XmlSchema {
    const root = this.#root(schema)
    return {
      root,
      models: this.#models,
      prefixes: this.#names.prefixes,
      errors: this.#names.errors,
    }
  }

  #root(schema: Schema): Particle {
    const unwrapped = unwrap(schema)
    const mapping = findMapping(unwrapped, 'RootElement', 'ElementWrapper', 'Element')
    const local = mapping?.name.local ?? defaultRootName(unwrapped.names)
    if (local === undefined) {
      // any codec in the union can describe the root element
      const { core, members } = unwrapped
      const isRepeated = core !== undefined && repeats(core, unwrapped)
      if (members.length === 0)
        this.#names.report(schema.reported.name, isRepeated ? unnamedListRoot : noRoot)
      const roots = members.map((member) => this.#root(member))
      const [first] = roots
      const alternatives = roots.flatMap((root) => root.alternatives)
      const allowsNull = unwrapped.allowsNull || roots.some((root) => root.allowsNull)
      const name = first?.name ?? { namespace: '', local: 'nil' }
      return singleParticle(name, { ...unwrapped, allowsNull }, alternatives)
    }
    const name = this.#names.resolve(mapping?.name ?? {}, { namespace: '', local }, `/${local}`)
    const { particle } = this.#particle(schema, name, `/${local}`, true)
    if (particle.isRepeated) this.#names.report(`/${local}`, listRoot)
    return particle
  }

  /** Derives the particle for a schema. `inherited` is the default element name. */
  #particle(schema: Schema, inherited: QName, path: string, isRoot = false): MemberParticle {
    const unwrapped = unwrap(schema)
    const { core, allowsNull, allowsUndefined } = unwrapped
    const mapping = isRoot ? undefined : findMapping(unwrapped, 'Element', 'ElementWrapper')
    const name = isRoot ? inherited : this.#names.member(unwrapped, mapping, inherited, path)
    if (core !== undefined && repeats(core, unwrapped)) {
      if (core._tag === 'Tuple') this.#names.report(path, tuple)
      return { particle: this.#items(core, name, path), allowsNull, allowsUndefined }
    }
    const alternatives = this.#alternatives(schema, unwrapped, name, path)
    const particle = singleParticle(name, unwrapped, alternatives)
    return { particle, allowsNull, allowsUndefined }
  }

  #alternatives(
    schema: Schema,
    unwrapped: Unwrapped,
    name: QName,
    path: string,
  ): ReadonlyArray<Alternative> {
    const { core, members, rejectsUndeclared } = unwrapped
    const isWrapped = findMapping(unwrapped, 'ElementWrapper') !== undefined
    if (isWrapped && (core === undefined || !isCollection(core))) {
      this.#names.report(path, 'xmlElementWrapper requires a list, set or tuple')
      return []
    }
    const codecs = [schema.reported]
    const lexical = lexicalOf(schema)
    if (lexical !== undefined)
      return [{ name, codecs, model: this.#add({ _tag: 'Text', lexical, rejectsUndeclared }) }]
    if (core !== undefined) {
      if (!repeats(core, unwrapped))
        return [{ name, codecs, model: this.#model(core, unwrapped, name, path) }]
      this.#names.report(path, listInUnion)
      return []
    }
    const parts = members.map((member) => {
      const inner = unwrap(member)
      const mapping = findMapping(inner, 'Element', 'ElementWrapper')
      const text = mapping === undefined ? lexicalOf(member) : undefined
      return { schema: member, inner, mapping, lexical: text }
    })
    // all codecs for text share one alternative, because their elements have the same name
    const texts = parts.flatMap((part) =>
      part.lexical === undefined ? [] : [{ codec: part.schema.reported, lexical: part.lexical }],
    )
    const complex = parts.flatMap((part) => {
      if (part.lexical !== undefined) return []
      const partName = this.#names.member(part.inner, part.mapping, name, path)
      return this.#alternatives(part.schema, part.inner, partName, path)
    })
    if (texts.length === 0) return complex
    const model = this.#add({ _tag: 'Text', lexical: unionMapping(texts), rejectsUndeclared })
    return [...complex, { name, codecs: texts.map(({ codec }) => codec), model }]
  }

  #add(model: ContentModel): number {
    return this.#models.push(model) - 1
  }

  #model(core: Schema, unwrapped: Unwrapped, name: QName, path: string): number {
    const { rejectsUndeclared } = unwrapped
    const wrapper = findMapping(unwrapped, 'ElementWrapper')
    if (wrapper !== undefined) {
      const item = this.#names.resolve(wrapper.item, name, path)
      const particle = this.#items(core, item, path, `${path}/${item.local}`)
      return this.#add({ _tag: 'Wrapper', particle, rejectsUndeclared })
    }
    const indices = this.#modelIndices.get(core) ?? new Map<string, number>()
    this.#modelIndices.set(core, indices)
    const existing = indices.get(name.namespace)
    if (existing !== undefined) return existing
    const index = this.#add({ _tag: 'Text', lexical: unsupportedText, rejectsUndeclared })
    indices.set(name.namespace, index)
    if (index > maxModels || this.#depth > maxDepth) this.#names.report(path, endless)
    else {
      this.#depth++
      this.#models[index] = this.#complex(core, name, path, rejectsUndeclared)
      this.#depth--
    }
    return index
  }

  /** Derives the particle for the elements of a collection. */
  #items(core: Schema, item: QName, path: string, itemPath = path): Particle {
    const positions = partsOf(core).map((element) => {
      const { particle } = this.#particle(element, item, itemPath)
      if (particle.isRepeated) this.#names.report(path, listInList)
      return particle
    })
    const [first = singleParticle(item, absent, [])] = positions
    return { ...first, isRepeated: true, positions: core._tag === 'Tuple' ? positions : [] }
  }

  #complex(core: Schema, name: QName, path: string, rejectsUndeclared: boolean): ContentModel {
    const record = recordOf(core)
    if (record !== undefined) {
      const { namespace } = name
      const inherited = { namespace, local: 'entry' }
      const { particle } = this.#particle(record.codomain, inherited, `${path}/*`)
      return { _tag: 'Record', isKey: record.isKey, namespace, particle, rejectsUndeclared }
    }
    const mapped: Array<TextMember | ElementMember> = []
    const values: TextMember[] = []
    for (const [key, declared] of declaredMembers(core, (error) =>
      this.#names.report(path, error),
    )) {
      const [{ schema, required }, ...others] = declared
      if (hasConflict(declared))
        this.#names.report(`${path}/${key}`, 'declared more than once with structured values')
      const codecs = [schema.reported, ...others.map((other) => other.schema.reported)] as const
      this.#member({ key, schema, required, codecs }, name, path, mapped, values)
    }
    const model: ObjectModel = {
      _tag: 'Object',
      attributes: mapped.filter((member) => 'lexical' in member),
      value: values[0],
      elements: mapped.filter((member) => 'particle' in member),
      rejectsUndeclared,
    }
    for (const conflict of memberConflicts(model, values.length)) this.#names.report(path, conflict)
    return model
  }

  #member(
    { key, schema, required, codecs }: Declared & Pick<TextMember, 'codecs'>,
    name: QName,
    path: string,
    mapped: Array<TextMember | ElementMember>,
    values: TextMember[],
  ): void {
    const unwrapped = unwrap(schema)
    const mapping = findMapping(unwrapped, 'Attribute') ?? findMapping(unwrapped, 'Value')
    if (mapping === undefined) {
      const at = `${path}/${key}`
      const member = this.#particle(schema, { ...name, local: key }, at)
      for (const { local } of [member.particle, ...member.particle.alternatives].map(
        (particle) => particle.name,
      ))
        if (!isNcName(local)) this.#names.report(at, noName(local))
      const allowsUndefined = !required || member.allowsUndefined
      mapped.push({ ...member, key, codecs, allowsUndefined })
      return
    }
    const at = mapping._tag === 'Value' ? path : `${path}/@${key}`
    const lexical = lexicalOf(schema)
    if (lexical === undefined)
      return this.#names.report(
        at,
        'attributes and character data must be single values, or lists of single values with xmlList',
      )
    const member: TextMember = {
      key,
      codecs,
      lexical,
      name:
        mapping._tag === 'Attribute'
          ? this.#names.resolve(mapping.name, { namespace: '', local: key }, at)
          : name,
      allowsNull: unwrapped.allowsNull,
      allowsUndefined: !required || unwrapped.allowsUndefined,
    }
    if (mapping._tag === 'Attribute') mapped.push(member)
    else values.push(member)
  }
}

/** Returns the record that a schema describes. A record with literal keys is an object in other formats. */
const recordOf = (core: Schema): Pick<RecordSchema, 'codomain' | 'isKey'> | undefined => {
  if (core._tag === 'Record') return core
  if (core._tag !== 'Object' || core.reported._tag !== 'DictionaryType') return undefined
  const [member] = core.members
  return member && { codomain: member.schema, isKey: core.isVisible }
}

const absent = { allowsNull: false, allowsUndefined: false, tag: undefined }

const singleParticle = (
  name: QName,
  { allowsNull, allowsUndefined, tag }: Pick<Particle, 'allowsNull' | 'allowsUndefined' | 'tag'>,
  alternatives: ReadonlyArray<Alternative>,
): Particle => ({
  name,
  alternatives,
  tag,
  isRepeated: false,
  positions: [],
  allowsNull,
  allowsUndefined,
})
