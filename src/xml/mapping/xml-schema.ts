/**
 * Defines XML schemas, which describe how values map to documents. A schema is a plain value from which readers and writers are
 * created.
 *
 * The terms come from the XML Schema standard. A content model describes the content of an element. A particle describes child
 * elements that belong together, and how often they occur.
 */
import type { Codec } from '../../codec/codec.ts'
import type { LexicalMapping } from './lexical-mapping.ts'
import type { QName } from '../xml-names.ts'

/** The content model for an element. It also describes the attributes. */
export type ContentModel = TextModel | ObjectModel | RecordModel | WrapperModel

/** The properties that all content models have. */
interface ModelBase {
  /** Whether undeclared elements and attributes are always validation errors, regardless of the settings. */
  readonly rejectsUndeclared: boolean
}

/** The content model for a single value, which maps to character data. */
export interface TextModel extends ModelBase {
  readonly _tag: 'Text'
  readonly lexical: LexicalMapping
}

/** The content model for an object. */
export interface ObjectModel extends ModelBase {
  readonly _tag: 'Object'
  readonly codec: Codec
  readonly attributes: ReadonlyArray<TextMember>
  /** The member that maps to character data. If there is such a member, `elements` is empty. */
  readonly value: TextMember | undefined
  readonly elements: ReadonlyArray<ElementMember>
}

/** The properties that all object members have. */
interface Member {
  readonly key: string
  /** The codecs that declare the member. There may be several if the object is an intersection. */
  readonly codecs: readonly [Codec, ...Codec[]]
  readonly allowsNull: boolean
  readonly allowsUndefined: boolean
}

/** An object member that maps to an attribute or to character data. */
export interface TextMember extends Member {
  readonly name: QName
  readonly lexical: LexicalMapping
}

/** An object member that maps to child elements. */
export interface ElementMember extends Member {
  readonly particle: Particle
}

/** The content model for a record. Each member maps to an element, and the key is the element name. */
export interface RecordModel extends ModelBase {
  readonly _tag: 'Record'
  readonly codec: Codec
  readonly isKey: (name: string) => boolean
  readonly namespace: string
  readonly particle: Particle
}

/** The content model for a wrapper element, which contains the values in a collection. */
export interface WrapperModel extends ModelBase {
  readonly _tag: 'Wrapper'
  readonly particle: Particle
}

/** Describes child elements that belong together, and the values that they contain. */
export interface Particle {
  /** The name of the element that represents `null`. */
  readonly name: QName
  /** The alternative elements. Each value maps to one of these elements. */
  readonly alternatives: ReadonlyArray<Alternative>
  /** The discriminator, which is the member whose value determines the alternative for an object. */
  readonly tag: string | undefined
  readonly occurs: 'once' | 'list' | 'set' | 'tuple'
  /** For a tuple, the particle at each position. Empty if `occurs` is not `tuple`. */
  readonly positions: ReadonlyArray<Particle>
  readonly allowsNull: boolean
  readonly allowsUndefined: boolean
}

/** One of the elements that a value in a particle can map to. */
export interface Alternative {
  readonly name: QName
  /** The codecs for the values that map to this element. */
  readonly codecs: ReadonlyArray<Codec>
  /** The index of the content model in {@link XmlSchema.models}. An index is used because content models can be recursive. */
  readonly model: number
}

/** The schema for the documents of a codec. */
export interface XmlSchema {
  /** The particle that describes the possible root elements. */
  readonly root: Particle
  readonly models: ReadonlyArray<ContentModel>
  /** Maps namespaces to preferred prefixes. */
  readonly prefixes: ReadonlyMap<string, string>
  /** The configuration errors in the codec. If there are any, the rest of the schema must not be used. */
  readonly errors: ReadonlyArray<string>
}
