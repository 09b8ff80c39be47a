/** Types that the modules of the schema generator share. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import type { RelatedCodecs } from '../../codec/schema/position.ts'
import type { View } from '../../codec/structure/restricted-member.ts'

/** The position of a codec in a document and within the codecs that enclose it. Equal positions have the same schemas. */
export interface Position extends RelatedCodecs {
  readonly direction: 'input' | 'output'
  /** The selected view. `undefined` if views do not hide any members. */
  readonly view: View | undefined
  /** Resolves the expressions in role names. `undefined` if role restrictions do not apply. */
  readonly rolesOf: ((roles: ReadonlyArray<string>) => ReadonlyArray<string>) | undefined
  /** Whether undeclared members are rejected. Always `false` for output. */
  readonly rejectsUndeclared: boolean
  readonly isText: boolean
  readonly isLossless: boolean
}

/** The functions by which a module describes the parts of a codec. */
export interface Walk {
  readonly version: '3.1' | '3.2'
  /** Returns the schema of a codec. For a named codec, the schema is a reference to a component. */
  readonly schemaOf: (codec: Codec, position: Position) => JsonSchema
  /** Returns the schema of a codec, even if the codec is named. */
  readonly bodyOf: (codec: Codec, position: Position) => JsonSchema
  /** Adds a component for a schema that no codec describes. Equal keys result in the same component. */
  readonly addComponent: (
    name: string,
    key: object,
    position: Position,
    schema: () => JsonSchema,
  ) => JsonSchema
  /** Reports a codec without a schema. */
  readonly reportOpaque: (codec: Codec) => void
}
