/**
 * Types for OpenAPI 3.1 and 3.2 documents. They contain the members that espalier writes.
 *
 * @see https://spec.openapis.org/oas/v3.2.0
 */
import type { JsonSchema } from '../codec/json-schema.ts'
import type { ExternalDocs } from '../endpoint/documentation.ts'
import type { SecuritySchemeObject } from '../endpoint/security-scheme.ts'

/** An OpenAPI document as a plain JSON value. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Info
  readonly servers?: ReadonlyArray<ServerObject>
  readonly tags?: ReadonlyArray<TagObject>
  readonly paths?: Readonly<Record<string, PathItem>>
  readonly webhooks?: Readonly<Record<string, PathItem>>
  readonly components?: Components
  readonly security?: ReadonlyArray<SecurityRequirement>
  readonly externalDocs?: ExternalDocs
}

/** The title, version and other metadata of an API. */
export interface Info {
  readonly title: string
  readonly version: string
  readonly summary?: string
  /** The description in CommonMark. */
  readonly description?: string
  readonly termsOfService?: string
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
  /** `identifier` is an SPDX expression, which excludes `url`. */
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string }
}

/** A server of an API. */
export interface ServerObject {
  readonly url: string
  readonly description?: string
  readonly variables?: Readonly<
    Record<
      string,
      {
        readonly default: string
        readonly enum?: ReadonlyArray<string>
        readonly description?: string
      }
    >
  >
}

/** A tag, which groups operations. */
export interface TagObject {
  readonly name: string
  readonly description?: string
  readonly externalDocs?: ExternalDocs
}

/** The operations of a path. */
export interface PathItem {
  readonly get?: Operation
  readonly put?: Operation
  readonly post?: Operation
  readonly delete?: Operation
  readonly options?: Operation
  readonly head?: Operation
  readonly patch?: Operation
  readonly trace?: Operation
  /** OpenAPI 3.2. */
  readonly query?: Operation
  /** The operations with other methods (OpenAPI 3.2). */
  readonly additionalOperations?: Readonly<Record<string, Operation>>
  /** The operations with other methods in OpenAPI 3.1, which has no member for them. */
  readonly 'x-additional-operations'?: Readonly<Record<string, Operation>>
}

/** An operation: the combination of a path and a method. */
export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: ReadonlyArray<string>
  readonly deprecated?: boolean
  /** The date from which the deprecated operation is expected to be unavailable, such as `2026-11-01`. */
  readonly 'x-sunset'?: string
  /** The id of the operation that replaces the deprecated one, or the URL of its replacement. */
  readonly 'x-successor'?: string
  readonly externalDocs?: ExternalDocs
  readonly parameters?: ReadonlyArray<ParameterObject>
  readonly requestBody?: RequestBodyObject
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
  readonly security?: ReadonlyArray<SecurityRequirement>
  /** The operation ids of all operations that are merged into this one. */
  readonly 'x-operation-ids'?: ReadonlyArray<string>
  /** The optional matrix parameters, which OpenAPI cannot describe. */
  readonly 'x-matrix-parameters'?: ReadonlyArray<MatrixParameter>
}

/** An optional matrix parameter, such as `;lang=en`, which can be added to any path segment. */
export interface MatrixParameter extends Omit<ParameterObject, 'in'> {
  readonly in: 'matrix'
}

/** A reference to a component, such as `#/components/responses/NotFound`. */
export interface Reference {
  readonly $ref: string
}

/** A parameter of an operation. */
export interface ParameterObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'querystring'
  readonly required?: boolean
  readonly description?: string
  readonly deprecated?: boolean
  readonly style?: string
  readonly explode?: boolean
  readonly allowReserved?: boolean
  readonly allowEmptyValue?: boolean
  readonly schema?: JsonSchema
  readonly content?: Content
  readonly examples?: Readonly<Record<string, ExampleObject>>
  /** Whether the variable matches several path segments. Slashes in its value are not percent-encoded. */
  readonly 'x-multi-segment'?: true
  /** The separator of the elements of a list, if no `style` has this separator. */
  readonly 'x-separator'?: string
  /** Whether each element of a list is a header of its own. A single header contains one element. */
  readonly 'x-repeated'?: true
}

/** The request body of an operation, by media type. */
export interface RequestBodyObject {
  readonly content: Content
  readonly required?: boolean
  readonly description?: string
}

/** Media type objects by media type. */
export type Content = Readonly<Record<string, MediaTypeObject>>

export interface MediaTypeObject {
  readonly schema?: JsonSchema
  /** The schema of each element of a stream (OpenAPI 3.2). */
  readonly itemSchema?: JsonSchema
  /** The schema of each element of a stream in OpenAPI 3.1, which has no member for it. */
  readonly 'x-item-schema'?: JsonSchema
  readonly encoding?: Readonly<Record<string, Encoding>>
  /** An example of the documentation page. */
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, ExampleObject>>
}

/** How a field of a form is encoded. */
export interface Encoding {
  readonly contentType?: string
  readonly style?: string
  readonly explode?: boolean
  readonly allowReserved?: boolean
  readonly headers?: Readonly<Record<string, HeaderObject>>
}

export interface ExampleObject {
  readonly summary?: string
  readonly description?: string
  readonly value?: unknown
  /** The value as data, if `serializedValue` is set (OpenAPI 3.2). */
  readonly dataValue?: unknown
  /** The value as it is sent (OpenAPI 3.2). */
  readonly serializedValue?: string
}

/** A response of an operation. */
export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>
  readonly content?: Content
  readonly links?: Readonly<Record<string, ResponseLink>>
}

/** A header of a response. Its name is the key of the object. */
export interface HeaderObject {
  readonly description?: string
  readonly required?: boolean
  readonly schema?: JsonSchema
}

/** A link from a response to another operation. */
export interface ResponseLink {
  readonly operationId: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly description?: string
}

/** Scopes or roles by the names of security schemes, all of which are required. */
export type SecurityRequirement = Readonly<Record<string, ReadonlyArray<string>>>

/** The parts of a document that other parts refer to. */
export interface Components {
  readonly schemas?: Readonly<Record<string, JsonSchema>>
  readonly responses?: Readonly<Record<string, ResponseObject>>
  readonly headers?: Readonly<Record<string, HeaderObject>>
  readonly securitySchemes?: Readonly<Record<string, SecuritySchemeObject>>
}
