/** Types for JSON Schema (2020-12) with the keywords that OpenAPI adds. */

/** A JSON value that does not change. */
export type Json =
  | string
  | number
  | boolean
  | null
  | ReadonlyArray<Json>
  | { readonly [name: string]: Json }

/**
 * A JSON Schema as a plain value. Keywords that are not listed are allowed, such as `x-` extensions.
 *
 * @see https://json-schema.org/draft/2020-12
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly examples?: ReadonlyArray<unknown>
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly not?: JsonSchema
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly discriminator?: Discriminator
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly unevaluatedProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly items?: boolean | JsonSchema
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly xml?: XmlObject
}

/** The member by which a client selects one of several schemas (OpenAPI 3.1, 4.8.25). */
export interface Discriminator {
  readonly propertyName: string
  readonly mapping?: Readonly<Record<string, string>>
}

/** How a value is represented in XML (OpenAPI 3.1, 4.8.26). */
export interface XmlObject {
  readonly name?: string
  readonly namespace?: string
  readonly prefix?: string
  readonly attribute?: boolean
  readonly wrapped?: boolean
  readonly [extension: `x-${string}`]: unknown
  /** OpenAPI 3.2. */
  readonly nodeType?: 'element' | 'attribute' | 'text' | 'cdata' | 'none'
}
