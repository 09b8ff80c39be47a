/**
 * Defines XML schemas, which describe how values are mapped to documents. A schema is plain data from which readers and
 * writers are created.
 *
 * The terminology is that of the XML Schema standard. A content model describes the content of an element. A particle
 * describes a group of child elements and how often they occur.
 */
import type { Codec } from '../../codec/codec.ts'
import type { LexicalMapping } from './lexical-mapping.ts'
import type { QName } from '../xml-names.ts'

/** Describes the content and the attributes of an element. */
export type ContentModel = TextModel | ObjectModel | RecordModel | WrapperModel

/** Properties common to all content models. */
interface ModelBase {
  /** Whether undeclared elements and attributes are always rejected, regardless of the settings. */
  readonly rejectsUndeclared: boolean
}

/** The content model for a single value, which is represented as character data. */
export interface TextModel extends ModelBase {
  readonly _tag: 'Text'
  readonly lexical: LexicalMapping
}

/** The content model for an object. */
export interface ObjectModel extends ModelBase {
  readonly _tag: 'Object'
  readonly attributes: ReadonlyArray<TextMember>
  /** The member mapped to character data. If it is present, `elements` is empty. */
  readonly value: TextMember | undefined
  readonly elements: ReadonlyArray<ElementMember>
}

/** Properties common to all object members. */
interface Member {
  readonly key: string
  /** The codecs that declare the member. An intersection can declare a member with several codecs. */
  readonly codecs: readonly [Codec, ...Codec[]]
  readonly allowsNull: boolean
  readonly allowsUndefined: boolean
}

/** An object member mapped to an attribute or to character data. */
export interface TextMember extends Member {
  readonly name: QName
  readonly lexical: LexicalMapping
}

/** An object member mapped to child elements. */
export interface ElementMember extends Member {
  readonly particle: Particle
}

/** The content model for a record. Each member is mapped to an element that is named after its key. */
export interface RecordModel extends ModelBase {
  readonly _tag: 'Record'
  readonly isKey: (name: string) => boolean
  readonly namespace: string
  readonly particle: Particle
}

/** The content model for a wrapper element, which contains the values of a collection. */
export interface WrapperModel extends ModelBase {
  readonly _tag: 'Wrapper'
  readonly particle: Particle
}

/** Describes a group of child elements and the values that they represent. */
export interface Particle {
  /** The name of the element that represents `null`. */
  readonly name: QName
  /** The alternative elements. Each value is mapped to one of them. */
  readonly alternatives: ReadonlyArray<Alternative>
  /** The key of the discriminator. The value of this member determines which alternative applies to an object. */
  readonly tag: string | undefined
  /** Whether the elements represent the values of a list, set or tuple. */
  readonly isRepeated: boolean
  /** The particle for each position in a tuple. Empty for other values. */
  readonly positions: ReadonlyArray<Particle>
  readonly allowsNull: boolean
  readonly allowsUndefined: boolean
}

/** An element to which a value can be mapped. */
export interface Alternative {
  readonly name: QName
  /** The codecs for the values that map to this element. */
  readonly codecs: ReadonlyArray<Codec>
  /**
   * The index of the content model in {@link XmlSchema.models}. An index is stored because content models can be
   * recursive.
   */
  readonly model: number
}

/** Describes the documents that represent the values of a codec. */
export interface XmlSchema {
  /** The particle that describes the possible root elements. */
  readonly root: Particle
  readonly models: ReadonlyArray<ContentModel>
  /** Preferred prefixes, keyed by namespace. */
  readonly prefixes: ReadonlyMap<string, string>
  /** The configuration errors found in the codec. If there are any, the rest of the schema must not be used. */
  readonly errors: ReadonlyArray<string>
}
