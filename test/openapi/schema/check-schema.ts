/** Compares the schemas of codecs with the codecs. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as E from 'fp-ts/lib/Either.js'
import type { VisibilityRules } from '../../../src/body/body-plan.ts'
import { defaultVisibility, inputVisibility } from '../../../src/body/body-plan.ts'
import type { Codec } from '../../../src/codec/codec.ts'
import type { JsonSchema } from '../../../src/codec/json-schema.ts'
import { compileCodec } from '../../../src/codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../../../src/codec/compiled/interpreted-back-end.ts'
import type { View } from '../../../src/codec/structure/restricted-member.ts'
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

const matches = (expression: RegExp) => (text: string) => expression.test(text)

const isFullDate = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  return (
    day !== undefined &&
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day)
  )
}

const isFullTime = matches(
  /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/,
)

/** The formats of JSON Schema for dates and times (RFC 3339, 5.6). */
export const dateFormats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isFullDate,
  time: isFullTime,
  'date-time': (text) =>
    /^.{10}[Tt]/.test(text) && isFullDate(text.slice(0, 10)) && isFullTime(text.slice(11)),
}

/** Formats that have a pattern. */
const otherFormats = ['date-time-local', 'decimal', 'duration', 'time-local', 'uri']

/** Shared, because each instance compiles the meta-schemas. */
const ajv = new Ajv2020({
  strict: false,
  validateSchema: true,
  formats: {
    ...dateFormats,
    uuid: matches(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i),
    ...Object.fromEntries(otherFormats.map((format) => [format, true as const])),
  },
})

/**
 * Returns a function that validates values with `ajv`, including formats that have no pattern. Throws an error if the schema is not valid in JSON
 * Schema 2020-12.
 */
export const validator = (codec: Codec, context: SchemaContext): ((value: unknown) => boolean) => {
  const validate = ajv.compile(schemaDocument(codec, context))
  return (value) => validate(value)
}

/** Whether the server accepts a value in a JSON body. */
export const accepts = (
  codec: Codec,
  { rejectsUndeclared, visibility }: SchemaContext,
): ((value: unknown) => boolean) => {
  const form = compileCodec(
    codec,
    rejectsUndeclared ? 'reject' : 'drop',
    interpretedBackEnd,
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
  const encoded: unknown = compileCodec(codec, 'drop', interpretedBackEnd, visibility).encode(value)
  try {
    const text: unknown = JSON.stringify(encoded)
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    // a decimal number that `t.UnknownRecord` encodes in a union, because it is an object
    return undefined
  }
}
