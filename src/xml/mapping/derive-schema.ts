/** Reads what a codec means in XML off its structure, and what is wrong with that. */
import type { Codec } from '../../codec/codec.ts'
import { isRecordKey } from '../../codec/structure/declared-members.ts'
import { isKnown } from '../../codec/structure/known-codec.ts'
import { children } from '../../codec/structure/codec-structure.ts'
import { contradictions } from './mapping-errors.ts'
import type { Declared } from './object-members.ts'
import { declaredMembers, disagree } from './object-members.ts'
import { noText, ofUnion } from './lexical-mapping.ts'
import type { QName } from '../xml-names.ts'
import { isNcName } from '../xml-names.ts'
import { Naming } from './naming.ts'
import { endless, listInList, listInUnion, listRoot, noName, noRoot, tuple } from './objections.ts'
import { rootName } from './root-name.ts'
import type {
  Alternative,
  Content,
  ElementField,
  FieldsContent,
  Particle,
  Shape,
  TextField,
} from './xml-schema.ts'
import { isCollection, textOf } from './text-codecs.ts'
import type { Stripped } from './unwrap-codec.ts'
import { mappingOf, strip } from './unwrap-codec.ts'

/** More than so many contents has only a recursive codec that makes another one each time that it is asked. */
const mostContents = 2000

/** Contents inside each other, likewise. */
const deepest = 200

/** A particle in its place: a list is missing or not, and so are its values. */
interface Placed extends Pick<Stripped, 'takesNull' | 'takesUndefined'> {
  readonly particle: Particle
}

export const readShape = (codec: Codec): Shape => new Reader().shape(codec)

class Reader {
  readonly #contents: Content[] = []
  readonly #known = new Map<Codec, Map<string, number>>()
  #depth = 0
  readonly #naming = new Naming()

  shape(codec: Codec): Shape {
    const root = this.#root(codec)
    return {
      root,
      contents: this.#contents,
      prefixes: this.#naming.prefixes,
      mistakes: this.#naming.mistakes,
    }
  }

  #root(codec: Codec): Particle {
    const stripped = strip(codec)
    const own = mappingOf(stripped, 'RootElement', 'ElementWrapper', 'Element')
    const local = own?.name.local ?? rootName(stripped.names)
    if (local === undefined) {
      // the kinds of a union can each be a root
      const kinds = stripped.codecs.length < 2 ? [] : stripped.codecs
      if (kinds.length === 0) this.#naming.wrong(codec.name, noRoot)
      const roots = kinds.map((one) => this.#root(one))
      const [first] = roots
      const alternatives = roots.flatMap((one) => one.alternatives)
      return {
        ...once(first?.name ?? { namespace: '', local: 'nil' }, stripped),
        alternatives,
        takesNull: stripped.takesNull || roots.some((one) => one.takesNull),
      }
    }
    const name = this.#naming.named(own?.name ?? {}, { namespace: '', local }, `/${local}`)
    const { particle } = this.#particle(codec, name, `/${local}`, true)
    if (particle.occurs !== 'once') this.#naming.wrong(`/${local}`, listRoot)
    return particle
  }

  /** The elements of a codec at a place, which has a name for them. */
  #particle(codec: Codec, place: QName, where: string, isRoot = false, refuses = false): Placed {
    const stripped = strip(codec)
    const { codecs, takesNull, takesUndefined } = stripped
    const own = isRoot ? undefined : mappingOf(stripped, 'Element', 'ElementWrapper')
    const name = own === undefined ? place : this.#naming.named(own.name, place, where)
    const [only, ...others] = codecs
    const within = refuses || stripped.refuses
    if (only !== undefined && others.length === 0 && repeats(only, stripped)) {
      if (only._tag === 'TupleType') this.#naming.wrong(where, tuple)
      const element = children(only)[0] ?? only
      const { particle } = this.#particle(element, name, where, false, within)
      if (particle.occurs !== 'once') this.#naming.wrong(where, listInList)
      const occurs = only._tag === 'SetType' ? 'set' : 'list'
      return { particle: { ...particle, occurs }, takesNull, takesUndefined }
    }
    const alternatives = this.#alternatives(codec, stripped, name, where, within)
    const particle = { ...once(name, stripped), alternatives }
    return { particle, takesNull, takesUndefined }
  }

  #alternatives(
    codec: Codec,
    stripped: Stripped,
    name: QName,
    where: string,
    refuses: boolean,
  ): ReadonlyArray<Alternative> {
    const [only, ...others] = stripped.codecs
    const isWrapped = mappingOf(stripped, 'ElementWrapper') !== undefined
    if (isWrapped && (only === undefined || others.length > 0 || !isCollection(only))) {
      this.#naming.wrong(where, 'xmlElementWrapper is for collections')
      return []
    }
    const lexical = textOf(codec)
    if (lexical !== undefined)
      return [{ name, codecs: [codec], content: this.#add({ _tag: 'Text', lexical, refuses }) }]
    if (only !== undefined && others.length === 0) {
      if (repeats(only, stripped)) {
        this.#naming.wrong(where, listInUnion)
        return []
      }
      const content = this.#content(only, stripped, name, where, refuses)
      return [{ name, codecs: [codec], content }]
    }
    const parts = stripped.codecs.map((one) => {
      const inner = strip(one)
      const own = mappingOf(inner, 'Element', 'ElementWrapper')
      const text = own === undefined ? textOf(one) : undefined
      return { codec: one, inner, own, lexical: text }
    })
    // texts with one name cannot be told apart by their element
    const texts = parts.flatMap((one) =>
      one.lexical === undefined ? [] : [{ codec: one.codec, lexical: one.lexical }],
    )
    const complex = parts.flatMap((one) => {
      if (one.lexical !== undefined) return []
      const named = one.own === undefined ? name : this.#naming.named(one.own.name, name, where)
      return this.#alternatives(one.codec, one.inner, named, where, refuses || one.inner.refuses)
    })
    if (texts.length === 0) return complex
    const content = this.#add({ _tag: 'Text', lexical: ofUnion(texts), refuses })
    return [...complex, { name, codecs: texts.map((one) => one.codec), content }]
  }

  #add(content: Content): number {
    return this.#contents.push(content) - 1
  }

  #content(core: Codec, stripped: Stripped, name: QName, where: string, refuses: boolean): number {
    const wrapper = mappingOf(stripped, 'ElementWrapper')
    if (wrapper !== undefined) {
      const item = this.#naming.named(wrapper.item, name, where)
      return this.#add({
        _tag: 'Items',
        particle: this.#items(core, item, where, refuses),
        refuses,
      })
    }
    const known = this.#known.get(core) ?? new Map<string, number>()
    this.#known.set(core, known)
    const key = `${refuses} ${name.namespace}`
    const before = known.get(key)
    if (before !== undefined) return before
    const index = this.#add({ _tag: 'Text', lexical: noText, refuses })
    known.set(key, index)
    if (index > mostContents || this.#depth > deepest) this.#naming.wrong(where, endless)
    else {
      this.#depth++
      this.#contents[index] = this.#complex(core, name, where, refuses)
      this.#depth--
    }
    return index
  }

  #items(core: Codec, item: QName, where: string, refuses: boolean): Particle {
    const inside = children(core).map((one) => {
      const { particle } = this.#particle(one, item, `${where}/${item.local}`, false, refuses)
      if (particle.occurs !== 'once') this.#naming.wrong(where, listInList)
      return particle
    })
    const [first] = inside
    const each = first ?? once(item, { takesNull: false, takesUndefined: false, tag: undefined })
    if (core._tag !== 'TupleType')
      return { ...each, occurs: core._tag === 'SetType' ? 'set' : 'list' }
    return { ...each, occurs: 'tuple', positions: inside }
  }

  #complex(core: Codec, name: QName, where: string, refuses: boolean): Content {
    if (isKnown(core) && core._tag === 'DictionaryType') {
      const { namespace } = name
      const at = `${where}/*`
      const place = { namespace, local: 'entry' }
      const { particle } = this.#particle(core.codomain, place, at, false, refuses)
      const isKey = isRecordKey(core.domain)
      return { _tag: 'Entries', codec: core, isKey, namespace, particle, refuses }
    }
    const fields: Array<TextField | ElementField> = []
    const values: TextField[] = []
    for (const [key, declared] of declaredMembers(core, (what) =>
      this.#naming.wrong(where, what),
    )) {
      const [{ codec, isPartial }, ...others] = declared
      if (disagree(declared))
        this.#naming.wrong(
          `${where}/${key}`,
          'it is declared twice, with values that are not single',
        )
      const codecs = [codec, ...others.map((one) => one.codec)] as const
      this.#field({ key, codecs, isPartial }, { name, where, refuses }, fields, values)
    }
    const content: FieldsContent = {
      _tag: 'Fields',
      codec: core,
      attributes: fields.filter((one) => 'lexical' in one),
      value: values[0],
      elements: fields.filter((one) => 'particle' in one),
      refuses,
    }
    for (const wrong of contradictions(content, values.length)) this.#naming.wrong(where, wrong)
    return content
  }

  #field(
    { key, codecs, isPartial }: Pick<TextField, 'key' | 'codecs'> & Pick<Declared, 'isPartial'>,
    {
      name,
      where,
      refuses,
    }: {
      readonly name: QName
      readonly where: string
      readonly refuses: boolean
    },
    fields: Array<TextField | ElementField>,
    values: TextField[],
  ): void {
    const [codec] = codecs
    const stripped = strip(codec)
    const mapping = mappingOf(stripped, 'Attribute') ?? mappingOf(stripped, 'Value')
    if (mapping === undefined) {
      const at = `${where}/${key}`
      const placed = this.#particle(codec, { ...name, local: key }, at, false, refuses)
      for (const { local } of [placed.particle, ...placed.particle.alternatives].map(
        (one) => one.name,
      ))
        if (!isNcName(local)) this.#naming.wrong(at, noName(local))
      const takesUndefined = isPartial || placed.takesUndefined
      fields.push({ ...placed, key, codecs, takesUndefined })
      return
    }
    const at = mapping._tag === 'Value' ? where : `${where}/@${key}`
    const lexical = textOf(codec)
    if (lexical === undefined)
      return this.#naming.wrong(
        at,
        'only single values, and lists of them with xmlList, have a text',
      )
    const field: TextField = {
      key,
      codecs,
      lexical,
      name:
        mapping._tag === 'Attribute'
          ? this.#naming.named(mapping.name, { namespace: '', local: key }, at)
          : name,
      takesNull: stripped.takesNull,
      takesUndefined: isPartial || stripped.takesUndefined,
    }
    if (mapping._tag === 'Attribute') fields.push(field)
    else values.push(field)
  }
}

/** Whether a codec is a collection whose values stand one by one where it does. */
const repeats = (core: Codec, stripped: Stripped): boolean =>
  isCollection(core) && mappingOf(stripped, 'ElementWrapper', 'List') === undefined

const once = (
  name: QName,
  { takesNull, takesUndefined, tag }: Pick<Stripped, 'takesNull' | 'takesUndefined' | 'tag'>,
): Particle => ({
  name,
  alternatives: [],
  tag,
  occurs: 'once',
  positions: [],
  takesNull,
  takesUndefined,
})
