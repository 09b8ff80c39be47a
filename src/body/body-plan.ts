/** Plans of bodies: the media type and the format of a request body or response body. */
import type { Codec } from '../codec/codec.ts'
import type { JsonRules } from '../endpoint/internal/json-rules.ts'
import type { Reader } from '../endpoint/reader.ts'
import type { Format, Validator } from '../endpoint/representation.ts'
import type { Writer } from '../endpoint/writer.ts'
import type { XmlScope } from '../xml/context/xml-format.ts'
import type { VisibilityRules } from './visibility.ts'
import type * as Accept from '../http/accept.ts'
import type * as MediaType from '../http/media-type.ts'
import type * as Quality from '../http/quality.ts'

export interface BodyPlan extends BodyOptions {
  readonly mediaType: MediaType.MediaType
  /** The weight that the server assigns (`qs`). */
  readonly quality: Quality.Quality
  /** The value of `Content-Type`. For a media range, the negotiated type is sent instead. */
  readonly contentType: string
  readonly format: BuiltInFormat | ProvidedFormat
  /** The kind of `ETag` that is computed from its bytes. */
  readonly validator?: Validator
}

/** Options of a body, declared by its representation or an enclosing scope. */
export interface BodyOptions {
  /** The JSON library and functions. Default: those of the settings. */
  readonly json?: JsonRules | undefined
  /** The declared view and role restrictions. */
  readonly visibility?: VisibilityRules | undefined
  /** The XML context that applies. */
  readonly xml?: XmlScope | undefined
}

/** A format that the framework reads and writes. */
export type BuiltInFormat =
  | Exclude<Format, { readonly _tag: 'Entity' }>
  | { readonly _tag: 'Form' }
  | { readonly _tag: 'MultipartForm' }

/** A format that a reader or writer of the application handles. */
export interface ProvidedFormat {
  readonly _tag: 'Provider'
  readonly codec: Codec
  readonly by: Reader | Writer
}

export interface ResponsePlan {
  readonly status: number
  /** Whether the response is declared by `fails`, so that a `Left` may result in it. */
  readonly failure: boolean
  readonly alternatives: ReadonlyArray<BodyPlan>
}

/** Whether the media type is known only when the body is opened, as of a file, so that it is not negotiated. */
export const hasLateMediaType = ({ format }: BodyPlan): boolean => format._tag === 'File'

/** Converts a body plan to an offer of content negotiation. */
export const offerOf = (content: BodyPlan): Accept.Offer & { readonly isTypedLater: boolean } => ({
  mediaType: content.mediaType,
  quality: content.quality,
  isTypedLater: hasLateMediaType(content),
})
