/** Derives the XML schema of a codec from its structure. */
import type { Codec } from '../../codec/codec.ts'
import { isRecordKey } from '../../codec/structure/declared-members.ts'
import { isKnown } from '../../codec/structure/known-codec.ts'
import { children } from '../../codec/structure/codec-structure.ts'
import { memberConflicts } from './mapping-errors.ts'
import type { Declared } from './object-members.ts'
import { declaredMembers, hasConflict } from './object-members.ts'
import { unsupportedText, unionMapping } from './lexical-mapping.ts'
import type { QName } from '../xml-names.ts'
import { isNcName } from '../xml-names.ts'
import { NameResolver } from './naming.ts'
import {
  endless,
  listInList,
  listInUnion,
  listRoot,
  noName,
  noRoot,
  tuple,
} from './mapping-errors.ts'
import { defaultRootName } from './naming.ts'
import type {
  Alternative,
  ContentModel,
  ElementMember,
  ObjectModel,
  Particle,
  XmlSchema,
  TextMember,
} from './xml-schema.ts'
import { isCollection, lexicalOf } from './text-codecs.ts'
import type { Unwrapped } from './unwrap-codec.ts'
import { findMapping, unwrap } from './unwrap-codec.ts'

/** The maximum number of content models. Only recursive codecs that create a new codec for each call have more. */
const maxModels = 2000

/** The maximum nesting depth of content models, for the same reason. */
const maxDepth = 200

/** A particle as a member. Both a list and its values may be missing. */
interface MemberParticle extends Pick<Unwrapped, 'allowsNull' | 'allowsUndefined'> {
  readonly particle: Particle
}

/** Derives the schema of a codec. Configuration errors are part of the result. */
export const deriveSchema = (codec: Codec): XmlSchema => new Deriver().schema(codec)

class Deriver {
  readonly #models: ContentModel[] = []
  readonly #known = new Map<Codec, Map<string, number>>()
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
    const own = findMapping(unwrapped, 'RootElement', 'ElementWrapper', 'Element')
    const local = own?.name.local ?? defaultRootName(unwrapped.names)
    if (local === undefined) {
      // each codec of a union can be a root
      const kinds = unwrapped.codecs.length < 2 ? [] : unwrapped.codecs
      if (kinds.length === 0) this.#names.report(codec.name, noRoot)
      const roots = kinds.map((one) => this.#root(one))
      const [first] = roots
      const alternatives = roots.flatMap((one) => one.alternatives)
      return {
        ...singleParticle(first?.name ?? { namespace: '', local: 'nil' }, unwrapped),
        alternatives,
        allowsNull: unwrapped.allowsNull || roots.some((one) => one.allowsNull),
      }
    }
    const name = this.#names.resolve(own?.name ?? {}, { namespace: '', local }, `/${local}`)
    const { particle } = this.#particle(codec, name, `/${local}`, true)
    if (particle.occurs !== 'once') this.#names.report(`/${local}`, listRoot)
    return particle
  }

  /** Derives the elements of a codec. `inherited` is their default name. */
  #particle(
    codec: Codec,
    inherited: QName,
    path: string,
    isRoot = false,
    rejectsUndeclared = false,
  ): MemberParticle {
    const unwrapped = unwrap(codec)
    const { codecs, allowsNull, allowsUndefined } = unwrapped
    const own = isRoot ? undefined : findMapping(unwrapped, 'Element', 'ElementWrapper')
    const name = own === undefined ? inherited : this.#names.resolve(own.name, inherited, path)
    const [only, ...others] = codecs
    const within = rejectsUndeclared || unwrapped.rejectsUndeclared
    if (only !== undefined && others.length === 0 && repeats(only, unwrapped)) {
      if (only._tag === 'TupleType') this.#names.report(path, tuple)
      const element = children(only)[0] ?? only
      const { particle } = this.#particle(element, name, path, false, within)
      if (particle.occurs !== 'once') this.#names.report(path, listInList)
      const occurs = only._tag === 'SetType' ? 'set' : 'list'
      return { particle: { ...particle, occurs }, allowsNull, allowsUndefined }
    }
    const alternatives = this.#alternatives(codec, unwrapped, name, path, within)
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
    const parts = unwrapped.codecs.map((one) => {
      const inner = unwrap(one)
      const own = findMapping(inner, 'Element', 'ElementWrapper')
      const text = own === undefined ? lexicalOf(one) : undefined
      return { codec: one, inner, own, lexical: text }
    })
    // texts with the same element name share one alternative
    const texts = parts.flatMap((one) =>
      one.lexical === undefined ? [] : [{ codec: one.codec, lexical: one.lexical }],
    )
    const complex = parts.flatMap((one) => {
      if (one.lexical !== undefined) return []
      const named = one.own === undefined ? name : this.#names.resolve(one.own.name, name, path)
      return this.#alternatives(
        one.codec,
        one.inner,
        named,
        path,
        rejectsUndeclared || one.inner.rejectsUndeclared,
      )
    })
    if (texts.length === 0) return complex
    const model = this.#add({ _tag: 'Text', lexical: unionMapping(texts), rejectsUndeclared })
    return [...complex, { name, codecs: texts.map((one) => one.codec), model }]
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
    const known = this.#known.get(core) ?? new Map<string, number>()
    this.#known.set(core, known)
    const key = `${rejectsUndeclared} ${name.namespace}`
    const before = known.get(key)
    if (before !== undefined) return before
    const index = this.#add({ _tag: 'Text', lexical: unsupportedText, rejectsUndeclared })
    known.set(key, index)
    if (index > maxModels || this.#depth > maxDepth) this.#names.report(path, endless)
    else {
      this.#depth++
      this.#models[index] = this.#complex(core, name, path, rejectsUndeclared)
      this.#depth--
    }
    return index
  }

  #items(core: Codec, item: QName, path: string, rejectsUndeclared: boolean): Particle {
    const inside = children(core).map((one) => {
      const { particle } = this.#particle(
        one,
        item,
        `${path}/${item.local}`,
        false,
        rejectsUndeclared,
      )
      if (particle.occurs !== 'once') this.#names.report(path, listInList)
      return particle
    })
    const [first] = inside
    const each =
      first ?? singleParticle(item, { allowsNull: false, allowsUndefined: false, tag: undefined })
    if (core._tag !== 'TupleType')
      return { ...each, occurs: core._tag === 'SetType' ? 'set' : 'list' }
    return { ...each, occurs: 'tuple', positions: inside }
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
    const fields: Array<TextMember | ElementMember> = []
    const values: TextMember[] = []
    for (const [key, declared] of declaredMembers(core, (what) => this.#names.report(path, what))) {
      const [{ codec, isPartial }, ...others] = declared
      if (hasConflict(declared))
        this.#names.report(`${path}/${key}`, 'declared several times with structured values')
      const codecs = [codec, ...others.map((one) => one.codec)] as const
      this.#field({ key, codecs, isPartial }, { name, path, rejectsUndeclared }, fields, values)
    }
    const model: ObjectModel = {
      _tag: 'Object',
      codec: core,
      attributes: fields.filter((one) => 'lexical' in one),
      value: values[0],
      elements: fields.filter((one) => 'particle' in one),
      rejectsUndeclared,
    }
    for (const wrong of memberConflicts(model, values.length)) this.#names.report(path, wrong)
    return model
  }

  #field(
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
    fields: Array<TextMember | ElementMember>,
    values: TextMember[],
  ): void {
    const [codec] = codecs
    const unwrapped = unwrap(codec)
    const mapping = findMapping(unwrapped, 'Attribute') ?? findMapping(unwrapped, 'Value')
    if (mapping === undefined) {
      const at = `${path}/${key}`
      const member = this.#particle(codec, { ...name, local: key }, at, false, rejectsUndeclared)
      for (const { local } of [member.particle, ...member.particle.alternatives].map(
        (one) => one.name,
      ))
        if (!isNcName(local)) this.#names.report(at, noName(local))
      const allowsUndefined = isPartial || member.allowsUndefined
      fields.push({ ...member, key, codecs, allowsUndefined })
      return
    }
    const at = mapping._tag === 'Value' ? path : `${path}/@${key}`
    const lexical = lexicalOf(codec)
    if (lexical === undefined)
      return this.#names.report(
        at,
        'attributes and character data must be single values, or lists of them with xmlList',
      )
    const field: TextMember = {
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
    if (mapping._tag === 'Attribute') fields.push(field)
    else values.push(field)
  }
}

/** Whether a codec is a collection that maps to repeated elements without a wrapper. */
const repeats = (core: Codec, unwrapped: Unwrapped): boolean =>
  isCollection(core) && findMapping(unwrapped, 'ElementWrapper', 'List') === undefined

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
