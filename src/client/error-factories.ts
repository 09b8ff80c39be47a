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
  NetworkError,
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
import { lazyHeaders } from './decoded-response.ts'
import type { ClientRequest, ClientResponse, OperationInfo } from './exchange.ts'
import { isError } from '../http/platform-value.ts'

type ResponseHead = Pick<ClientResponse, 'status' | 'headers' | 'codingError'>

/** Properties of an `AbortSignal` that indicate whether and why a call was aborted. */
type AbortState = Pick<AbortSignal, 'aborted' | 'reason'>

/** Creates the error for invalid input or invalid call options. */
export const encodeError = (
  { name }: OperationInfo,
  errors: EncodeError['errors'],
): EncodeError => ({
  _tag: 'EncodeError',
  message: `${name}: invalid input: ${errors.map(describe).join('; ')}`,
  operation: name,
  cause: undefined,
  errors: errors,
})

/** Creates the error for a streamed request body whose source failed while the body was being sent. */
export const bodySourceError = ({ name }: OperationInfo, cause: unknown): EncodeError => ({
  _tag: 'EncodeError',
  message: `${name}: the source of the request body failed: ${reasonOf(cause)}`,
  operation: name,
  cause,
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
    : networkError(operation, cause)
}

/** Creates the error for a call that was aborted by the caller. */
export const abortedError = ({
  operation: { name },
  signal,
}: {
  readonly operation: OperationInfo
  readonly signal: AbortState | undefined
}): Aborted => ({
  _tag: 'Aborted',
  message: `${name}: the call was aborted`,
  operation: name,
  cause: signal?.reason,
})

const networkError = ({ name }: OperationInfo, cause: unknown): NetworkError => ({
  _tag: 'NetworkError',
  message: `${name}: network error: ${reasonOf(cause)}`,
  operation: name,
  cause,
})

/** Creates the error for a response that did not arrive within `limit`, which is a duration such as `30s`. */
export const responseTimeout = ({ operation }: ClientRequest, limit: string): TimedOut =>
  timeoutError(operation, `no response within ${limit}`)

/** Creates the error for a response body that paused for longer than `limit`. */
export const readTimeout = (operation: OperationInfo, limit: string): TimedOut =>
  timeoutError(operation, `response body idle for ${limit}`)

const timeoutError = ({ name }: OperationInfo, detail: string): TimedOut => ({
  _tag: 'TimedOut',
  message: `${name}: ${detail}`,
  operation: name,
  cause: new DOMException(detail, 'TimeoutError'),
})

/** Creates the error for an exception thrown by an application function, such as a policy or a getter in the input. */
export const defectError = ({ name }: OperationInfo, cause: unknown): Defect => ({
  _tag: 'Defect',
  message: `${name}: a policy or another function provided by the application failed: ${reasonOf(cause)}`,
  operation: name,
  cause,
})

/** Creates the error for a request rejected by a policy. `retryAfter` is in milliseconds. */
export const policyRejection = (
  { operation: { name } }: ClientRequest,
  {
    policy,
    reason,
    retryAfter,
    cause,
  }: {
    readonly policy: string
    readonly reason: string
    readonly retryAfter?: number | undefined
    readonly cause?: unknown
  },
): Rejected => ({
  _tag: 'Rejected',
  message: `${name}: the request was not sent: ${reason}`,
  operation: name,
  cause,
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
  { name }: OperationInfo,
  { status, headers }: ResponseHead,
  bytes: Uint8Array,
): UndeclaredStatus => {
  const headersOf = lazyHeaders(headers)
  const problem = problemIn({ headers }, bytes)
  return {
    _tag: 'UndeclaredStatus',
    message: `${name}: undeclared status ${describeStatus(status, problem)}`,
    operation: name,
    cause: undefined,
    status,
    get headers() {
      return headersOf()
    },
    text: decoder.decode(bytes),
    problem,
  }
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
  { name }: OperationInfo,
  { status, headers, codingError }: ResponseHead,
  invalid: RequestFailure,
  problem?: ProblemDetails,
): DecodeError => {
  const failure = codingError === undefined ? invalid : malformedBody(codingError)
  const errors = validationErrorsOf(failure)
  const headersOf = lazyHeaders(headers)
  return {
    _tag: 'DecodeError',
    message:
      `${name}: invalid body in a response with status ${status}: ` +
      [...errors.map(describe), ...(problem === undefined ? [] : [summarizeProblem(problem)])].join(
        '; ',
      ),
    operation: name,
    cause: causeOf(failure),
    status,
    get headers() {
      return headersOf()
    },
    errors: errors,
    problem,
  }
}

const validationErrorsOf = (failure: RequestFailure): ReadonlyArray<ValidationError> =>
  'errors' in failure && failure.errors.length > 0
    ? failure.errors
    : [{ in: 'body', pointer: '#', detail: 'detail' in failure ? failure.detail : failure._tag }]

/** Creates the error for a response body that exceeds `limit` bytes. */
export const responseTooLarge = (
  { name }: OperationInfo,
  { status, headers }: ResponseHead,
  limit: number,
): ResponseTooLarge => {
  const headersOf = lazyHeaders(headers)
  return {
    _tag: 'ResponseTooLarge',
    message: `${name}: the body of a response with status ${status} exceeds ${limit} bytes (maxBodySize)`,
    operation: name,
    cause: undefined,
    status,
    get headers() {
      return headersOf()
    },
    limit,
  }
}
