/**
 * The errors with which the server responds to requests for an operation. Errors of the protocol that concern all requests, such as
 * 405, 414, 431 and 500, are not listed.
 */
import { acceptsRanges } from '../../http/method.ts'
import { authenticationsOf } from './security.ts'
import { isBlocking, rateLimitsOf } from '../../endpoint/definition/attributes.ts'
import { idempotencyOf } from '../../endpoint/definition/idempotency.ts'
import {
  BadRequest,
  Conflict,
  ContentTooLarge,
  Forbidden,
  HttpError,
  NotAcceptable,
  NotFound,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
  UnprocessableContent,
  UnsupportedMediaType,
} from '../../endpoint/http-error.ts'
import { withOperationLimits } from '../../compiler/settings/body-limit.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { ParameterPlan, Plan } from '../../compiler/plan.ts'
import { isRight } from 'fp-ts/lib/Either.js'
import { bodyFormat } from '../../body/body-formats.ts'
import { parse, variables } from '../../endpoint/definition/path-template.ts'
import type { ResponseObject } from '../openapi-document.ts'
import type { DocumentContext } from './document-context.ts'
import { acceptsEveryText, isOptionalParameter } from './parameters.ts'
import { problemSchema } from './problem-schema.ts'
import type { ResponseHeaders } from './response-headers.ts'
import {
  hasAutomaticEtag,
  headers,
  isConditionalFile,
  rateLimitHeaders,
  textHeader,
} from './response-headers.ts'
import { present } from '../schema/present.ts'

/** A row of the table of errors. */
export interface PossibleError {
  readonly status: number
  /** The name of the response in the components of documents. */
  readonly name: string
  readonly description: string
  readonly headers?: ResponseHeaders
  /** The class of the error that mappers receive. `undefined` if the response is not the result of an error and has no body. */
  readonly error: Function | undefined
  /** Whether the error can occur in an operation. `settings` includes the limits of the operation. */
  readonly occurs: (plan: Plan, settings: Settings) => boolean
}

/** Whether repeated requests of an operation are recognized. */
const isIdempotent = ({ method, attributes }: Plan): boolean =>
  idempotencyOf(method, attributes.idempotency) !== undefined

/** The table of errors, by status. */
export const errorTable: ReadonlyArray<PossibleError> = [
  {
    status: 304,
    name: 'NotModified',
    description: 'The representation has not changed.',
    headers: { ETag: headers.ETag },
    error: undefined,
    occurs: (plan) => sendsConditional(plan) || sendsFile(plan),
  },
  {
    status: 400,
    name: 'BadRequest',
    description: 'A parameter or the body is invalid.',
    error: BadRequest,
    occurs: (plan, settings) =>
      hasFallibleInput(plan, settings) ||
      isIdempotent(plan) ||
      rejectingAuthentications(plan).some(({ rejectsMalformed }) => rejectsMalformed),
  },
  {
    status: 401,
    name: 'Unauthorized',
    description: 'The credentials are missing or invalid.',
    headers: { 'WWW-Authenticate': headers['WWW-Authenticate'] },
    error: Unauthorized,
    occurs: (plan) => rejectingAuthentications(plan).length > 0,
  },
  {
    status: 403,
    name: 'Forbidden',
    description: 'The caller is not allowed to use the operation.',
    error: Forbidden,
    occurs: ({ attributes: { access }, chain }) =>
      access !== undefined &&
      access._tag !== 'PermitAll' &&
      (access._tag !== 'Authenticated' || authenticationsOf(chain).length === 0),
  },
  {
    status: 404,
    name: 'NotFound',
    description: 'The resource does not exist, or a parameter that identifies it is invalid.',
    error: NotFound,
    occurs: (plan, settings) => hasFalliblePath(plan) || (isJakarta(settings) && hasQuery(plan)),
  },
  {
    status: 406,
    name: 'NotAcceptable',
    description: 'No representation matches the `Accept` header.',
    error: NotAcceptable,
    occurs: ({ offers }) => offers.length > 0,
  },
  {
    status: 409,
    name: 'Conflict',
    description: 'A request with the same `Idempotency-Key` is still running.',
    headers: { 'Retry-After': headers['Retry-After'] },
    error: Conflict,
    occurs: isIdempotent,
  },
  {
    status: 412,
    name: 'PreconditionFailed',
    description: 'The representation does not meet a precondition of the request.',
    headers: { ETag: headers.ETag, 'Last-Modified': headers['Last-Modified'] },
    error: HttpError,
    occurs: (plan) => plan.preconditions !== undefined || sendsConditional(plan) || sendsFile(plan),
  },
  {
    status: 413,
    name: 'ContentTooLarge',
    description: 'The body exceeds a limit.',
    error: ContentTooLarge,
    occurs: ({ bodies }) => bodies.length > 0,
  },
  {
    status: 415,
    name: 'UnsupportedMediaType',
    description: 'The media type, the charset or the content coding of the body is not supported.',
    headers: {
      Accept: textHeader('The supported media types.'),
      'Accept-Encoding': textHeader('The supported content codings.'),
    },
    error: UnsupportedMediaType,
    occurs: ({ bodies }) => bodies.length > 0,
  },
  {
    status: 416,
    name: 'RangeNotSatisfiable',
    description: 'The file has none of the requested ranges of bytes.',
    headers: { 'Content-Range': textHeader('The size of the file.', true) },
    error: HttpError,
    occurs: (plan) => acceptsRanges(plan.method) && sendsFile(plan),
  },
  {
    status: 422,
    name: 'UnprocessableContent',
    description: 'The `Idempotency-Key` was used for a different request.',
    error: UnprocessableContent,
    occurs: isIdempotent,
  },
  {
    status: 429,
    name: 'TooManyRequests',
    description: 'The request exceeds a rate limit.',
    headers: { 'Retry-After': headers['Retry-After'], ...rateLimitHeaders },
    error: TooManyRequests,
    occurs: ({ attributes }) => rateLimitsOf(attributes).length > 0,
  },
  {
    status: 503,
    name: 'ServiceUnavailable',
    description: 'The server is overloaded, or the operation takes too long.',
    headers: { 'Retry-After': headers['Retry-After'] },
    error: ServiceUnavailable,
    occurs: (plan, settings) =>
      (settings['fw.http.overload.enabled'] && !plan.attributes.critical) ||
      settings['fw.http.handler-timeout'] > 0 ||
      isBlocking(plan.attributes) ||
      isIdempotent(plan) ||
      (settings['fw.http.limits.max-buffered-size'] !== undefined &&
        plan.bodies.some(({ format }) => !bodyFormat(format).isStreamed)),
  },
  {
    status: 504,
    name: 'GatewayTimeout',
    description: 'The operation takes too long.',
    error: HttpError,
    occurs: ({ attributes }, settings) =>
      isBlocking(attributes) && settings['fw.worker.timeout'] > 0,
  },
]

/** An error response of an operation. */
export interface ErrorResponse {
  readonly status: number
  readonly response: ResponseObject
}

/** Returns the error responses of an operation. Operations share the objects of equal responses. */
export const possibleErrors = (
  plan: Plan,
  context: DocumentContext,
): ReadonlyArray<ErrorResponse> => {
  const settings = withOperationLimits(context.settings, plan.attributes.limits)
  return errorTable
    .filter((row) => row.occurs(plan, settings) && !isMapped(plan, row))
    .map((row) => ({
      status: row.status,
      response: context.sharedResponse(row.name, () => describeError(row, context)),
    }))
}

/**
 * Describes the response of a row. The only media type is `application/problem+json`. The server also sends problems as `text/html`
 * and `text/plain`, but only to clients whose `Accept` header prefers them, such as browsers. Generated clients do not send such a
 * header, and would otherwise have the error type `Problem | string`.
 */
const describeError = (
  { description, error, headers: described }: PossibleError,
  context: DocumentContext,
): ResponseObject => ({
  description,
  ...present({
    headers: described,
    content: error && { 'application/problem+json': { schema: problemSchema(context) } },
  }),
})

/** Whether an error mapper that declares its responses handles all errors of a row. */
const isMapped = ({ chain }: Plan, { error }: PossibleError): boolean =>
  error !== undefined &&
  chain.mappers
    .flat()
    .some(
      (mapper) =>
        mapper._tag === 'MapError' &&
        mapper.responses.length > 0 &&
        mapper.scope._tag === 'Class' &&
        (mapper.scope.of === error || error.prototype instanceof mapper.scope.of),
    )

const sendsConditional = (plan: Plan): boolean =>
  [...plan.responses.values()].some((response) => hasAutomaticEtag(plan, response))

const sendsFile = (plan: Plan): boolean =>
  [...plan.responses.values()].some((response) => isConditionalFile(plan, response))

/** Returns the authentication filters that reject requests with invalid credentials, or without credentials. */
const rejectingAuthentications = ({ chain, attributes: { access } }: Plan) =>
  authenticationsOf(chain).filter(
    ({ proactive }) =>
      proactive || !chain.permitsAnonymous || (access !== undefined && access._tag !== 'PermitAll'),
  )

const isJakarta = (settings: Settings): boolean =>
  settings['fw.rest.conversion-failure'] === 'jakarta'

const hasQuery = ({ parameters, queryMap }: Plan): boolean =>
  parameters.query.length > 0 || parameters.matrix.length > 0 || queryMap

const hasFalliblePath = ({ parameters, prefixParameters, template }: Plan): boolean => {
  const parsed = parse(template)
  return (
    [...parameters.path, ...prefixParameters].some(({ codec }) => !acceptsEveryText(codec)) ||
    (isRight(parsed) && variables(parsed.right).some(({ regex }) => regex !== undefined))
  )
}

/**
 * Whether a request can be rejected with 400. Every declared query or matrix parameter can have malformed percent-encoding, and the
 * number of cookies is limited.
 */
const hasFallibleInput = (plan: Plan, settings: Settings): boolean => {
  const { parameters, method } = plan
  const isFallible = ({ codec }: ParameterPlan): boolean =>
    !isOptionalParameter(codec) ||
    !acceptsEveryText(codec) ||
    settings['fw.rest.duplicate-scalar'] === 'reject'
  return (
    (hasQuery(plan) && !isJakarta(settings)) ||
    parameters.cookie.length > 0 ||
    parameters.header.some(isFallible) ||
    (method === 'QUERY' && plan.bodies.length > 0) ||
    (method === 'PUT' && !parameters.header.some(({ name }) => name === 'content-range')) ||
    plan.bodies.some(({ format }) => hasFallibleFormat(format._tag, settings))
  )
}

/** Whether a body can be malformed. Compressed bodies can be malformed in any format. */
const hasFallibleFormat = (
  tag: Plan['bodies'][number]['format']['_tag'],
  settings: Settings,
): boolean =>
  settings['fw.http.enable-decompression'] ||
  (tag !== 'Bytes' && tag !== 'ByteStream' && tag !== 'FileBody')
