/** Defines body plans, which contain the media type and the format of a request or response body, and selects them by media type. */
import type { ResponseHeader } from '../endpoint/internal/response-headers.ts'
import { isFile } from '../endpoint/representation.ts'
import type { Codec } from '../codec/codec.ts'
import type { Visibility } from '../codec/visibility/visibility.ts'
import { visibilityOf, fullVisibility, partialViewOf } from '../codec/visibility/visibility.ts'
import type { View } from '../codec/structure/restricted-member.ts'
import type { JsonRules } from '../endpoint/definition/json-rules.ts'
import type { Reader } from '../endpoint/reader.ts'
import type { AnyRepresentation, EventData, Format, Validator } from '../endpoint/representation.ts'
import type { Writer } from '../endpoint/writer.ts'
import type { XmlScope } from '../xml/context/xml-format.ts'
import type * as Accept from '../http/accept.ts'
import type * as Quality from '../http/quality.ts'
import type { EntityScope } from '../endpoint/entity.ts'
import * as MediaType from '../http/media-type.ts'

/** The rules that determine which members an operation is allowed to read and write. */
export interface VisibilityRules {
  /** The selected view. If `undefined`, views do not hide any members. */
  readonly view: View | undefined
  /** Whether role restrictions apply. */
  readonly secure: boolean
  /** Resolves the property expressions in role names. */
  readonly rolesOf: (roles: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Whether restricted members can be missing in received values. Default: `false`. */
  readonly isPartial?: boolean
}

/** The default rules: no view is selected, and role restrictions apply. Property expressions in role names are not resolved. */
export const defaultVisibility: VisibilityRules = Object.freeze({
  view: undefined,
  secure: true,
  rolesOf: (roles: ReadonlyArray<string>) => roles,
})

/** The rules for received responses. The server determines which restricted members are missing. */
export const partialRules: VisibilityRules = Object.freeze({
  ...defaultVisibility,
  isPartial: true,
})

/**
 * Returns the visibility of members in received values. Role restrictions are ignored, because they apply only to sent values.
 */
export const inputVisibility = (
  codec: Codec,
  visibility: VisibilityRules = defaultVisibility,
): Visibility =>
  visibility.isPartial === true
    ? partialViewOf(codec)
    : visibility.view === undefined
      ? fullVisibility
      : visibilityOf(codec, visibility.view, () => true)

/** The plan for a request body or response body. */
export interface BodyPlan extends BodyOptions {
  readonly mediaType: MediaType.MediaType
  /** The weight that the server declares for the media type with the `qs` parameter. Default: the highest weight. */
  readonly quality: Quality.Quality
  /** The value of the `Content-Type` header. If the plan declares a media range, the negotiated media type is sent instead. */
  readonly contentType: string
  readonly format: BuiltInFormat | ProvidedFormat
  /** The language tag of the body. If `undefined`, the language is not declared. */
  readonly language?: string
  /** The strength of the `ETag` computed from the body. If `undefined`, no `ETag` is computed. */
  readonly validator?: Validator
}

/** The options of a body, declared on its representation or on an enclosing scope. */
export interface BodyOptions {
  /**
   * The JSON library and the custom functions that read and write JSON. If no library is declared, the library from the settings is
   * used.
   */
  readonly json?: JsonRules | undefined
  /** The declared restrictions by view and by role. */
  readonly visibility?: VisibilityRules | undefined
  /** The XML settings declared on the enclosing scopes. */
  readonly xml?: XmlScope | undefined
}

/** A format that the framework itself reads and writes. */
export type BuiltInFormat =
  | Exclude<Format, { readonly _tag: 'Entity' }>
  | { readonly _tag: 'Form' }
  | { readonly _tag: 'MultipartForm' }
  /** The data of events, as text or JSON. */
  | Extract<EventData, { readonly _tag: 'Codec' }>

/** A format that is handled by an application-defined reader or writer. */
export interface ProvidedFormat {
  readonly _tag: 'Provider'
  readonly codec: Codec
  readonly by: Reader | Writer
}

/** The plan for all responses with one status code. */
export interface ResponsePlan {
  readonly status: number
  /** Whether the response is declared with `fails`. A handler can send such a response by returning a `Left`. */
  readonly failure: boolean
  readonly alternatives: ReadonlyArray<BodyPlan>
  /** The headers that the handler sets. `undefined` if none are declared. */
  readonly headers?: ReadonlyArray<ResponseHeader>
}

/**
 * Whether the media type is unknown until the body is opened, as is the case for files. Such a media type is not used for
 * negotiation.
 */
export const isTypedLater = ({ format }: Pick<BodyPlan, 'format'>): boolean => isFile(format)

/** Converts a body plan to an offer for content negotiation. */
export const offerOf = (plan: BodyPlan): Accept.Offer & { readonly isTypedLater: boolean } => ({
  mediaType: plan.mediaType,
  quality: plan.quality,
  isTypedLater: isTypedLater(plan),
  language: plan.language,
})

/**
 * The charsets in which a format can write text:
 *
 * - `binary`: none, because the application provides bytes
 * - `utf-8`: UTF-8 only, because the format requires UTF-8 or because each part declares its own charset
 * - `ascii`: UTF-8 and US-ASCII, which is a subset of UTF-8 (RFC 8259, 8.1)
 * - `any`: UTF-8, US-ASCII and ISO-8859-1
 * - `custom`: the same charsets as `any`. An application function that returns bytes can use any charset.
 */
export type Charsets = 'binary' | 'utf-8' | 'ascii' | 'any' | 'custom'

/** Returns the charsets in which a format can write text. */
export const charsetsOf = (format: Format | BodyPlan['format']): Charsets => {
  switch (format._tag) {
    case 'Bytes':
    case 'ByteStream':
    case 'File':
    case 'FileBody':
      return 'binary'
    case 'Hal':
    case 'Json':
    case 'RawJson':
    case 'Problem':
    case 'Xml':
      return 'ascii'
    case 'Data':
      return format.isTextual ? 'ascii' : 'binary'
    case 'Text':
    case 'TextStream':
      return 'any'
    case 'Custom':
    case 'Entity':
    case 'Provider':
      return 'custom'
    default:
      return 'utf-8'
  }
}

/** Returns the representation of the data of an event stream, or the representations of the parts of a multipart form. */
export const nestedIn = (format: Format | BodyPlan['format']): ReadonlyArray<AnyRepresentation> => {
  switch (format._tag) {
    case 'EventStream':
      return format.data._tag === 'Codec' ? none : [format.data]
    case 'MultipartOutput':
      return (format.fields ?? none).map(({ representation }) => representation)
    default:
      return none
  }
}

const none: ReadonlyArray<never> = []

/** A body plan with a built-in format. */
export interface BuiltInBodyPlan extends BodyPlan {
  readonly format: BuiltInFormat
}

/** Whether a body plan has a built-in format. */
export const isBuiltIn = (plan: BodyPlan): plan is BuiltInBodyPlan =>
  plan.format._tag !== 'Provider'

/** Returns the codec of a body plan, or `undefined` if the format has no codec. */
export const codecOfBody = ({ format }: BodyPlan): Codec | undefined =>
  'codec' in format ? format.codec : undefined

/**
 * Returns the body plan with the most specific media type or media range that includes `mediaType`. If multiple plans are equally
 * specific, returns the first one.
 *
 * ```text
 * text/plain;format=flowed   before   text/plain   before   text/*   before   *\/*
 * ```
 */
export const selectByMediaType = (
  mediaType: MediaType.MediaType | undefined,
  alternatives: ReadonlyArray<BodyPlan>,
): BodyPlan | undefined => {
  if (mediaType === undefined) return undefined
  let best: BodyPlan | undefined
  let bestSpecificity = 0
  for (const plan of alternatives) {
    const specificity = specificityOf(plan.mediaType)
    if (specificity <= bestSpecificity || !MediaType.includes(plan.mediaType, mediaType)) continue
    best = plan
    bestSpecificity = specificity
  }
  return best
}

/** Returns the specificity of a declared media type. `charset` does not count, because it does not identify a format. */
const specificityOf = (mediaType: MediaType.MediaType): number =>
  MediaType.specificity(
    mediaType.parameters.length === 0
      ? mediaType
      : {
          ...mediaType,
          parameters: mediaType.parameters.filter(([name]) => name !== 'charset' && name !== 'q'),
        },
  )

/** Returns a description such as `reader of Book` for the reader or writer that handles a format. */
export const providerTitle = ({ by }: ProvidedFormat): string =>
  `${by._tag.toLowerCase()} of ${scopeName(by.scope)}`

const scopeName = (scope: EntityScope): string => {
  switch (scope._tag) {
    case 'Codec':
      return scope.codec.name
    case 'Name':
      return scope.name
    case 'Guard':
      return 'some entities'
    case 'Any':
      return 'every entity'
  }
}
