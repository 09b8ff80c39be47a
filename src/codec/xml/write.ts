/** Writes documents: functions made for a shape, which put text together. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { escapedAttribute, escapedText } from './escaped.ts'
import { instanceNamespace, isNcName } from './name.ts'
import type { Prefixes } from './prefixes.ts'
import { prefixesOf } from './prefixes.ts'
import type {
  Alternative,
  Content,
  EntriesContent,
  FieldsContent,
  ItemsContent,
  Particle,
  Shape,
  TextContent,
} from './shape.ts'

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
  const root = maker.particle(shape.root, prefixes.declarations)
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

class Maker {
  readonly #contents: ReadonlyArray<Content>
  readonly #made = new Map<number, WriteElement>()
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

  particle(particle: Particle, declarations = ''): Write {
    const { occurs, positions } = particle
    const one = this.#once(particle, declarations)
    if (occurs === 'once') return (value, pad) => one(undefined, value, pad)
    const at = positions.map((position) => this.#once(position, declarations))
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
    declarations: string,
  ): (name: string | undefined, value: unknown, pad: string) => string {
    const nilName = this.#prefixes.element(particle.name)
    const kinds = particle.alternatives.map((alternative) => ({
      name: this.#prefixes.element(alternative.name),
      write: this.#element(alternative),
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
  #element({ content }: Alternative): WriteElement {
    const made = this.#made
    return (name, declarations, value, pad) => {
      let write = made.get(content)
      if (write === undefined) made.set(content, (write = this.#content(this.#contents[content])))
      return write(name, declarations, value, pad)
    }
  }

  #content(content: Content | undefined): WriteElement {
    switch (content?._tag) {
      case 'Text':
        return ofText(content)
      case 'Fields':
        return this.#fields(content)
      case 'Entries':
        return this.#entries(content)
      case 'Items':
        return this.#items(content)
      case undefined:
        return () => ''
    }
  }

  #fields({ attributes, value: text, elements }: FieldsContent): WriteElement {
    const omits = this.#omits
    const shown = attributes
      .filter(({ codecs }) => !codecs.some(omits))
      .map(({ key, lexical, name }) => ({
        key,
        format: lexical.format,
        before: ` ${this.#prefixes.attribute(name)}="`,
      }))
    const data = text?.codecs.some(omits) === true ? undefined : text
    const inside = elements
      .filter(({ codecs }) => !codecs.some(omits))
      .map(({ key, particle }) => ({ key, write: this.particle(particle) }))
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

  #entries({ isKey, namespace, particle }: EntriesContent): WriteElement {
    const write = particle.occurs === 'once' ? this.#once(particle, '') : this.#repeated(particle)
    const deeper = this.#deeper
    return (name, declarations, value, pad) => {
      if (!isObject(value)) throw new TypeError('a value is no record where one is declared')
      let body = ''
      const next = deeper(pad)
      for (const key of Object.keys(value)) {
        if (key === '__proto__' || !isKey(key)) continue
        // the names come from outside, so each is looked at
        if (!isNcName(key)) throw new TypeError('a key of a record is not the name of an element')
        body += write(this.#prefixes.element({ namespace, local: key }), value[key], next)
      }
      const tag = `${pad}<${name}${declarations}`
      return body === '' ? `${tag}/>` : `${tag}>${body}${pad}</${name}>`
    }
  }

  /** Several elements of a name that is known only then. */
  #repeated(particle: Particle): (name: string, values: unknown, pad: string) => string {
    const one = this.#once(particle, '')
    return (name, values, pad) => {
      if (!t.UnknownArray.is(values) && !(values instanceof Set)) return ''
      let text = ''
      for (const value of values) text += one(name, value ?? null, pad)
      return text
    }
  }

  #items({ particle }: ItemsContent): WriteElement {
    const write = this.particle(particle)
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

/** The position of the alternative that a value is of; -1 for none. */
const choosing = ({ alternatives }: Particle): ((value: unknown) => number) =>
  alternatives.length === 1
    ? () => 0
    : (value) => alternatives.findIndex(({ codecs }) => codecs.some((codec) => codec.is(value)))
