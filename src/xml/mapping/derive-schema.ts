/** Derives an XML schema from the structure of a codec. */
import type { Codec } from '../../codec/codec.ts'
import { isRecordKey } from '../../codec/structure/undeclared-members.ts'
import { isKnown } from '../../codec/structure/known-codec.ts'
import { children } from '../../codec/codec-structure.ts'
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
import { isCollection, lexicalOf, findMapping, repeats, unwrap } from './unwrap-codec.ts'
import type { Unwrapped } from './unwrap-codec.ts'

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

/** Derives the schema for a codec. Configuration errors are returned as part of the schema. */
export const deriveSchema = (codec: Codec): XmlSchema => new Deriver().schema(codec)

class Deriver {
  readonly #models: ContentModel[] = []
  readonly #modelIndices = new Map<Codec, Map<string, number>>()
  #depth = 0
  readonly #names = new NameResolver()

  schema(codec: Codec): XmlSchema {
    const root = this.#root(codec)
    return {
      root,
      models: this.#models,
      prefixes: this.#names.prefixes,
      errors: this.#names.errors,
    }
  }

  #root(codec: Codec): Particle {
    const unwrapped = unwrap(codec)
    const mapping = findMapping(unwrapped, 'RootElement', 'ElementWrapper', 'Element')
    const local = mapping?.name.local ?? defaultRootName(unwrapped.names)
    if (local === undefined) {
      // any codec in the union can describe the root element
      const members = unwrapped.codecs.length < 2 ? [] : unwrapped.codecs
      const isRepeated = (core: Codec): boolean => repeats(core, unwrapped)
      if (members.length === 0)
        this.#names.report(codec.name, unwrapped.codecs.some(isRepeated) ? unnamedListRoot : noRoot)
      const roots = members.map((member) => this.#root(member))
      const [first] = roots
      const alternatives = roots.flatMap((root) => root.alternatives)
      return {
        ...singleParticle(first?.name ?? { namespace: '', local: 'nil' }, unwrapped),
        alternatives,
        allowsNull: unwrapped.allowsNull || roots.some((root) => root.allowsNull),
      }
    }
    const name = this.#names.resolve(mapping?.name ?? {}, { namespace: '', local }, `/${local}`)
    const { particle } = this.#particle(codec, name, `/${local}`, true)
    if (particle.occurs !== 'once') this.#names.report(`/${local}`, listRoot)
    return particle
  }

  /** Derives the particle for a codec. `inherited` is the default element name. */
  #particle(
    codec: Codec,
    inherited: QName,
    path: string,
    isRoot = false,
    rejectsUndeclared = false,
  ): MemberParticle {
    const unwrapped = unwrap(codec)
    const { codecs, allowsNull, allowsUndefined } = unwrapped
    const mapping = isRoot ? undefined : findMapping(unwrapped, 'Element', 'ElementWrapper')
    const name = isRoot ? inherited : this.#names.member(unwrapped, mapping, inherited, path)
    const [only, ...others] = codecs
    const isStrict = rejectsUndeclared || unwrapped.rejectsUndeclared
    if (only !== undefined && others.length === 0 && repeats(only, unwrapped)) {
      if (only._tag === 'TupleType') this.#names.report(path, tuple)
      const element = children(only)[0] ?? only
      const { particle } = this.#particle(element, name, path, false, isStrict)
      if (particle.occurs !== 'once') this.#names.report(path, listInList)
      const occurs = only._tag === 'SetType' ? 'set' : 'list'
      return { particle: { ...particle, occurs }, allowsNull, allowsUndefined }
    }
    const alternatives = this.#alternatives(codec, unwrapped, name, path, isStrict)
    const particle = { ...singleParticle(name, unwrapped), alternatives }
    return { particle, allowsNull, allowsUndefined }
  }

  #alternatives(
    codec: Codec,
    unwrapped: Unwrapped,
    name: QName,
    path: string,
    rejectsUndeclared: boolean,
  ): ReadonlyArray<Alternative> {
    const [only, ...others] = unwrapped.codecs
    const isWrapped = findMapping(unwrapped, 'ElementWrapper') !== undefined
    if (isWrapped && (only === undefined || others.length > 0 || !isCollection(only))) {
      this.#names.report(path, 'xmlElementWrapper requires a list, set or tuple')
      return []
    }
    const lexical = lexicalOf(codec)
    if (lexical !== undefined)
      return [
        { name, codecs: [codec], model: this.#add({ _tag: 'Text', lexical, rejectsUndeclared }) },
      ]
    if (only !== undefined && others.length === 0) {
      if (repeats(only, unwrapped)) {
        this.#names.report(path, listInUnion)
        return []
      }
      const model = this.#model(only, unwrapped, name, path, rejectsUndeclared)
      return [{ name, codecs: [codec], model }]
    }
    const parts = unwrapped.codecs.map((member) => {
      const inner = unwrap(member)
      const mapping = findMapping(inner, 'Element', 'ElementWrapper')
      const text = mapping === undefined ? lexicalOf(member) : undefined
      return { codec: member, inner, mapping, lexical: text }
    })
    // all codecs for text share one alternative, because their elements have the same name
    const texts = parts.flatMap((part) =>
      part.lexical === undefined ? [] : [{ codec: part.codec, lexical: part.lexical }],
    )
    const complex = parts.flatMap((part) => {
      if (part.lexical !== undefined) return []
      const partName = this.#names.member(part.inner, part.mapping, name, path)
      return this.#alternatives(
        part.codec,
        part.inner,
        partName,
        path,
        rejectsUndeclared || part.inner.rejectsUndeclared,
      )
    })
    if (texts.length === 0) return complex
    const model = this.#add({ _tag: 'Text', lexical: unionMapping(texts), rejectsUndeclared })
    return [...complex, { name, codecs: texts.map((part) => part.codec), model }]
  }

  #add(model: ContentModel): number {
    return this.#models.push(model) - 1
  }

  #model(
    core: Codec,
    unwrapped: Unwrapped,
    name: QName,
    path: string,
    rejectsUndeclared: boolean,
  ): number {
    const wrapper = findMapping(unwrapped, 'ElementWrapper')
    if (wrapper !== undefined) {
      const item = this.#names.resolve(wrapper.item, name, path)
      return this.#add({
        _tag: 'Wrapper',
        particle: this.#items(core, item, path, rejectsUndeclared),
        rejectsUndeclared,
      })
    }
    const indices = this.#modelIndices.get(core) ?? new Map<string, number>()
    this.#modelIndices.set(core, indices)
    const key = `${rejectsUndeclared} ${name.namespace}`
    const existing = indices.get(key)
    if (existing !== undefined) return existing
    const index = this.#add({ _tag: 'Text', lexical: unsupportedText, rejectsUndeclared })
    indices.set(key, index)
    if (index > maxModels || this.#depth > maxDepth) this.#names.report(path, endless)
    else {
      this.#depth++
      this.#models[index] = this.#complex(core, name, path, rejectsUndeclared)
      this.#depth--
    }
    return index
  }

  #items(core: Codec, item: QName, path: string, rejectsUndeclared: boolean): Particle {
    const positions = children(core).map((element) => {
      const { particle } = this.#particle(
        element,
        item,
        `${path}/${item.local}`,
        false,
        rejectsUndeclared,
      )
      if (particle.occurs !== 'once') this.#names.report(path, listInList)
      return particle
    })
    const [first] = positions
    const particle =
      first ?? singleParticle(item, { allowsNull: false, allowsUndefined: false, tag: undefined })
    if (core._tag !== 'TupleType')
      return { ...particle, occurs: core._tag === 'SetType' ? 'set' : 'list' }
    return { ...particle, occurs: 'tuple', positions }
  }

  #complex(core: Codec, name: QName, path: string, rejectsUndeclared: boolean): ContentModel {
    if (isKnown(core) && core._tag === 'DictionaryType') {
      const { namespace } = name
      const at = `${path}/*`
      const inherited = { namespace, local: 'entry' }
      const { particle } = this.#particle(core.codomain, inherited, at, false, rejectsUndeclared)
      const isKey = isRecordKey(core.domain)
      return { _tag: 'Record', codec: core, isKey, namespace, particle, rejectsUndeclared }
    }
    const mapped: Array<TextMember | ElementMember> = []
    const values: TextMember[] = []
    for (const [key, declared] of declaredMembers(core, (error) =>
      this.#names.report(path, error),
    )) {
      const [{ codec, isPartial }, ...others] = declared
      if (hasConflict(declared))
        this.#names.report(`${path}/${key}`, 'declared more than once with structured values')
      const codecs = [codec, ...others.map((other) => other.codec)] as const
      this.#member({ key, codecs, isPartial }, { name, path, rejectsUndeclared }, mapped, values)
    }
    const model: ObjectModel = {
      _tag: 'Object',
      codec: core,
      attributes: mapped.filter((member) => 'lexical' in member),
      value: values[0],
      elements: mapped.filter((member) => 'particle' in member),
      rejectsUndeclared,
    }
    for (const conflict of memberConflicts(model, values.length)) this.#names.report(path, conflict)
    return model
  }

  #member(
    { key, codecs, isPartial }: Pick<TextMember, 'key' | 'codecs'> & Pick<Declared, 'isPartial'>,
    {
      name,
      path,
      rejectsUndeclared,
    }: {
      readonly name: QName
      readonly path: string
      readonly rejectsUndeclared: boolean
    },
    mapped: Array<TextMember | ElementMember>,
    values: TextMember[],
  ): void {
    const [codec] = codecs
    const unwrapped = unwrap(codec)
    const mapping = findMapping(unwrapped, 'Attribute') ?? findMapping(unwrapped, 'Value')
    if (mapping === undefined) {
      const at = `${path}/${key}`
      const member = this.#particle(codec, { ...name, local: key }, at, false, rejectsUndeclared)
      for (const { local } of [member.particle, ...member.particle.alternatives].map(
        (particle) => particle.name,
      ))
        if (!isNcName(local)) this.#names.report(at, noName(local))
      const allowsUndefined = isPartial || member.allowsUndefined
      mapped.push({ ...member, key, codecs, allowsUndefined })
      return
    }
    const at = mapping._tag === 'Value' ? path : `${path}/@${key}`
    const lexical = lexicalOf(codec)
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
      allowsUndefined: isPartial || unwrapped.allowsUndefined,
    }
    if (mapping._tag === 'Attribute') mapped.push(member)
    else values.push(member)
  }
}

const singleParticle = (
  name: QName,
  { allowsNull, allowsUndefined, tag }: Pick<Unwrapped, 'allowsNull' | 'allowsUndefined' | 'tag'>,
): Particle => ({
  name,
  alternatives: [],
  tag,
  occurs: 'once',
  positions: [],
  allowsNull,
  allowsUndefined,
})
