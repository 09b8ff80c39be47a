/** Creates functions that write the elements of a schema. */
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { declaredCodecs } from '../../codec/structure/declared-members.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { escapeAttribute, escapeText } from './escape.ts'
import { instanceNamespace, isNcName } from '../xml-names.ts'
import type { Prefixes } from './prefixes.ts'
import { assignPrefixes } from './prefixes.ts'
import type {
  Alternative,
  ContentModel,
  ElementMember,
  RecordModel,
  ObjectModel,
  WrapperModel,
  Particle,
  XmlSchema,
  TextModel,
  TextMember,
} from '../mapping/xml-schema.ts'

/** Options of {@link createWriter}. */
export interface WriteOptions {
  /** The indentation of each level. If empty, the output has no line breaks. */
  readonly indentation: string
  /** Whether a member with this codec is omitted. */
  readonly isOmitted: (member: Codec) => boolean
}

/**
 * Creates the writer of a schema.
 *
 * It returns an empty string for `undefined`, and throws a `TypeError` for a value that does not match the codec. Formatted output
 * begins with a line break.
 */
export const createWriter = (
  schema: XmlSchema,
  { indentation, isOmitted }: WriteOptions,
): ((value: unknown) => string) => {
  const prefixes = assignPrefixes(schema)
  const factory = new WriterFactory(schema.models, prefixes, indentation, isOmitted)
  const root = factory.particle(schema.root, [], prefixes.declarations)
  const lineStart = indentation === '' ? '' : '\n'
  return (value) => root(value, lineStart)
}

/** Writes all elements of a value. Each starts with `lineStart`: a line break with indentation, or an empty string. */
type Write = (value: unknown, lineStart: string) => string

/** Writes one element. `declarations` are the namespace declarations of the root element. */
type WriteElement = (
  name: string,
  declarations: string,
  value: unknown,
  lineStart: string,
) => string

const nil = (name: string, declarations: string, lineStart: string): string =>
  `${lineStart}<${name}${declarations} xmlns:xsi="${instanceNamespace}" xsi:nil="true"/>`

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/**
 * Other codecs of an untagged union that may describe the same value.
 *
 * Members that they hide are omitted too.
 */
type Overlapping = ReadonlyArray<Codec>

const none: Overlapping = []

/** Returns the codecs that they declare for a member, or for all members. */
const memberCodecs = (overlapping: Overlapping, key?: string): Overlapping =>
  overlapping.length === 0 ? none : distinct(overlapping.flatMap(declaredCodecs(key)))

const distinct = (overlapping: Overlapping): Overlapping =>
  overlapping.length < 2 ? overlapping : [...new Set(overlapping)]

const haveSameCodecs = (some: Overlapping, others: Overlapping): boolean =>
  some.length === others.length && some.every((codec) => others.includes(codec))

class WriterFactory {
  readonly #models: ReadonlyArray<ContentModel>
  /** The created writers, by content model and overlapping codecs. */
  readonly #writers = new Map<
    number,
    Array<{ readonly overlapping: Overlapping; readonly write: WriteElement }>
  >()
  readonly #prefixes: Prefixes
  readonly #indentation: string
  readonly #isOmitted: WriteOptions['isOmitted']

  constructor(
    models: ReadonlyArray<ContentModel>,
    prefixes: Prefixes,
    indentation: string,
    isOmitted: WriteOptions['isOmitted'],
  ) {
    this.#models = models
    this.#prefixes = prefixes
    this.#indentation = indentation
    this.#isOmitted = isOmitted
  }

  particle(particle: Particle, overlapping: Overlapping, declarations = ''): Write {
    const { occurs, positions } = particle
    if (occurs === 'once') {
      const one = this.#single(particle, overlapping, declarations)
      return (value, lineStart) => one(undefined, value, lineStart)
    }
    const inside = memberCodecs(overlapping)
    const one = this.#single(particle, inside, declarations)
    const at = positions.map((position) => this.#single(position, inside, declarations))
    return (values, lineStart) => {
      if (values === undefined || values === null) return ''
      if (!t.UnknownArray.is(values) && !(values instanceof Set))
        throw new TypeError('expected a list, set or tuple')
      let text = ''
      let position = 0
      for (const value of values) {
        // missing values keep their position
        text += (at[position++] ?? one)(undefined, value ?? null, lineStart)
      }
      return text
    }
  }

  /** Creates a writer of one element, whose name the caller may override. */
  #single(
    particle: Particle,
    overlapping: Overlapping,
    declarations: string,
  ): (name: string | undefined, value: unknown, lineStart: string) => string {
    const nilName = this.#prefixes.element(particle.name)
    const alternatives = particle.alternatives.map((alternative) => ({
      name: this.#prefixes.element(alternative.name),
      write: this.#element(
        alternative,
        distinct([...overlapping, ...overlappingIn(particle, alternative)]),
      ),
    }))
    const choose = alternativeIndex(particle)
    return (name, value, lineStart) => {
      if (value === undefined) return ''
      if (value === null) return nil(name ?? nilName, declarations, lineStart)
      const kind = alternatives[choose(value)]
      if (kind === undefined) throw new TypeError('value does not match any codec of the union')
      return kind.write(name ?? kind.name, declarations, value, lineStart)
    }
  }

  /** Creates the writer on the first call, because content models can be recursive. */
  #element({ model }: Alternative, overlapping: Overlapping): WriteElement {
    let made: WriteElement | undefined
    return (name, declarations, value, lineStart) =>
      (made ??= this.#contentAt(model, overlapping))(name, declarations, value, lineStart)
  }

  #contentAt(model: number, overlapping: Overlapping): WriteElement {
    const known = this.#writers.get(model) ?? []
    this.#writers.set(model, known)
    const before = known.find((one) => haveSameCodecs(one.overlapping, overlapping))
    if (before !== undefined) return before.write
    const write = this.#model(this.#models[model], overlapping)
    known.push({ overlapping, write })
    return write
  }

  #model(model: ContentModel | undefined, overlapping: Overlapping): WriteElement {
    switch (model?._tag) {
      case 'Text':
        return textWriter(model)
      case 'Object':
        return this.#fields(model, overlapping)
      case 'Record':
        return this.#entries(model, overlapping)
      case 'Wrapper':
        return this.#items(model, overlapping)
      case undefined:
        return () => ''
    }
  }

  #isHidden(key: string, codecs: ReadonlyArray<Codec>, overlapping: Overlapping): boolean {
    return codecs.some(this.#isOmitted) || memberCodecs(overlapping, key).some(this.#isOmitted)
  }

  #fields(
    { attributes, value: text, elements }: ObjectModel,
    overlapping: Overlapping,
  ): WriteElement {
    const isShown = ({ key, codecs }: TextMember | ElementMember): boolean =>
      !this.#isHidden(key, codecs, overlapping)
    const shown = attributes.filter(isShown).map(({ key, lexical, name }) => ({
      key,
      format: lexical.format,
      before: ` ${this.#prefixes.attribute(name)}="`,
    }))
    const data = text !== undefined && isShown(text) ? text : undefined
    const inside = elements.filter(isShown).map(({ key, particle }) => ({
      key,
      write: this.particle(particle, memberCodecs(overlapping, key)),
    }))
    const nextLine = this.#nextLine
    return (name, declarations, value, lineStart) => {
      if (!isObject(value)) throw new TypeError('expected an object')
      let tag = `${lineStart}<${name}${declarations}`
      for (const { key, format, before } of shown) {
        const member = value[key]
        const written = member === undefined || member === null ? undefined : format(member)
        if (typeof written === 'string') tag += `${before}${escapeAttribute(written)}"`
      }
      if (data !== undefined) {
        const member = value[data.key]
        const written = member === undefined || member === null ? '' : data.lexical.format(member)
        return written === '' || typeof written !== 'string'
          ? `${tag}/>`
          : `${tag}>${escapeText(written)}</${name}>`
      }
      let body = ''
      const next = nextLine(lineStart)
      for (const { key, write } of inside) body += write(value[key], next)
      return body === '' ? `${tag}/>` : `${tag}>${body}${lineStart}</${name}>`
    }
  }

  #entries({ isKey, namespace, particle }: RecordModel, overlapping: Overlapping): WriteElement {
    const inside = memberCodecs(overlapping)
    const write =
      particle.occurs === 'once'
        ? this.#single(particle, inside, '')
        : this.#repeated(particle, memberCodecs(inside))
    const nextLine = this.#nextLine
    return (name, declarations, value, lineStart) => {
      if (!isObject(value)) throw new TypeError('expected a record')
      let body = ''
      const next = nextLine(lineStart)
      for (const key of Object.keys(value)) {
        if (key === '__proto__' || !isKey(key)) continue
        if (overlapping.length > 0 && this.#isHidden(key, none, overlapping)) continue
        // keys may come from clients, so each one is checked
        if (!isNcName(key)) throw new TypeError('a key of a record is not a valid element name')
        body += write(this.#prefixes.element({ namespace, local: key }), value[key], next)
      }
      const tag = `${lineStart}<${name}${declarations}`
      return body === '' ? `${tag}/>` : `${tag}>${body}${lineStart}</${name}>`
    }
  }

  /** Creates a writer of repeated elements whose name is known only when they are written. */
  #repeated(
    particle: Particle,
    overlapping: Overlapping,
  ): (name: string, values: unknown, lineStart: string) => string {
    const one = this.#single(particle, overlapping, '')
    return (name, values, lineStart) => {
      if (!t.UnknownArray.is(values) && !(values instanceof Set)) return ''
      let text = ''
      for (const value of values) text += one(name, value ?? null, lineStart)
      return text
    }
  }

  #items({ particle }: WrapperModel, overlapping: Overlapping): WriteElement {
    const write = this.particle(particle, overlapping)
    const nextLine = this.#nextLine
    return (name, declarations, values, lineStart) => {
      const body = write(values, nextLine(lineStart))
      const tag = `${lineStart}<${name}${declarations}`
      return body === '' ? `${tag}/>` : `${tag}>${body}${lineStart}</${name}>`
    }
  }

  get #nextLine(): (lineStart: string) => string {
    const indentation = this.#indentation
    return (lineStart) => (lineStart === '' ? '' : lineStart + indentation)
  }
}

const textWriter =
  ({ lexical }: TextModel): WriteElement =>
  (name, declarations, value, lineStart) => {
    const text = lexical.format(value)
    if (text === undefined) return ''
    if (text === null) return nil(name, declarations, lineStart)
    const tag = `${lineStart}<${name}${declarations}`
    return text === '' ? `${tag}/>` : `${tag}>${escapeText(text)}</${name}>`
  }

/** Returns the other codecs of an untagged union that may hide members. */
const overlappingIn = ({ alternatives, tag }: Particle, alternative: Alternative): Overlapping =>
  alternatives.length === 1 || tag !== undefined
    ? none
    : alternatives
        .filter((one) => one !== alternative)
        .flatMap(({ codecs }) => codecs)
        .filter((codec) => restrictionsIn(codec).length > 0)

/** Returns a function that finds the index of the alternative of a value, or -1. */
const alternativeIndex = ({ alternatives }: Particle): ((value: unknown) => number) =>
  alternatives.length === 1
    ? () => 0
    : (value) => alternatives.findIndex(({ codecs }) => codecs.some((codec) => codec.is(value)))
