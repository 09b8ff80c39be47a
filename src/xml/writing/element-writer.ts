/** Writes documents: functions made for a shape, which put text together. */
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { declaredCodecs } from '../../codec/structure/declared-members.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { escapedAttribute, escapedText } from './escape.ts'
import { instanceNamespace, isNcName } from '../xml-names.ts'
import type { Prefixes } from './prefixes.ts'
import { prefixesOf } from './prefixes.ts'
import type {
  Alternative,
  Content,
  ElementField,
  EntriesContent,
  FieldsContent,
  ItemsContent,
  Particle,
  Shape,
  TextContent,
  TextField,
} from '../mapping/xml-schema.ts'

/** How documents are written. */
export interface Layout {
  /** What each level is indented by, on a line of its own; nothing is, and there are no lines, when it is empty. */
  readonly indentation: string
  /** Whether a member with this codec is left out. */
  readonly omits: (member: Codec) => boolean
}

/** Prepares writing. What is written of `undefined` is empty; it throws a `TypeError` for a value that is not of the codec. */
export const writing = (
  shape: Shape,
  { indentation, omits }: Layout,
): ((value: unknown) => string) => {
  const prefixes = prefixesOf(shape)
  const maker = new Maker(shape.contents, prefixes, indentation, omits)
  const root = maker.particle(shape.root, [], prefixes.declarations)
  const pad = indentation === '' ? '' : '\n'
  return (value) => root(value, pad)
}

/** Writes all elements of a value, each behind `pad`. */
type Write = (value: unknown, pad: string) => string

/** Writes one element; the name in the start tag has declarations behind it where it is the root. */
type WriteElement = (name: string, declarations: string, value: unknown, pad: string) => string

const nil = (name: string, declarations: string, pad: string): string =>
  `${pad}<${name}${declarations} xmlns:xsi="${instanceNamespace}" xsi:nil="true"/>`

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Codecs that describe the same value as the one at hand, which says by no tag that it is none of theirs: what they hide is hidden. */
type Alike = ReadonlyArray<Codec>

const none: Alike = []

/** What they declare of a member, or of all. */
const below = (alike: Alike, key?: string): Alike =>
  alike.length === 0 ? none : distinct(alike.flatMap(declaredCodecs(key)))

const distinct = (alike: Alike): Alike => (alike.length < 2 ? alike : [...new Set(alike)])

const areSame = (some: Alike, others: Alike): boolean =>
  some.length === others.length && some.every((codec) => others.includes(codec))

class Maker {
  readonly #contents: ReadonlyArray<Content>
  /** What was made, by content and by what else describes its values. */
  readonly #made = new Map<number, Array<{ readonly alike: Alike; readonly write: WriteElement }>>()
  readonly #prefixes: Prefixes
  readonly #indentation: string
  readonly #omits: Layout['omits']

  constructor(
    contents: ReadonlyArray<Content>,
    prefixes: Prefixes,
    indentation: string,
    omits: Layout['omits'],
  ) {
    this.#contents = contents
    this.#prefixes = prefixes
    this.#indentation = indentation
    this.#omits = omits
  }

  particle(particle: Particle, alike: Alike, declarations = ''): Write {
    const { occurs, positions } = particle
    if (occurs === 'once') {
      const one = this.#once(particle, alike, declarations)
      return (value, pad) => one(undefined, value, pad)
    }
    const inside = below(alike)
    const one = this.#once(particle, inside, declarations)
    const at = positions.map((position) => this.#once(position, inside, declarations))
    return (values, pad) => {
      if (values === undefined || values === null) return ''
      if (!t.UnknownArray.is(values) && !(values instanceof Set))
        throw new TypeError('a value is no collection where one is declared')
      let text = ''
      let position = 0
      for (const value of values) {
        // a value that is not there still has its place
        text += (at[position++] ?? one)(undefined, value ?? null, pad)
      }
      return text
    }
  }

  /** One element, under another name where that is given. */
  #once(
    particle: Particle,
    alike: Alike,
    declarations: string,
  ): (name: string | undefined, value: unknown, pad: string) => string {
    const nilName = this.#prefixes.element(particle.name)
    const kinds = particle.alternatives.map((alternative) => ({
      name: this.#prefixes.element(alternative.name),
      write: this.#element(alternative, distinct([...alike, ...othersIn(particle, alternative)])),
    }))
    const choose = choosing(particle)
    return (name, value, pad) => {
      if (value === undefined) return ''
      if (value === null) return nil(name ?? nilName, declarations, pad)
      const kind = kinds[choose(value)]
      if (kind === undefined) throw new TypeError('a value is of none of the codecs of a union')
      return kind.write(name ?? kind.name, declarations, value, pad)
    }
  }

  /** Made when it is first called: contents can stand inside themselves. */
  #element({ content }: Alternative, alike: Alike): WriteElement {
    let made: WriteElement | undefined
    return (name, declarations, value, pad) =>
      (made ??= this.#contentAt(content, alike))(name, declarations, value, pad)
  }

  #contentAt(content: number, alike: Alike): WriteElement {
    const known = this.#made.get(content) ?? []
    this.#made.set(content, known)
    const before = known.find((one) => areSame(one.alike, alike))
    if (before !== undefined) return before.write
    const write = this.#content(this.#contents[content], alike)
    known.push({ alike, write })
    return write
  }

  #content(content: Content | undefined, alike: Alike): WriteElement {
    switch (content?._tag) {
      case 'Text':
        return ofText(content)
      case 'Fields':
        return this.#fields(content, alike)
      case 'Entries':
        return this.#entries(content, alike)
      case 'Items':
        return this.#items(content, alike)
      case undefined:
        return () => ''
    }
  }

  #isHidden(key: string, codecs: ReadonlyArray<Codec>, alike: Alike): boolean {
    return codecs.some(this.#omits) || below(alike, key).some(this.#omits)
  }

  #fields({ attributes, value: text, elements }: FieldsContent, alike: Alike): WriteElement {
    const isShown = ({ key, codecs }: TextField | ElementField): boolean =>
      !this.#isHidden(key, codecs, alike)
    const shown = attributes.filter(isShown).map(({ key, lexical, name }) => ({
      key,
      format: lexical.format,
      before: ` ${this.#prefixes.attribute(name)}="`,
    }))
    const data = text !== undefined && isShown(text) ? text : undefined
    const inside = elements
      .filter(isShown)
      .map(({ key, particle }) => ({ key, write: this.particle(particle, below(alike, key)) }))
    const deeper = this.#deeper
    return (name, declarations, value, pad) => {
      if (!isObject(value)) throw new TypeError('a value is no object where one is declared')
      let tag = `${pad}<${name}${declarations}`
      for (const { key, format, before } of shown) {
        const member = value[key]
        const written = member === undefined || member === null ? undefined : format(member)
        if (typeof written === 'string') tag += `${before}${escapedAttribute(written)}"`
      }
      if (data !== undefined) {
        const member = value[data.key]
        const written = member === undefined || member === null ? '' : data.lexical.format(member)
        return written === '' || typeof written !== 'string'
          ? `${tag}/>`
          : `${tag}>${escapedText(written)}</${name}>`
      }
      let body = ''
      const next = deeper(pad)
      for (const { key, write } of inside) body += write(value[key], next)
      return body === '' ? `${tag}/>` : `${tag}>${body}${pad}</${name}>`
    }
  }

  #entries({ isKey, namespace, particle }: EntriesContent, alike: Alike): WriteElement {
    const inside = below(alike)
    const write =
      particle.occurs === 'once'
        ? this.#once(particle, inside, '')
        : this.#repeated(particle, below(inside))
    const deeper = this.#deeper
    return (name, declarations, value, pad) => {
      if (!isObject(value)) throw new TypeError('a value is no record where one is declared')
      let body = ''
      const next = deeper(pad)
      for (const key of Object.keys(value)) {
        if (key === '__proto__' || !isKey(key)) continue
        if (alike.length > 0 && this.#isHidden(key, none, alike)) continue
        // the names come from outside, so each is looked at
        if (!isNcName(key)) throw new TypeError('a key of a record is not the name of an element')
        body += write(this.#prefixes.element({ namespace, local: key }), value[key], next)
      }
      const tag = `${pad}<${name}${declarations}`
      return body === '' ? `${tag}/>` : `${tag}>${body}${pad}</${name}>`
    }
  }

  /** Several elements of a name that is known only then. */
  #repeated(
    particle: Particle,
    alike: Alike,
  ): (name: string, values: unknown, pad: string) => string {
    const one = this.#once(particle, alike, '')
    return (name, values, pad) => {
      if (!t.UnknownArray.is(values) && !(values instanceof Set)) return ''
      let text = ''
      for (const value of values) text += one(name, value ?? null, pad)
      return text
    }
  }

  #items({ particle }: ItemsContent, alike: Alike): WriteElement {
    const write = this.particle(particle, alike)
    const deeper = this.#deeper
    return (name, declarations, values, pad) => {
      const body = write(values, deeper(pad))
      const tag = `${pad}<${name}${declarations}`
      return body === '' ? `${tag}/>` : `${tag}>${body}${pad}</${name}>`
    }
  }

  get #deeper(): (pad: string) => string {
    const indentation = this.#indentation
    return (pad) => (pad === '' ? '' : pad + indentation)
  }
}

const ofText =
  ({ lexical }: TextContent): WriteElement =>
  (name, declarations, value, pad) => {
    const text = lexical.format(value)
    if (text === undefined) return ''
    if (text === null) return nil(name, declarations, pad)
    const tag = `${pad}<${name}${declarations}`
    return text === '' ? `${tag}/>` : `${tag}>${escapedText(text)}</${name}>`
  }

/** The other codecs of a union whose values are not told apart by a tag, as far as they can hide something. */
const othersIn = ({ alternatives, tag }: Particle, alternative: Alternative): Alike =>
  alternatives.length === 1 || tag !== undefined
    ? none
    : alternatives
        .filter((one) => one !== alternative)
        .flatMap(({ codecs }) => codecs)
        .filter((codec) => restrictionsIn(codec).length > 0)

/** The position of the alternative that a value is of; -1 for none. */
const choosing = ({ alternatives }: Particle): ((value: unknown) => number) =>
  alternatives.length === 1
    ? () => 0
    : (value) => alternatives.findIndex(({ codecs }) => codecs.some((codec) => codec.is(value)))
