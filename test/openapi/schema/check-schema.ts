/** Compares the schemas of codecs with the codecs. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as E from 'fp-ts/lib/Either.js'
import type { VisibilityRules } from '../../../src/body/body-plan.ts'
import { defaultVisibility, inputVisibility } from '../../../src/body/body-plan.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import type { JsonSchema } from '../../../src/codec/json-schema.ts'
import { exactForm } from '../../../src/codec/strict.ts'
import type { View } from '../../../src/codec/visibility/restricted-member.ts'
import { visibilityOf } from '../../../src/codec/visibility/visibility.ts'
import type { SchemaContext } from '../../../src/openapi/schema/schema-generator.ts'
import { schemaGenerator } from '../../../src/openapi/schema/schema-generator.ts'

/** Returns the context of a JSON body. */
export const jsonContext = (
  direction: SchemaContext['direction'],
  options: Partial<SchemaContext> = {},
): SchemaContext => ({
  direction,
  visibility: defaultVisibility,
  rejectsUndeclared: false,
  isText: false,
  ...options,
})

export const visibilityRules = (view: View | undefined, secure = true): VisibilityRules => ({
  ...defaultVisibility,
  view,
  secure,
})

/** Returns the schema of a codec with its components. */
export const schemaDocument = (
  codec: Codec,
  context: SchemaContext,
): JsonSchema & { readonly components?: unknown } => {
  const generator = schemaGenerator()
  const { document, schemas } = generator.finish(generator.schemaOf(codec, context))
  return Object.keys(schemas).length === 0 ? document : { ...document, components: { schemas } }
}

/** Returns a function that validates values with `ajv`. Throws an error if the schema is not valid in JSON Schema 2020-12. */
export const validator = (codec: Codec, context: SchemaContext): ((value: unknown) => boolean) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: true })
  const validate = ajv.compile(schemaDocument(codec, context))
  return (value) => validate(value)
}

/** Whether the server accepts a value in a JSON body. */
export const accepts = (
  codec: Codec,
  { rejectsUndeclared, visibility }: SchemaContext,
): ((value: unknown) => boolean) => {
  const form = exactForm(
    codec,
    rejectsUndeclared ? 'reject' : 'drop',
    inputVisibility(codec, visibility),
  )
  return (value) => E.isRight(form.decode(value))
}

/** Returns the JSON value that the server writes. Returns `undefined` if JSON cannot represent the value. */
export const written = (
  codec: Codec,
  value: unknown,
  { view, secure }: VisibilityRules,
  roles: ReadonlyArray<string>,
): unknown => {
  const visibility = visibilityOf(
    codec,
    view,
    (required) => !secure || required.some((role) => roles.includes(role)),
  )
  const encoded: unknown = exactForm(codec, 'drop', visibility).encode(value)
  try {
    const text: unknown = JSON.stringify(encoded)
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    // a decimal number that `t.UnknownRecord` encodes in a union, because it is an object
    return undefined
  }
}
