/** The plan of a content: the media type under which it travels, and how. */
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
  /** The server's own weight. */
  readonly quality: Quality.Quality
  /** The text of `Content-Type`; for a range, the negotiated type is sent instead. */
  readonly contentType: string
  readonly format: BuiltInFormat | ProvidedFormat
  /** The `ETag` that is made from its octets. */
  readonly validator?: Validator
}

/** What is said of a content beside its format, by its representation or around it. */
export interface BodyOptions {
  /** How its JSON is read and written; as the settings say where it is left out. */
  readonly json?: JsonRules | undefined
  /** What is shown of its values; nothing was said where it is left out. */
  readonly visibility?: VisibilityRules | undefined
  /** How its XML is read and written; nothing was said where it is left out. */
  readonly xml?: XmlScope | undefined
}

/** What the engine reads and writes itself. */
export type BuiltInFormat =
  | Exclude<Format, { readonly _tag: 'Entity' }>
  | { readonly _tag: 'Form' }
  | { readonly _tag: 'MultipartForm' }

/** What a reader or writer of the application's own takes care of. */
export interface ProvidedFormat {
  readonly _tag: 'Provider'
  readonly codec: Codec
  readonly by: Reader | Writer
}

export interface ResponsePlan {
  readonly status: number
  /** Whether a `Left` may find its way here. */
  readonly failure: boolean
  readonly alternatives: ReadonlyArray<BodyPlan>
}

/** Whether the media type of a range shows only when the content is opened, and is no choice of the client's. */
export const hasLateMediaType = ({ format }: BodyPlan): boolean => format._tag === 'File'

/** The content as an offer of content negotiation. */
export const offerOf = (content: BodyPlan): Accept.Offer & { readonly isTypedLater: boolean } => ({
  mediaType: content.mediaType,
  quality: content.quality,
  isTypedLater: hasLateMediaType(content),
})
