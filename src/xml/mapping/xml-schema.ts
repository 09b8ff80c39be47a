/**
 * The schema of the documents of a codec, as a plain value from which readers and writers are created.
 *
 * The terms are those of XML Schema: a content model describes the content of an element; a particle describes the child
 * elements that belong together, and how often they occur.
 */
import type { Codec } from '../../codec/codec.ts'
import type { LexicalMapping } from './lexical-mapping.ts'
import type { QName } from '../xml-names.ts'

/** The content model of an element, including its attributes. */
export type ContentModel = TextModel | ObjectModel | RecordModel | WrapperModel

/** The common properties of content models. */
interface ModelBase {
  /** Whether undeclared elements and attributes are always validation errors, regardless of the settings. */
  readonly rejectsUndeclared: boolean
}

/** A single value. */
export interface TextModel extends ModelBase {
  readonly _tag: 'Text'
  readonly lexical: LexicalMapping
}

/** The members of an object. */
export interface ObjectModel extends ModelBase {
  readonly _tag: 'Object'
  readonly codec: Codec
  readonly attributes: ReadonlyArray<TextMember>
  /** The character data. `elements` is empty if there is one. */
  readonly value: TextMember | undefined
  readonly elements: ReadonlyArray<ElementMember>
}

/** A member of an object. */
interface Member {
  readonly key: string
  /** The codecs of the member. An intersection may declare several. */
  readonly codecs: readonly [Codec, ...Codec[]]
  readonly allowsNull: boolean
  readonly allowsUndefined: boolean
}

/** A member that maps to an attribute or to character data. */
export interface TextMember extends Member {
  readonly name: QName
  readonly lexical: LexicalMapping
}

/** A member that maps to elements. */
export interface ElementMember extends Member {
  readonly particle: Particle
}

/** The members of a record. Each maps to an element with the name of its key. */
export interface RecordModel extends ModelBase {
  readonly _tag: 'Record'
  readonly codec: Codec
  readonly isKey: (name: string) => boolean
  readonly namespace: string
  readonly particle: Particle
}

/** The values of a collection in a wrapper element. */
export interface WrapperModel extends ModelBase {
  readonly _tag: 'Wrapper'
  readonly particle: Particle
}

/** Child elements of an element, and the values that they contain. */
export interface Particle {
  /** The name of the element for `null`. */
  readonly name: QName
  /** The alternative elements. Each value maps to one of them. */
  readonly alternatives: ReadonlyArray<Alternative>
  /** The discriminator: the member whose value determines the alternative of an object. */
  readonly tag: string | undefined
  readonly occurs: 'once' | 'list' | 'set' | 'tuple'
  /** The particles of a tuple, by position. Empty for others. */
  readonly positions: ReadonlyArray<Particle>
  readonly allowsNull: boolean
  readonly allowsUndefined: boolean
}

/** An alternative of a particle. */
export interface Alternative {
  readonly name: QName
  /** The codecs of its values. */
  readonly codecs: ReadonlyArray<Codec>
  /** The index of its content model. Content models can be recursive. */
  readonly model: number
}

/** The schema of documents. */
export interface XmlSchema {
  /** The possible root elements. */
  readonly root: Particle
  readonly models: ReadonlyArray<ContentModel>
  /** The preferred prefixes, by namespace. */
  readonly prefixes: ReadonlyMap<string, string>
  /** The configuration errors of the codec. If there are any, the rest of the schema must not be used. */
  readonly errors: ReadonlyArray<string>
}
