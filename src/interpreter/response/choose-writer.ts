/** Selects the writer for the body of a response by the headers of the request, and by the `Content-Type` of the reply. */
import * as O from 'fp-ts/lib/Option.js'
import { NotAcceptable } from '../../endpoint/http-error.ts'
import * as Accept from '../../http/accept.ts'
import type { AcceptLanguage } from '../../http/accept-language.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Status from '../../http/status.ts'
import type { BodyPlan, ResponsePlan } from '../../body/body-plan.ts'
import { isTypedLater, selectByMediaType } from '../../body/body-plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { ProblemDocument } from '../../endpoint/problem.ts'
import { isHal } from '../../endpoint/representation.ts'
import { withAutomaticEtag } from './conditional-response.ts'
import type { WriteAs } from './body-writer.ts'
import { byContentType, checkedWriter } from './body-writer.ts'
import type { WrapWriter } from './intercept-body.ts'
import type { WriteContext, WriteResponseBody } from './write-body.ts'
import { sanitizeHeaders } from './response-headers.ts'
import { byPreferences } from '../routing/select-operation.ts'
import {
  acceptsReplyType,
  representationSelector,
  varyingHeaders,
} from '../routing/select-representation.ts'

/** The writer of a response, together with the response headers to send if the reply sets no headers. */
export interface TypedWriter {
  readonly contentType: string
  readonly write: WriteResponseBody
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
  const writerAs = (
    plan: BodyPlan,
    contentType: string,
  ): Pick<TypedWriter, 'contentType' | 'write' | 'language'> => ({
    contentType,
    write: writers.get(plan)?.(contentType) ?? noBody,
    language: declaresLanguage ? undefined : plan.language,
  })
  const writerFor = (accept: string | undefined, languages: AcceptLanguage): TypedWriter => {
    const selected = select(accept, languages)
    if (selected === undefined)
      throw new TypeError(`${name} declares no representation with status ${status}`)
    const { plan } = selected
    const isNegotiated =
      MediaType.isRange(plan.mediaType) && !isTypedLater(plan) && Status.isSuccess(status)
    const isAccepted = isNegotiated ? acceptsReplyType(accept, plan.mediaType) : always
    const withType = Headers.memoizeHeader((text = ''): TypedWriter => {
      if (!isAccepted(text)) throw notAcceptable(text)
      const mediaType = O.toUndefined(MediaType.parse(text))
      const matching = selectByMediaType(mediaType, [plan, ...alternatives]) ?? plan
      return { ...writerAs(matching, text), headers, isTyped: true, forReply: withType }
    })
    const contentType = declaredType ?? selected.contentType
    const writer = writerAs(plan, contentType ?? plan.contentType)
    const typed: TypedWriter = {
      ...writer,
      headers: sanitizeHeaders([
        'Content-Type',
        writer.contentType,
        ...languageHeaders(writer.language),
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

const noBody = (): string => ''

/**
 * Returns the writer for each representation of a response with the given status. `intercept` adds the application's writers and
 * interceptors. Only HAL documents contain links, so all other writers unwrap values returned by `halEntity` and `halCollection`.
 */
const representationWriters = (
  alternatives: ReadonlyArray<BodyPlan>,
  status: number,
  settings: Settings,
  intercept: WrapWriter,
): ReadonlyMap<BodyPlan, WriteAs> => {
  const haveLinks = alternatives.some(({ format }) => isHal(format))
  const create =
    (alternative: BodyPlan) =>
    (plan: BodyPlan): WriteResponseBody => {
      const intercepted = intercept(alternative, checkedWriter(plan, settings))
      const write = withAutomaticEtag(
        plan,
        isProblemPlan(plan)
          ? (value, context) => intercepted(completeProblem(value, status, context), context)
          : intercepted,
      )
      return haveLinks && !isHal(plan.format)
        ? (value, context) => write(unwrapHal(value), context)
        : write
    }
  return new Map(alternatives.map((plan) => [plan, byContentType(plan, create(plan))]))
}

/** Whether a representation is a problem document. */
export const isProblemPlan = ({ format }: Pick<BodyPlan, 'format'>): boolean =>
  format._tag === 'Problem'

/**
 * Adds `type`, `title`, `status` and `instance` to a problem document that the application returns, so that it resembles those of the
 * framework.
 *
 * `status` always has the status of the response (RFC 9457, 3.1.2). A document with its own type gets no title, because the title
 * describes the type.
 */
const completeProblem = (
  entity: unknown,
  status: number,
  { instance }: Pick<WriteContext, 'instance'>,
): unknown => {
  if (!isObject(entity)) return entity
  const { type = 'about:blank' } = entity
  const title = entity.title ?? (type === 'about:blank' ? Status.title(status) : undefined)
  return {
    ...entity,
    type,
    ...(title === undefined ? {} : { title }),
    status,
    instance: entity.instance ?? instance,
  }
}

const isObject = (entity: unknown): entity is ProblemDocument =>
  typeof entity === 'object' && entity !== null

const notAcceptable = (contentType: string): NotAcceptable =>
  new NotAcceptable([contentType], 'No available representation matches the Accept header.')

/** Returns the `Content-Language` header for a language tag. */
export const languageHeaders = (language: string | undefined): Headers.Headers =>
  language === undefined ? Headers.empty : ['Content-Language', language]
