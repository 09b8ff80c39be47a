/** Creates the errors of a call. Each message starts with the name of the operation. */
import type { RequestFailure, ValidationError } from '../http/failure.ts'
import * as Problem from '../http/problem.ts'
import * as Headers from '../http/headers.ts'
import * as Status from '../http/status.ts'
import { causeOf } from '../body/read-body.ts'
import type {
  Aborted,
  ClientError,
  ContentTooLarge,
  DecodeError,
  Defect,
  EncodeError,
  NetworkError,
  OptionFault,
  Refused,
  TimedOut,
  UndeclaredStatus,
} from './client-error.ts'
import { isClientError } from './client-error.ts'
import type { ClientRequest, ClientResponse, OperationInfo } from './exchange.ts'
import * as ProblemDetails from './problem-details.ts'

type ResponseHead = Pick<ClientResponse, 'status' | 'headers'>

/** The part of an `AbortSignal` that tells whether and why a call was aborted. */
type AbortState = Pick<AbortSignal, 'aborted' | 'reason'>

/** The error of invalid input or invalid call options. */
export const encodeError = (
  { name }: OperationInfo,
  faults: EncodeError['faults'],
): EncodeError => ({
  _tag: 'EncodeError',
  message: `${name}: invalid input: ${faults.map(describe).join('; ')}`,
  operation: name,
  cause: undefined,
  faults,
})

/** The error of a request body whose source failed while the body was sent. */
export const bodySourceError = ({ name }: OperationInfo, cause: unknown): EncodeError => ({
  _tag: 'EncodeError',
  message: `${name}: the source of the request body failed: ${reasonOf(cause)}`,
  operation: name,
  cause,
  faults: [{ in: 'body', pointer: '#', detail: 'the source failed' }],
})

const describe = (fault: ValidationError | OptionFault): string => {
  if (fault.in === 'option') return `option ${fault.name}: ${fault.detail}`
  const { in: group, name, pointer, detail } = fault
  const location = name ?? pointer ?? '#'
  return location === '#' ? `${group}: ${detail}` : `${group} ${location} ${detail}`
}

/** Converts the reason why a request or a response body failed. `ClientError`s are returned unchanged. */
export const transportError = (
  operation: OperationInfo,
  cause: unknown,
  signal: AbortState | undefined,
): ClientError => {
  if (isClientError(cause)) return cause
  return signal?.aborted === true ? aborted({ operation, signal }) : networkError(operation, cause)
}

/** The error of a call that its caller aborted. */
export const aborted = ({
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

/** The error of a request without a response within `limit`, a duration such as `30s`. */
export const responseTimeout = ({ operation }: ClientRequest, limit: string): TimedOut =>
  timedOut(operation, `no response within ${limit}`)

/** The error of a response body that pauses for longer than `limit`. */
export const readTimeout = (operation: OperationInfo, limit: string): TimedOut =>
  timedOut(operation, `response body idle for ${limit}`)

const timedOut = ({ name }: OperationInfo, detail: string): TimedOut => ({
  _tag: 'TimedOut',
  message: `${name}: ${detail}`,
  operation: name,
  cause: new DOMException(detail, 'TimeoutError'),
})

/** The error of an exception in a function of the application, such as a policy or a getter of the input. */
export const defect = ({ name }: OperationInfo, cause: unknown): Defect => ({
  _tag: 'Defect',
  message: `${name}: a policy or another application function failed: ${reasonOf(cause)}`,
  operation: name,
  cause,
})

/** The error of a request that a policy does not send. `retryAfter` is in milliseconds. */
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
): Refused => ({
  _tag: 'Refused',
  message: `${name}: not sent: ${reason}`,
  operation: name,
  cause,
  policy,
  retryAfter,
})

/** The message of an error. `fetch` gives the reason of a failure only in `cause`. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause, message } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

/** The error of a response whose status the operation does not declare. `content` is the start of its body. */
export const undeclaredStatus = (
  { name }: OperationInfo,
  { status, headers }: ResponseHead,
  content: string,
): UndeclaredStatus => {
  const problem = problemOf(headers, content)
  const statusLine = `${status} ${Status.title(status)}`
  const summary = problem === undefined ? '' : ProblemDetails.summary(problem)
  const detail = summary === '' || statusLine.endsWith(summary) ? '' : `: ${summary}`
  return {
    _tag: 'UndeclaredStatus',
    message: `${name}: undeclared status ${statusLine}${detail}`,
    operation: name,
    cause: undefined,
    status,
    headers,
    content,
    problem,
  }
}

/** Parses a problem document, if the media type of the response is `application/problem+json`. */
const problemOf = (
  headers: Headers.Headers,
  content: string,
): ProblemDetails.ProblemDetails | undefined =>
  /^application\/problem\+json\s*(?:;|$)/i.test(Headers.first(headers, 'content-type') ?? '')
    ? ProblemDetails.parse(content)
    : undefined

/** The error of a response body that is not what its status declares. */
export const decodeError = (
  { name }: OperationInfo,
  { status, headers }: ResponseHead,
  failure: RequestFailure,
  content?: string,
): DecodeError => {
  const faults = faultsOf(failure)
  return {
    _tag: 'DecodeError',
    message: `${name}: invalid body in a response with status ${status}: ${faults.map(describe).join('; ')}`,
    operation: name,
    cause: causeOf(failure),
    status,
    headers,
    faults,
    problem: content === undefined ? undefined : problemOf(headers, content),
  }
}

const faultsOf = (failure: RequestFailure): ReadonlyArray<ValidationError> =>
  'errors' in failure && failure.errors.length > 0
    ? failure.errors
    : [{ in: 'body', pointer: '#', detail: Problem.ofFailure(failure).detail ?? failure._tag }]

/** The error of a response body of more than `limit` bytes. */
export const contentTooLarge = (
  { name }: OperationInfo,
  { status, headers }: ResponseHead,
  limit: number,
): ContentTooLarge => ({
  _tag: 'ContentTooLarge',
  message: `${name}: the body of a response with status ${status} exceeds ${limit} bytes (maxContentLength)`,
  operation: name,
  cause: undefined,
  status,
  headers,
  limit,
})
