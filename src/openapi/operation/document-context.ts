/** What the descriptions of all operations in a document share. */
import type { BodyOptions } from '../../body/body-plan.ts'
import { defaultVisibility } from '../../body/body-plan.ts'
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { SecuritySchemeObject } from '../../endpoint/security-scheme.ts'
import type { SchemaGenerator } from '../schema/schema-generator.ts'
import type { ResponseObject } from '../openapi-document.ts'

/** The context in which operations are described. */
export interface DocumentContext {
  readonly version: '3.1' | '3.2'
  readonly settings: Settings
  readonly schemas: SchemaGenerator
  /** The operation that is described, for messages. */
  readonly location: string
  /** Whether the operations are webhooks, which other servers implement. Their errors are unknown. */
  readonly areWebhooks: boolean
  readonly links: LinkTable
  /** The plans of all operations in the document, by name. */
  readonly plans: ReadonlyMap<string, Plan>
  /** Returns the name that a path variable of an operation has in the document. */
  readonly variableName: (operation: string, variable: string) => string
  /** Returns the response with a name that several operations share. `create` is called once for each name. */
  readonly sharedResponse: (name: string, create: () => ResponseObject) => ResponseObject
  /** The names of security schemes. Equal schemes share a name. */
  readonly schemeNames: ReadonlyMap<SecuritySchemeObject, string>
}

/** Where a value occurs. */
export type Direction = 'input' | 'output'

/** Returns the schema of a value in a body with the given options. */
export const bodySchema = (
  { schemas, settings, location }: DocumentContext,
  codec: Codec,
  direction: Direction,
  { visibility = defaultVisibility, json }: BodyOptions = {},
  isXml = false,
): JsonSchema => {
  const isLossless =
    json?.library === undefined
      ? settings['fw.rest.json-library'] === 'lossless'
      : json.library.numbers === 'exact'
  return schemas.schemaOf(codec, {
    direction,
    visibility,
    rejectsUndeclared:
      direction === 'input' && settings['fw.rest.jsonlib.fail-on-unknown-properties'],
    isText: false,
    isLossless,
    isXml,
    location,
  })
}

/** Returns the schema of a value that is represented as text, such as a parameter. */
export const textSchema = (
  { schemas, location }: DocumentContext,
  codec: Codec,
  direction: Direction,
): JsonSchema =>
  schemas.schemaOf(codec, {
    direction,
    visibility: defaultVisibility,
    rejectsUndeclared: false,
    isText: true,
    location,
  })

/** The schema of any bytes. `format` is read by tools that do not support `contentMediaType`. */
export const binarySchema = (mediaType = 'application/octet-stream'): JsonSchema => ({
  type: 'string',
  format: 'binary',
  contentMediaType: mediaType,
})
