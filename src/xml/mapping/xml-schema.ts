/**
 * What a codec means in XML, as a plain value: the one description from which documents are read and written. The words are
 * those of XML Schema: a particle is what may stand among the children of an element, and how often.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Lexical } from './lexical-mapping.ts'
import type { QName } from '../xml-names.ts'

/** What stands in an element: its attributes, and what is between its tags. */
export type Content = TextContent | FieldsContent | EntriesContent | ItemsContent

/** What every content says. */
interface Standing {
  /** Whether what is not declared is refused, whatever is the custom around. */
  readonly refuses: boolean
}

/** A single value. */
export interface TextContent extends Standing {
  readonly _tag: 'Text'
  readonly lexical: Lexical
}

/** The members of an object. */
export interface FieldsContent extends Standing {
  readonly _tag: 'Fields'
  readonly codec: Codec
  readonly attributes: ReadonlyArray<TextField>
  /** The character data; there are no elements then. */
  readonly value: TextField | undefined
  readonly elements: ReadonlyArray<ElementField>
}

interface Field {
  readonly key: string
  /** What it is declared as: by an intersection more than once. */
  readonly codecs: readonly [Codec, ...Codec[]]
  readonly takesNull: boolean
  readonly takesUndefined: boolean
}

export interface TextField extends Field {
  readonly name: QName
  readonly lexical: Lexical
}

export interface ElementField extends Field {
  readonly particle: Particle
}

/** The members of a record: each is an element with the name of its key. */
export interface EntriesContent extends Standing {
  readonly _tag: 'Entries'
  readonly codec: Codec
  readonly isKey: (name: string) => boolean
  readonly namespace: string
  readonly particle: Particle
}

/** The values of a collection inside an element of its own. */
export interface ItemsContent extends Standing {
  readonly _tag: 'Items'
  readonly particle: Particle
}

/** Elements that may stand among the children of another one, and the values that they are. */
export interface Particle {
  /** The name of the element that stands for `null`. */
  readonly name: QName
  /** The kinds of elements; one of them for each value. */
  readonly alternatives: ReadonlyArray<Alternative>
  /** The member whose value says which alternative an object is of. */
  readonly tag: string | undefined
  readonly occurs: 'once' | 'list' | 'set' | 'tuple'
  /** What the positions of a tuple are; empty for all others. */
  readonly positions: ReadonlyArray<Particle>
  readonly takesNull: boolean
  readonly takesUndefined: boolean
}

export interface Alternative {
  readonly name: QName
  /** The codecs whose values it is. */
  readonly codecs: ReadonlyArray<Codec>
  /** Its position among the contents, because contents can stand inside themselves. */
  readonly content: number
}

/** What a document of a codec is: one of these root elements. */
export interface Shape {
  readonly root: Particle
  readonly contents: ReadonlyArray<Content>
  /** The prefixes that are wanted, by namespace. */
  readonly prefixes: ReadonlyMap<string, string>
  /** What is wrong with the codec; nothing else may be used then. */
  readonly mistakes: ReadonlyArray<string>
}
