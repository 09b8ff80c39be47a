/** Creates the errors returned by failed calls. Each message starts with the name of the operation. */
import type { RequestFailure, ValidationError } from '../http/failure.ts'
import * as HeaderList from '../http/headers.ts'
import { causeOf, malformedBody } from '../body/decode-body.ts'
import type {
  Aborted,
  ClientError,
  ResponseTooLarge,
  DecodeError,
  Defect,
  EncodeError,
  OptionError,
  ProblemDetails,
  Rejected,
  TimedOut,
  UndeclaredStatus,
} from './client-error.ts'
import {
  describeStatus,
  isClientError,
  parseProblemDetails,
  summarizeProblem,
} from './client-error.ts'
import { toHeaders } from './decoded-response.ts'
import type { ClientRequest, ClientResponse, OperationInfo } from './exchange.ts'
import { isError } from '../http/platform-value.ts'

type ResponseHead = Pick<ClientResponse, 'status' | 'headers' | 'codingError'>

/** Properties of an `AbortSignal` that indicate whether and why a call was aborted. */
type AbortState = Pick<AbortSignal, 'aborted' | 'reason'>

/** The members that all errors have. The message starts with the name of the operation. */
const failed = <Tag extends string>(
  tag: Tag,
  { name }: OperationInfo,
  detail: string,
  cause?: unknown,
) => ({ _tag: tag, message: `${name}: ${detail}`, operation: name, cause })

/** Adds the status and the headers of a response to the members that all errors have. */
const unexpectedResponse = <Tag extends string, A extends object>(
  error: ReturnType<typeof failed<Tag>>,
  { status, headers: list }: ResponseHead,
  members: A,
) => {
  let headers: Headers | undefined
  return {
    ...error,
    status,
    get headers() {
      return (headers ??= toHeaders(list))
    },
    ...members,
  }
}

/** Creates the error for invalid input or invalid call options. */
export const encodeError = (
  operation: OperationInfo,
  errors: EncodeError['errors'],
): EncodeError => ({
  ...failed('EncodeError', operation, `invalid input: ${errors.map(describe).join('; ')}`),
  errors,
})

/** Creates the error for a streamed request body whose source failed while the body was being sent. */
export const bodySourceError = (operation: OperationInfo, cause: unknown): EncodeError => ({
  ...failed(
    'EncodeError',
    operation,
    `the source of the request body failed: ${reasonOf(cause)}`,
    cause,
  ),
  errors: [{ in: 'body', pointer: '#', detail: 'the stream source failed' }],
})

const describe = (error: ValidationError | OptionError): string => {
  if (error.in === 'option') return `option ${error.name}: ${error.detail}`
  const { in: group, name, pointer, detail } = error
  const location = name ?? pointer ?? '#'
  return location === '#' ? `${group}: ${detail}` : `${group} ${location} ${detail}`
}

/**
 * Creates the error for a request or response body that failed with `cause`.
 *
 * Returns `cause` unchanged if it is a `ClientError`. Otherwise, returns `Aborted` if `signal` is aborted, or else
 * `NetworkError`.
 */
export const transportError = (
  operation: OperationInfo,
  cause: unknown,
  signal: AbortState | undefined,
): ClientError => {
  if (isClientError(cause)) return cause
  return signal?.aborted === true
    ? abortedError({ operation, signal })
    : failed('NetworkError', operation, `network error: ${reasonOf(cause)}`, cause)
}

/** Creates the error for a call that was aborted by the caller. */
export const abortedError = ({
  operation,
  signal,
}: {
  readonly operation: OperationInfo
  readonly signal: AbortState | undefined
}): Aborted => failed('Aborted', operation, 'the call was aborted', signal?.reason)

/** Creates the error for a response that did not arrive within `limit`, which is a duration such as `30s`. */
export const responseTimeout = ({ operation }: ClientRequest, limit: string): TimedOut =>
  timeoutError(operation, `no response within ${limit}`)

/** Creates the error for a response body that paused for longer than `limit`. */
export const readTimeout = (operation: OperationInfo, limit: string): TimedOut =>
  timeoutError(operation, `response body idle for ${limit}`)

const timeoutError = (operation: OperationInfo, detail: string): TimedOut =>
  failed('TimedOut', operation, detail, new DOMException(detail, 'TimeoutError'))

/** Creates the error for an exception thrown by an application function, such as a policy or a getter in the input. */
export const defectError = (operation: OperationInfo, cause: unknown): Defect =>
  failed(
    'Defect',
    operation,
    `a policy or another function provided by the application failed: ${reasonOf(cause)}`,
    cause,
  )

/** Creates the error for a request rejected by a policy. `retryAfter` is in milliseconds. */
export const policyRejection = (
  { operation }: ClientRequest,
  {
    policy,
    reason,
    retryAfter,
    cause,
  }: Pick<Rejected, 'policy'> &
    Partial<Pick<Rejected, 'retryAfter' | 'cause'>> & { readonly reason: string },
): Rejected => ({
  ...failed('Rejected', operation, `the request was not sent: ${reason}`, cause),
  policy,
  retryAfter,
})

/**
 * Returns the message of the error's `cause`, or of the error itself if it has no `cause`. `fetch` reports the reason
 * for a failure only in `cause`.
 */
const reasonOf = (error: unknown): string => {
  if (!isError(error)) return String(error)
  const { cause, message } = error
  return isError(cause) && cause.message !== '' ? cause.message : message
}

/**
 * Creates the error for a response whose status is not declared by the operation. `bytes` is the beginning of the
 * response body.
 */
export const undeclaredStatus = (
  operation: OperationInfo,
  response: ResponseHead,
  bytes: Uint8Array,
): UndeclaredStatus => {
  const problem = problemIn(response, bytes)
  const detail = `undeclared status ${describeStatus(response.status, problem)}`
  return unexpectedResponse(failed('UndeclaredStatus', operation, detail), response, {
    text: decoder.decode(bytes),
    problem,
  })
}

/** Decodes UTF-8 and replaces invalid bytes with U+FFFD. */
const decoder = new TextDecoder()

/** Whether the media type of a response is `application/problem+json`. */
export const isProblem = ({ headers }: Pick<ClientResponse, 'headers'>): boolean =>
  /^application\/problem\+json\s*(?:;|$)/i.test(HeaderList.first(headers, 'content-type') ?? '')

/**
 * Parses the problem document in a response body. Returns `undefined` if the media type is not `application/problem+json` or
 * the body is not a JSON object.
 */
export const problemIn = (
  response: Pick<ClientResponse, 'headers'>,
  bytes: Uint8Array,
): ProblemDetails | undefined =>
  isProblem(response) ? parseProblemDetails(decoder.decode(bytes)) : undefined

/**
 * Creates the error for a response body that does not match the declaration. For a body with an unsupported content coding, the coding
 * is the reason. Services also send values that are not codings, such as `utf-8`, so the header alone is no error.
 */
export const decodeError = (
  operation: OperationInfo,
  response: ResponseHead,
  invalid: RequestFailure,
  problem?: ProblemDetails,
): DecodeError => {
  const { status, codingError } = response
  const failure = codingError === undefined ? invalid : malformedBody(codingError)
  const errors = validationErrorsOf(failure)
  const details = errors.map(describe)
  if (problem !== undefined) details.push(summarizeProblem(problem))
  const part = errors.some((error) => error.in === 'header') ? 'headers' : 'body'
  const detail = `invalid ${part} in a response with status ${status}: ${details.join('; ')}`
  const error = failed('DecodeError', operation, detail, causeOf(failure))
  return unexpectedResponse(error, response, { errors, problem })
}

const validationErrorsOf = (failure: RequestFailure): ReadonlyArray<ValidationError> =>
  'errors' in failure && failure.errors.length > 0
    ? failure.errors
    : [{ in: 'body', pointer: '#', detail: 'detail' in failure ? failure.detail : failure._tag }]

/** Creates the error for a response body that exceeds `limit` bytes. */
export const responseTooLarge = (
  operation: OperationInfo,
  response: ResponseHead,
  limit: number,
): ResponseTooLarge => {
  const detail = `the body of a response with status ${response.status} exceeds ${limit} bytes (maxBodySize)`
  return unexpectedResponse(failed('ResponseTooLarge', operation, detail), response, { limit })
}
