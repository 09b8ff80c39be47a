/** Creates writers for the elements described by a schema. */
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { areSameCodecs, declaredIn } from '../../codec/schema/position.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { withPointers } from './illegal-text.ts'
import { escapeAttribute, escapeText, assignPrefixes } from './prefixes.ts'
import { instanceNamespace, isNcName } from '../xml-names.ts'
import type { Prefixes } from './prefixes.ts'
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
import { isSet } from '../../http/platform-value.ts'

/** Options for {@link createWriter}. */
export interface XmlWriteOptions {
  /** The indentation for each nesting level. If the string is empty, the output has no line breaks. */
  readonly indentation: string
  /** Whether a member with the given codec is omitted. */
  readonly isOmitted: (member: Codec) => boolean
}

/**
 * Creates a function that writes documents described by a schema.
 *
 * The function returns an empty string for `undefined`. It throws a `TypeError` if the value does not match the codec, or if a text has a
 * character that XML does not allow.
 * Formatted output begins with a line break.
 */
export const createWriter = (
  schema: XmlSchema,
  { indentation, isOmitted }: XmlWriteOptions,
): ((value: unknown) => string) => {
  const prefixes = assignPrefixes(schema)
  const factory = new WriterFactory(schema.models, prefixes, indentation, isOmitted)
  const root = factory.particle(schema.root, [], prefixes.declarations)
  const lineStart = indentation === '' ? '' : '\n'
  return withPointers((value) => root(undefined, value, lineStart))
}

/**
 * Writes all elements that represent a value. Each element is preceded by `lineStart`, which is either a line break
 * with indentation or an empty string. `name` replaces the declared name of the elements.
 */
type Write = (name: string | undefined, value: unknown, lineStart: string) => string

/** Writes one element. For the root element, `declarations` contains the namespace declarations. */
type WriteElement = (
  name: string,
  declarations: string,
  value: unknown,
  lineStart: string,
) => string

const nil = (name: string, declarations: string, lineStart: string): string =>
  `${lineStart}<${name}${declarations} xmlns:xsi="${instanceNamespace}" xsi:nil="true"/>`

/** Writes the rest of an element after its attributes. `before` precedes the end tag. */
const enclose = (tag: string, name: string, body: string, before: string): string =>
  body === '' ? `${tag}/>` : `${tag}>${body}${before}</${name}>`

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/**
 * The codecs in an untagged union that have restricted members, except for the codec that writes the value. The value
 * might also match these codecs. Therefore, members that any of them hides are omitted.
 */
type Overlapping = ReadonlyArray<Codec>

const none: Overlapping = []

class WriterFactory {
  readonly #models: ReadonlyArray<ContentModel>
  /** The writers created so far, one for each combination of a content model and its overlapping codecs. */
  readonly #writers = new Map<
    number,
    Array<{ readonly overlapping: Overlapping; readonly write: WriteElement }>
  >()
  readonly #prefixes: Prefixes
  readonly #indentation: string
  readonly #isOmitted: XmlWriteOptions['isOmitted']

  constructor(
    models: ReadonlyArray<ContentModel>,
    prefixes: Prefixes,
    indentation: string,
    isOmitted: XmlWriteOptions['isOmitted'],
  ) {
    this.#models = models
    this.#prefixes = prefixes
    this.#indentation = indentation
    this.#isOmitted = isOmitted
  }

  particle(particle: Particle, overlapping: Overlapping, declarations = ''): Write {
    const { isRepeated, positions } = particle
    if (!isRepeated) return this.#single(particle, overlapping, declarations)
    const inner = declaredIn(overlapping)
    const writeItem = this.#single(particle, inner, declarations)
    const writers = positions.map((position) => this.#single(position, inner, declarations))
    return (name, values, lineStart) => {
      if (values === undefined || values === null) return ''
      if (!t.UnknownArray.is(values) && !isSet(values))
        throw new TypeError('invalid value: expected a list, set or tuple')
      let text = ''
      let position = 0
      for (const value of values) {
        // missing values are written as nil elements to keep the positions of the other values
        text += (writers[position++] ?? writeItem)(name, value ?? null, lineStart)
      }
      return text
    }
  }

  /** Creates a function that writes a single element. */
  #single(particle: Particle, overlapping: Overlapping, declarations: string): Write {
    const nilName = this.#prefixes.element(particle.name)
    const alternatives = particle.alternatives.map((alternative) => ({
      name: this.#prefixes.element(alternative.name),
      write: this.#element(alternative, [
        ...new Set([...overlapping, ...overlappingIn(particle, alternative)]),
      ]),
    }))
    const choose = alternativeIndex(particle)
    return (name, value, lineStart) => {
      if (value === undefined) return ''
      if (value === null) return nil(name ?? nilName, declarations, lineStart)
      const alternative = alternatives[choose(value)]
      if (alternative === undefined)
        throw new TypeError('invalid value: expected a value that matches a member of the union')
      return alternative.write(name ?? alternative.name, declarations, value, lineStart)
    }
  }

  /** Returns a writer for an alternative. The content model can be recursive, so its writer is created on first use. */
  #element({ model }: Alternative, overlapping: Overlapping): WriteElement {
    let write: WriteElement | undefined
    return (name, declarations, value, lineStart) =>
      (write ??= this.#contentAt(model, overlapping))(name, declarations, value, lineStart)
  }

  #contentAt(model: number, overlapping: Overlapping): WriteElement {
    const writers = this.#writers.get(model) ?? []
    this.#writers.set(model, writers)
    const existing = writers.find((writer) => areSameCodecs(writer.overlapping, overlapping))
    if (existing !== undefined) return existing.write
    const write = this.#model(this.#models[model], overlapping)
    writers.push({ overlapping, write })
    return write
  }

  #model(model: ContentModel | undefined, overlapping: Overlapping): WriteElement {
    switch (model?._tag) {
      case 'Text':
        return textWriter(model)
      case 'Object':
        return this.#object(model, overlapping)
      case 'Record':
        return this.#entries(model, overlapping)
      case 'Wrapper':
        return this.#items(model, overlapping)
      case undefined:
        return () => ''
    }
  }

  #isHidden(key: string, codecs: ReadonlyArray<Codec>, overlapping: Overlapping): boolean {
    return codecs.some(this.#isOmitted) || declaredIn(overlapping, key).some(this.#isOmitted)
  }

  #object(
    { attributes, value: text, elements }: ObjectModel,
    overlapping: Overlapping,
  ): WriteElement {
    const isShown = ({ key, codecs }: TextMember | ElementMember): boolean =>
      !this.#isHidden(key, codecs, overlapping)
    const visibleAttributes = attributes.filter(isShown).map(({ key, lexical, name }) => ({
      key,
      format: lexical.format,
      prefix: ` ${this.#prefixes.attribute(name)}="`,
    }))
    const characterData = text !== undefined && isShown(text) ? text : undefined
    const visibleElements = elements.filter(isShown).map(({ key, particle }) => ({
      key,
      write: this.particle(particle, declaredIn(overlapping, key)),
    }))
    const nextLine = this.#nextLine
    return (name, declarations, value, lineStart) => {
      if (!isObject(value)) throw new TypeError('invalid value: expected an object')
      let tag = `${lineStart}<${name}${declarations}`
      for (const { key, format, prefix } of visibleAttributes) {
        const member = value[key]
        const written = member === undefined || member === null ? undefined : format(member)
        if (typeof written === 'string') tag += `${prefix}${escapeAttribute(written)}"`
      }
      if (characterData !== undefined) {
        const member = value[characterData.key]
        const written =
          member === undefined || member === null ? '' : characterData.lexical.format(member)
        return enclose(tag, name, escapeText(written ?? ''), '')
      }
      let body = ''
      const next = nextLine(lineStart)
      for (const { key, write } of visibleElements) body += write(undefined, value[key], next)
      return enclose(tag, name, body, lineStart)
    }
  }

  #entries({ isKey, namespace, particle }: RecordModel, overlapping: Overlapping): WriteElement {
    const write = this.particle(particle, declaredIn(overlapping))
    const nextLine = this.#nextLine
    return (name, declarations, value, lineStart) => {
      if (!isObject(value)) throw new TypeError('invalid value: expected a record')
      let body = ''
      const next = nextLine(lineStart)
      for (const key of Object.keys(value)) {
        if (key === '__proto__' || !isKey(key)) continue
        if (overlapping.length > 0 && this.#isHidden(key, none, overlapping)) continue
        // keys may come from clients, so each key is checked
        if (!isNcName(key)) throw new TypeError('invalid record key: expected a valid element name')
        body += write(this.#prefixes.element({ namespace, local: key }), value[key], next)
      }
      return enclose(`${lineStart}<${name}${declarations}`, name, body, lineStart)
    }
  }

  #items({ particle }: WrapperModel, overlapping: Overlapping): WriteElement {
    const write = this.particle(particle, overlapping)
    const nextLine = this.#nextLine
    return (name, declarations, values, lineStart) => {
      const body = write(undefined, values, nextLine(lineStart))
      return enclose(`${lineStart}<${name}${declarations}`, name, body, lineStart)
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
    return enclose(`${lineStart}<${name}${declarations}`, name, escapeText(text), '')
  }

/**
 * Returns those codecs of the other alternatives in an untagged union that contain restricted members. Returns an empty
 * array for a tagged union.
 */
const overlappingIn = ({ alternatives, tag }: Particle, alternative: Alternative): Overlapping =>
  alternatives.length === 1 || tag !== undefined
    ? none
    : alternatives
        .filter((other) => other !== alternative)
        .flatMap(({ codecs }) => codecs)
        .filter((codec) => restrictionsIn(codec).length > 0)

/**
 * Returns a function that finds the index of the alternative for a value. The function returns `-1` if no alternative
 * matches.
 */
const alternativeIndex = ({ alternatives }: Particle): ((value: unknown) => number) =>
  alternatives.length === 1
    ? () => 0
    : (value) => alternatives.findIndex(({ codecs }) => codecs.some((codec) => codec.is(value)))
