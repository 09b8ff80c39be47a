/** Creates JSON Schemas for codecs, and the components that these schemas refer to. */
import type { VisibilityRules } from '../../body/body-plan.ts'
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'

/** The position of a codec in a document, on which its schema depends. */
export interface SchemaContext {
  /** Whether the schema describes values that the server receives or sends. */
  readonly direction: 'input' | 'output'
  readonly visibility: VisibilityRules
  /** Whether the server rejects undeclared members of received values. */
  readonly rejectsUndeclared: boolean
  /** Whether the values are text, such as parameters, form fields and text bodies, rather than JSON. */
  readonly isText: boolean
}

/** A defect of a document that is caused by a codec. */
export interface SchemaIssue {
  readonly _tag: 'DuplicateName' | 'OpaqueCodec'
  /** The name of the codec. */
  readonly codec: string
}

/** Creates schemas for the codecs of a document. */
export interface SchemaGenerator {
  /**
   * Returns the schema of a codec. For a named codec, the schema is a reference to a component. References are preliminary until
   * {@link SchemaGenerator.finish} replaces them.
   */
  readonly schemaOf: (codec: Codec, context: SchemaContext) => JsonSchema
  /** Returns a document in which all references have their final names, the components by name, and the issues. */
  readonly finish: <D>(document: D) => FinishedSchemas<D>
}

/** The result of {@link SchemaGenerator.finish}. */
export interface FinishedSchemas<D> {
  readonly document: D
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly issues: ReadonlyArray<SchemaIssue>
}

/** Creates a generator for one document. */
export const schemaGenerator = (): SchemaGenerator => ({
  schemaOf: () => ({}),
  finish: (document) => ({ document, schemas: {}, issues: [] }),
})
