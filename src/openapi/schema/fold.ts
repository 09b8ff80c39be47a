/** Types that the modules of the schema generator share. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import type { Schema } from '../../codec/schema/schema.ts'
import type { View } from '../../codec/structure/restricted-member.ts'

/** The use of values in a document, on which their description depends. */
export interface Use {
  readonly direction: 'input' | 'output'
  /** The selected view. `undefined` if views do not hide any members. */
  readonly view: View | undefined
  /** Resolves the expressions in role names. `undefined` if role restrictions do not apply. */
  readonly rolesOf: ((roles: ReadonlyArray<string>) => ReadonlyArray<string>) | undefined
  readonly isText: boolean
  readonly isLossless: boolean
}

/** The use of a component. The view is `undefined` if the component has no restrictions. */
export interface ComponentUse extends Omit<Use, 'rolesOf'> {
  readonly rejectsUndeclared: boolean
}

/** The functions by which a module describes the parts of a schema. */
export interface Fold extends Use {
  readonly version: '3.1' | '3.2'
  /** Describes a schema. The description of a named codec is a reference to a component. */
  readonly describe: (schema: Schema) => JsonSchema
  /** Describes the keys of a record, even if their codec is named. */
  readonly describeKeys: (domain: Schema) => JsonSchema
  /** Adds a component for a part of a schema, which `key` identifies. Equal keys result in the same component. */
  readonly addComponent: (
    name: string,
    key: object,
    schema: Schema,
    describe: () => JsonSchema,
  ) => JsonSchema
  /** Reports a codec without a description. */
  readonly reportOpaque: (codec: Codec) => void
}
