/** Defines body plans. A plan contains the media type and the format of a request body or response body. */
import type { Codec } from '../codec/codec.ts'
import type { Visibility } from '../codec/visibility/visibility.ts'
import { visibilityOf, fullVisibility } from '../codec/visibility/visibility.ts'
import type { View } from '../codec/visibility/restricted-member.ts'
import type { JsonRules } from '../endpoint/internal/json-rules.ts'
import type { Reader } from '../endpoint/reader.ts'
import type { Format, Validator } from '../endpoint/representation.ts'
import type { Writer } from '../endpoint/writer.ts'
import type { XmlScope } from '../xml/context/xml-format.ts'
import type * as Accept from '../http/accept.ts'
import type * as MediaType from '../http/media-type.ts'
import type * as Quality from '../http/quality.ts'

/** The rules that determine which members an operation may read and write. */
export interface VisibilityRules {
  /** The selected view. If it is `undefined`, no members are hidden because of a view. */
  readonly view: View | undefined
  /** Whether role restrictions apply. */
  readonly secure: boolean
  /** Resolves expressions in the role names that a restriction declares. */
  readonly rolesOf: (roles: ReadonlyArray<string>) => ReadonlyArray<string>
}

/** The default rules: no view is selected, and role restrictions apply. Expressions in role names are not resolved. */
export const defaultVisibility: VisibilityRules = Object.freeze({
  view: undefined,
  secure: true,
  rolesOf: (roles: ReadonlyArray<string>) => roles,
})

/**
 * Returns the visibility for values that are received. Role restrictions apply only to values that are sent, so they are ignored
 * here.
 */
export const inputVisibility = (
  codec: Codec,
  visibility: VisibilityRules = defaultVisibility,
): Visibility =>
  visibility.view === undefined ? fullVisibility : visibilityOf(codec, visibility.view, () => true)

/** The plan for a request body or response body. */
export interface BodyPlan extends BodyOptions {
  readonly mediaType: MediaType.MediaType
  /** The weight that the server assigns to the media type. The parameter `qs` declares this weight. */
  readonly quality: Quality.Quality
  /** The `Content-Type` header. If the plan has a media range, the negotiated media type is sent instead. */
  readonly contentType: string
  readonly format: BuiltInFormat | ProvidedFormat
  /** The kind of `ETag` that is computed from the bytes of the body. */
  readonly validator?: Validator
}

/** The options for a body, which the representation or an enclosing scope declares. */
export interface BodyOptions {
  /** The JSON library and functions. By default, the library in the settings is used. */
  readonly json?: JsonRules | undefined
  /** The declared view and role restrictions. */
  readonly visibility?: VisibilityRules | undefined
  /** The XML settings that the enclosing scopes declare. */
  readonly xml?: XmlScope | undefined
}

/** A format that the framework itself reads and writes. */
export type BuiltInFormat =
  | Exclude<Format, { readonly _tag: 'Entity' }>
  | { readonly _tag: 'Form' }
  | { readonly _tag: 'MultipartForm' }

/** A format that is handled by a reader or writer of the application. */
export interface ProvidedFormat {
  readonly _tag: 'Provider'
  readonly codec: Codec
  readonly by: Reader | Writer
}

/** The plan for all responses with one status code. */
export interface ResponsePlan {
  readonly status: number
  /** Whether `fails` declares the response, so that a handler can produce the response by returning a `Left`. */
  readonly failure: boolean
  readonly alternatives: ReadonlyArray<BodyPlan>
}

/** Whether the media type is unknown until the body is opened, as is the case for a file. Such a media type is not negotiated. */
export const hasLateMediaType = ({ format }: BodyPlan): boolean => format._tag === 'File'

/** Converts a body plan to an offer for content negotiation. */
export const offerOf = (plan: BodyPlan): Accept.Offer & { readonly isTypedLater: boolean } => ({
  mediaType: plan.mediaType,
  quality: plan.quality,
  isTypedLater: hasLateMediaType(plan),
})
