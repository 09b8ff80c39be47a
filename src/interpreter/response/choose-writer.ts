/** Selects the writer for the body of a response by the headers of the request, and by the `Content-Type` of the reply. */
import * as O from 'fp-ts/lib/Option.js'
import { NotAcceptable } from '../../endpoint/http-error.ts'
import * as Accept from '../../http/accept.ts'
import type { AcceptLanguage } from '../../http/accept-language.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Status from '../../http/status.ts'
import type { BodyPlan, ResponsePlan } from '../../body/body-plan.ts'
import { isTypedLater } from '../../body/body-plan.ts'
import { selectByMediaType } from '../../body/entity/select-body-plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { BodyWriter, WrapWriter } from './body-writer.ts'
import { representationWriters, withContentType } from './body-writer.ts'
import { sanitizeHeaders } from './response-headers.ts'
import { byPreferences } from '../routing/select-operation.ts'
import {
  acceptsReplyType,
  representationSelector,
  varyingHeaders,
} from '../routing/select-representation.ts'

/** A writer, together with the response headers to send if the reply sets no headers. */
export interface TypedWriter extends BodyWriter {
  /** The value of `Content-Language`, unless the reply sets this header. */
  readonly language: string | undefined
  readonly headers: Headers.Headers
  /** Whether the media type is known, so that the reply does not have to set it. */
  readonly isTyped: boolean
  /**
   * Returns the writer for the `Content-Type` of a reply, which is `undefined` if the reply does not set this header.
   *
   * The type selects the representation, and the charset. If the representation declares a media range, throws {@link NotAcceptable} for
   * a type that the client does not accept, and a `TypeError` if the range requires the reply to set a type.
   */
  readonly forReply: (contentType: string | undefined) => TypedWriter
}

/** Selects the writer for the headers of a request. */
export type ChooseWriter = (requestHeaders: Headers.RequestHeaders) => TypedWriter

/**
 * Returns a function that selects the writer, or the only writer if the request does not matter. `headers` are the headers that all
 * responses with the status have in common.
 */
export const chooseWriter = (
  name: string,
  { status, alternatives }: Pick<ResponsePlan, 'status' | 'alternatives'>,
  headers: Headers.Headers,
  settings: Settings,
  intercept: WrapWriter,
): TypedWriter | ChooseWriter => {
  const writers = representationWriters(alternatives, status, settings, intercept)
  const select = representationSelector(alternatives)
  const declaredType = Headers.first(headers, 'content-type')
  const declaresLanguage = Headers.first(headers, 'content-language') !== undefined
  const writerOf = (plan: BodyPlan | undefined): BodyWriter | undefined =>
    plan && writers[alternatives.indexOf(plan)]
  const languageOf = (writer: BodyWriter): string | undefined =>
    declaresLanguage ? undefined : writer.alternative?.language
  const writerFor = (accept: string | undefined, languages: AcceptLanguage): TypedWriter => {
    const selected = select(accept, languages)
    const plan = selected && alternatives[selected.index]
    const writer = writerOf(plan)
    if (plan === undefined || writer === undefined)
      throw new TypeError(`${name} declares no representation with status ${status}`)
    const isNegotiated =
      MediaType.isRange(plan.mediaType) && !isTypedLater(plan) && Status.isSuccess(status)
    const isAccepted = isNegotiated ? acceptsReplyType(accept, plan.mediaType) : always
    const withType = Headers.memoizeHeader((text = ''): TypedWriter => {
      if (!isAccepted(text)) throw notAcceptable(text)
      const mediaType = O.toUndefined(MediaType.parse(text))
      const matching = writerOf(selectByMediaType(mediaType, [plan, ...alternatives])) ?? writer
      return {
        ...withContentType(matching, text),
        language: languageOf(matching),
        headers,
        isTyped: true,
        forReply: withType,
      }
    })
    const contentType = declaredType ?? selected?.contentType
    const sentType = contentType ?? writer.contentType
    const language = languageOf(writer)
    const typed: TypedWriter = {
      ...(sentType === writer.contentType ? writer : withContentType(writer, sentType)),
      language,
      headers: sanitizeHeaders([
        'Content-Type',
        sentType,
        ...languageHeaders(language),
        ...headers,
      ]),
      isTyped: contentType !== undefined,
      forReply: (ownType) => {
        if (ownType !== undefined) return withType(ownType)
        if (contentType !== undefined) return typed
        const fallback = Accept.concrete(Accept.anything, plan.mediaType)
        if (O.isSome(fallback)) throw notAcceptable(MediaType.format(fallback.value))
        throw new TypeError(`${name} has no concrete media type: set Content-Type in the response`)
      },
    }
    return typed
  }
  if (varyingHeaders(alternatives).length > 0) return byPreferences(alternatives, writerFor)
  return writerFor(undefined, [])
}

const always = (): boolean => true

const notAcceptable = (contentType: string): NotAcceptable =>
  new NotAcceptable([contentType], 'No available representation matches the Accept header.')

/** Returns the `Content-Language` header for a language tag. */
export const languageHeaders = (language: string | undefined): Headers.Headers =>
  language === undefined ? Headers.empty : ['Content-Language', language]
