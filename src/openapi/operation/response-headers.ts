/** Describes the headers of declared responses. */
import { isRead } from '../../http/method.ts'
import { isTypedLater } from '../../body/body-plan.ts'
import type { ResponsePlan } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import { rateLimitsOf } from '../../endpoint/definition/attributes.ts'
import * as Headers from '../../http/headers.ts'
import * as Status from '../../http/status.ts'
import { isOptionalParameter } from './parameters.ts'
import { present } from '../schema/present.ts'
import type { DocumentContext } from './document-context.ts'
import { textSchema } from './document-context.ts'
import type { HeaderObject } from '../openapi-document.ts'

/** Headers by name. */
export type ResponseHeaders = Readonly<Record<string, HeaderObject>>

/** Returns a header whose value is text. */
export const textHeader = (description: string, isRequired = false): HeaderObject => ({
  description,
  ...(isRequired ? { required: true } : {}),
  schema: { type: 'string' },
})

/** Headers that several responses have. */
export const headers = {
  ETag: textHeader('The version of the representation (RFC 9110, 8.8.3).'),
  'Last-Modified': textHeader('The time of the last change, as an HTTP date.'),
  'Retry-After': textHeader('The seconds after which to send the request again.'),
  'RateLimit-Policy': textHeader('The rate limits, as in `"default";q=100;w=60`.'),
  RateLimit: textHeader('The remaining requests, as in `"default";r=50;t=30`.'),
  'WWW-Authenticate': textHeader('How to authenticate (RFC 9110, 11.6.1).'),
  Location: {
    description: 'The URI of the target resource, which can be relative.',
    schema: { type: 'string', format: 'uri-reference' },
  },
} as const satisfies ResponseHeaders

/** Returns the headers of a declared response. */
export const describeHeaders = (
  plan: Plan,
  response: ResponsePlan,
  context: DocumentContext,
): ResponseHeaders => {
  const { status, alternatives } = response
  const isSuccess = Status.isSuccess(status)
  const languages = alternatives.flatMap(({ language }) => language ?? [])
  const isProblem = alternatives.some(({ format }) => format._tag === 'Problem')
  const caching =
    isSuccess || status === 304 ? plan.cacheControl : isProblem ? 'no-store' : undefined
  return {
    ...validators(plan, response),
    ...when(status === 201 || (Status.isRedirection(status) && status !== 304), {
      Location: headers.Location,
    }),
    ...when(status === 401, { 'WWW-Authenticate': headers['WWW-Authenticate'] }),
    ...when(status === 405, { Allow: textHeader('The methods that the resource supports.', true) }),
    ...when(status === 429 || status === 503, { 'Retry-After': headers['Retry-After'] }),
    ...when(sendsRateLimits(plan), rateLimitHeaders),
    ...when(languages.length > 0, {
      'Content-Language': {
        description: 'The language of the body.',
        ...valueHeader(...new Set(languages)),
      },
    }),
    ...when((plan.injectedLinks !== undefined && isSuccess) || hasDeprecationLink(plan), {
      Link: textHeader('Links to related resources (RFC 8288).'),
    }),
    ...fixedHeaders(Headers.without(plan.deprecation?.headers ?? [], 'link')),
    ...fixedHeaders(plan.headers),
    ...declaredHeaders(response, context),
    ...(caching === undefined
      ? {}
      : { 'Cache-Control': { required: true, ...valueHeader(caching) } }),
  }
}

/** The headers of all responses of an operation with rate limits, unless they are disabled. */
export const rateLimitHeaders: ResponseHeaders = {
  'RateLimit-Policy': headers['RateLimit-Policy'],
  RateLimit: headers.RateLimit,
}

const sendsRateLimits = ({ attributes }: Plan): boolean =>
  rateLimitsOf(attributes).some((limit) => limit.headers)

const hasDeprecationLink = ({ deprecation }: Plan): boolean =>
  deprecation !== undefined &&
  (deprecation.successorPath !== undefined ||
    Headers.first(deprecation.headers, 'link') !== undefined)

const when = (isPresent: boolean, described: ResponseHeaders): ResponseHeaders =>
  isPresent ? described : {}

/** Returns a header with known values, which a handler can replace. */
const valueHeader = (...examples: ReadonlyArray<string>): HeaderObject => ({
  schema: { type: 'string', examples },
})

/** Whether the response to a successful request for a resource has an `ETag` computed from its body. */
export const hasAutomaticEtag = (plan: Plan, { status, alternatives }: ResponsePlan): boolean =>
  status === 200 &&
  isRead(plan.method) &&
  alternatives.some(({ validator }) => validator !== undefined)

/** Whether a response is a file that a client can request in part, or only if it has changed. */
export const isConditionalFile = (plan: Plan, { status, alternatives }: ResponsePlan): boolean =>
  status === 200 && isRead(plan.method) && alternatives.some(isTypedLater)

const validators = (plan: Plan, response: ResponsePlan): ResponseHeaders => {
  const { ETag, 'Last-Modified': lastModified } = headers
  const { status, alternatives } = response
  if (isConditionalFile(plan, response)) return fileHeaders
  if (hasAutomaticEtag(plan, response))
    return alternatives.every(({ validator }) => validator !== undefined)
      ? { ETag: { ...ETag, required: true } }
      : { ETag }
  if (status === 304 || status === 412) return { ETag, 'Last-Modified': lastModified }
  return plan.preconditions !== undefined && Status.isSuccess(status) && isRead(plan.method)
    ? { ETag, 'Last-Modified': lastModified }
    : {}
}

/** The headers of files and of parts of files. */
export const fileHeaders: ResponseHeaders = {
  ETag: headers.ETag,
  'Last-Modified': headers['Last-Modified'],
  'Accept-Ranges': textHeader('`bytes` if the client can request ranges of bytes.'),
  'Content-Disposition': textHeader('The file name, and whether to save the file.'),
}

/** The headers that the operation declares for a response. */
const declaredHeaders = (
  { headers: declared = [] }: ResponsePlan,
  context: DocumentContext,
): ResponseHeaders =>
  Object.fromEntries(
    declared.map(({ name, codec }) => {
      const { description, deprecated, ...schema } = textSchema(context, codec, 'output')
      return [
        name,
        {
          ...(isOptionalParameter(codec) ? {} : { required: true }),
          ...present({ description, deprecated }),
          schema,
        },
      ]
    }),
  )

/** The headers that all responses of the operation have. A handler can replace their values. */
const fixedHeaders = (declared: Headers.Headers): ResponseHeaders =>
  Object.fromEntries(
    declared.flatMap((name, index) => {
      const value = declared[index + 1] ?? ''
      return index % 2 === 1 || name.toLowerCase() === 'content-type'
        ? []
        : [[name, valueHeader(value)] as const]
    }),
  )
