/** What goes wrong with a call, as errors: each has a message that names the operation. */
import type { RequestFailure, ValidationError } from '../http/failure.ts'
import * as Problem from '../http/problem.ts'
import * as Headers from '../http/headers.ts'
import * as Status from '../http/status.ts'
import { causeOf } from '../body/failure-cause.ts'
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
import type { TimeLimit } from './policy/timer.ts'
import * as ProblemDetails from './problem-details.ts'

type Head = Pick<ClientResponse, 'status' | 'headers'>

export const encodeError = (
  { name }: OperationInfo,
  faults: EncodeError['faults'],
): EncodeError => ({
  _tag: 'EncodeError',
  message: `${name}: the input cannot be sent: ${faults.map(said).join('; ')}`,
  operation: name,
  cause: undefined,
  faults,
})

/** The source of a body failed while it was sent. */
export const unsent = ({ name }: OperationInfo, cause: unknown): EncodeError => ({
  _tag: 'EncodeError',
  message: `${name}: the body broke off while it was sent: ${reason(cause)}`,
  operation: name,
  cause,
  faults: [{ in: 'body', pointer: '#', detail: 'its source failed' }],
})

const said = (fault: ValidationError | OptionFault): string => {
  if (fault.in === 'option') return `option ${fault.name}: ${fault.detail}`
  const { in: group, name, pointer, detail } = fault
  const place = name ?? pointer ?? '#'
  return place === '#' ? `${group}: ${detail}` : `${group} ${place} ${detail}`
}

/** What a request or the content of its response ended with. */
export const brokenOff = (
  operation: OperationInfo,
  cause: unknown,
  signal: Pick<AbortSignal, 'aborted' | 'reason'> | undefined,
): ClientError => {
  if (isClientError(cause)) return cause
  return signal?.aborted === true
    ? aborted({ operation, signal })
    : networkError(operation.name, cause)
}

/** The caller aborted the request. The cause is the reason of the signal. */
export const aborted = ({
  operation: { name },
  signal,
}: {
  readonly operation: OperationInfo
  readonly signal: Pick<AbortSignal, 'reason'> | undefined
}): Aborted => ({
  _tag: 'Aborted',
  message: `${name}: the call was aborted`,
  operation: name,
  cause: signal?.reason,
})

/** A policy rejected the request before it was sent. `retryAfter` is in milliseconds. */
export const policyRejection = (
  { operation: { name } }: ClientRequest,
  {
    policy,
    reason: why,
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
  message: `${name}: not sent: ${why}`,
  operation: name,
  cause,
  policy,
  retryAfter,
})

/** No response arrived within `limit`, such as `30s`. */
export const timedOut = ({ operation: { name } }: ClientRequest, limit: string): TimedOut => ({
  _tag: 'TimedOut',
  message: `${name}: no response within ${limit}`,
  operation: name,
  cause: new DOMException(`no response within ${limit}`, 'TimeoutError'),
})

/** What a policy of the program's own threw, or its task rejected with; what reading its input threw as well. */
export const defect = ({ name }: OperationInfo, cause: unknown): Defect => ({
  _tag: 'Defect',
  message: `${name}: a policy, or another function of the program, failed: ${reason(cause)}`,
  operation: name,
  cause,
})

/** Nothing more of a content has come for so long. */
export const silent = ({ name }: OperationInfo, { text }: TimeLimit): TimedOut => ({
  _tag: 'TimedOut',
  message: `${name}: no more of the response within ${text}`,
  operation: name,
  cause: new DOMException(`it was silent for more than ${text}`, 'TimeoutError'),
})

const networkError = (operation: string, cause: unknown): NetworkError => ({
  _tag: 'NetworkError',
  message: `${operation}: no whole response came: ${reason(cause)}`,
  operation,
  cause,
})

/** The reason of `fetch`, which says no more itself than that it failed. */
const reason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause, message } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

export const undeclaredStatus = (
  { name }: OperationInfo,
  { status, headers }: Head,
  content: string,
): UndeclaredStatus => {
  const problem = problemOf(headers, content)
  const answered = `${status} ${Status.title(status)}`
  const words = problem === undefined ? '' : ProblemDetails.summary(problem)
  const told = words === '' || answered.endsWith(words) ? '' : `: ${words}`
  return {
    _tag: 'UndeclaredStatus',
    message: `${name}: answered ${answered}, which is not declared${told}`,
    operation: name,
    cause: undefined,
    status,
    headers,
    content,
    problem,
  }
}

/** The problem document of a content, where its media type says that it is one. */
const problemOf = (
  headers: Headers.Headers,
  content: string,
): ProblemDetails.ProblemDetails | undefined =>
  /^application\/problem\+json\s*(?:;|$)/i.test(Headers.first(headers, 'content-type') ?? '')
    ? ProblemDetails.parse(content)
    : undefined

export const decodeError = (
  { name }: OperationInfo,
  { status, headers }: Head,
  failure: RequestFailure,
  content?: string,
): DecodeError => {
  const faults = faultsOf(failure)
  return {
    _tag: 'DecodeError',
    message: `${name}: answered ${status} with another content than declared: ${faults.map(said).join('; ')}`,
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

export const contentTooLarge = (
  { name }: OperationInfo,
  { status, headers }: Head,
  limit: number,
): ContentTooLarge => ({
  _tag: 'ContentTooLarge',
  message: `${name}: answered ${status} with a content of more than the ${limit} octets of maxContentLength`,
  operation: name,
  cause: undefined,
  status,
  headers,
  limit,
})
