/** Codecs that say how their values stand in XML. To everybody else they are the codec inside. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import type { QName } from './name.ts'

/** A name together with the prefix that is wanted for its namespace. */
export interface WantedName extends Partial<QName> {
  readonly prefix?: string
}

/** How a value stands in XML. What is left out of a name is as the place of the codec has it. */
export type Mapping =
  | { readonly _tag: 'RootElement'; readonly name: WantedName }
  | { readonly _tag: 'Element'; readonly name: WantedName }
  | { readonly _tag: 'Attribute'; readonly name: WantedName }
  /** The character data of the element around. */
  | { readonly _tag: 'Value' }
  /** A collection as an element with one for each value inside. */
  | { readonly _tag: 'ElementWrapper'; readonly name: WantedName; readonly item: WantedName }
  /** A collection as one text, separated by white space. */
  | { readonly _tag: 'List' }

export class XmlType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'XmlType' as const
  readonly codec: C
  readonly mapping: Mapping
  constructor(codec: C, mapping: Mapping) {
    super(codec.name, codec.is, codec.validate, codec.encode)
    this.codec = codec
    this.mapping = mapping
  }
}

/** Whether a codec is one, of this or another copy of the package. */
export const isXmlType = (codec: Codec): codec is XmlType<Codec> => codec._tag === 'XmlType'
