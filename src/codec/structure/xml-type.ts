/** Codecs with a mapping to XML. Outside XML they behave like the codec that they wrap. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'

/** The declared parts of an element or attribute name. The member that the codec describes supplies the other parts. */
export interface DeclaredName {
  /** An empty string for no namespace. */
  readonly namespace?: string
  readonly local?: string
  /** The preferred prefix of the namespace. */
  readonly prefix?: string
}

/** How the values of a codec map to XML. */
export type XmlMapping =
  | { readonly _tag: 'RootElement'; readonly name: DeclaredName }
  | { readonly _tag: 'Element'; readonly name: DeclaredName }
  | { readonly _tag: 'Attribute'; readonly name: DeclaredName }
  /** The character data of the enclosing element. */
  | { readonly _tag: 'Value' }
  /** A collection as a wrapper element that contains one element for each value. */
  | { readonly _tag: 'ElementWrapper'; readonly name: DeclaredName; readonly item: DeclaredName }
  /** A collection as one text, separated by white space. */
  | { readonly _tag: 'List' }

/** A codec with a mapping to XML. */
export class XmlType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'XmlType' as const
  readonly codec: C
  readonly mapping: XmlMapping
  constructor(codec: C, mapping: XmlMapping) {
    super(codec.name, codec.is, codec.validate, codec.encode)
    this.codec = codec
    this.mapping = mapping
  }
}

/** Whether a codec is an `XmlType`, of this or another copy of the package. */
export const isXmlType = (codec: Codec): codec is XmlType<Codec> => codec._tag === 'XmlType'
