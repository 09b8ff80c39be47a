/**
 * Defines the errors that a call can return in addition to declared failures, and the problem documents in these
 * errors.
 *
 * A client error is neither a `Reply` nor an `HttpError`. If a handler returns or throws one, the result is an internal
 * error. The status of another service is therefore never forwarded by accident.
 */
import type { ValidationError } from '../http/failure.ts'
import * as Status from '../http/status.ts'
import * as t from 'io-ts'

/** Error returned by a failed call. `_tag` identifies the kind of error. */
export type ClientError =
  | EncodeError
  | NetworkError
  | TimedOut
  | Aborted
  | Defect
  | UndeclaredStatus
  | DecodeError
  | ResponseTooLarge
  | Rejected

interface Failed<Tag extends string> {
  readonly _tag: Tag
  /** Error message. Starts with the name of the operation. */
  readonly message: string
  /** Name of the operation: the keys that lead to it in the route tree, joined by dots, such as `books.get`. */
  readonly operation: string
  /** Underlying error or abort reason, or `undefined` if the error has no cause. */
  readonly cause: unknown
  // a member of declared failures, which exists only at compile time: it can be read if the status of a `Left` is compared
  readonly body?: undefined
}

/** An error without a response. */
interface FailedWithoutResponse<Tag extends string> extends Failed<Tag> {
  // a member of declared failures, which exists only at compile time: the `Left` of a call narrows by its `status`
  readonly status?: undefined
}

/**
 * Indicates that the input or a call option is invalid, and that the request was therefore not sent.
 *
 * This error also occurs if the source of a streamed request body fails while the body is being sent. In that case, a
 * part of the request may have been sent, and `cause` is the error thrown by the source.
 */
export interface EncodeError extends FailedWithoutResponse<'EncodeError'> {
  /** Validation errors for the input, and errors for invalid options. */
  readonly errors: ReadonlyArray<ValidationError | OptionError>
}

/** Describes an invalid call option. */
export interface OptionError {
  readonly in: 'option'
  /** Name of the option, such as `timeout`. */
  readonly name: string
  /** Requirement that the value does not meet, such as `must be a string`. */
  readonly detail: string
}

/**
 * Indicates a network error: the DNS lookup failed, the connection could not be established, or it was lost before the
 * response was complete.
 */
export type NetworkError = FailedWithoutResponse<'NetworkError'>

/**
 * Indicates that a call exceeded a time limit set by the client, the call options or a policy. This error also occurs
 * if a pause in a buffered response body exceeds the limit set by the client or the call options.
 */
export type TimedOut = FailedWithoutResponse<'TimedOut'>

/** Indicates that a policy, a filter or another application function threw an exception. `cause` is the exception. */
export type Defect = FailedWithoutResponse<'Defect'>

/** Indicates that the caller aborted the call through an `AbortSignal`. */
export type Aborted = FailedWithoutResponse<'Aborted'>

/** Indicates that the service sent an unexpected response. */
interface UnexpectedResponse<Tag extends string> extends Failed<Tag> {
  readonly status: number
  /** Response headers. The object is created when this property is read for the first time. */
  readonly headers: Headers
  /**
   * Problem document (RFC 9457) in the response body, or `undefined` if the body does not contain a problem document.
   */
  readonly problem: ProblemDetails | undefined
}

/**
 * Indicates that the response has a status that is declared neither by the operation nor by an enclosing filter or error
 * mapper.
 *
 * If the body is a problem document, the message includes a summary of it. Even a service that conforms to the contract
 * can send an undeclared status. For example, conditional requests can result in a 304 or 412 response, and range requests in 416.
 */
export interface UndeclaredStatus extends UnexpectedResponse<'UndeclaredStatus'> {
  /** First 64 KiB of the body, decoded as UTF-8. */
  readonly text: string
}

/** Indicates that a response has a declared status but a body that does not match the declaration. */
export interface DecodeError extends UnexpectedResponse<'DecodeError'> {
  /** Validation errors for the response body. */
  readonly errors: ReadonlyArray<ValidationError>
}

/** Indicates that a buffered response body, or an element of a streamed response body, exceeds `maxBodySize`. */
export interface ResponseTooLarge extends Failed<'ResponseTooLarge'> {
  readonly status: number
  /** Response headers. The object is created when this property is read for the first time. */
  readonly headers: Headers
  /** Maximum size in bytes. */
  readonly limit: number
}

/** Indicates that a policy rejected the request. The request was not sent. */
export interface Rejected extends FailedWithoutResponse<'Rejected'> {
  /**
   * Name of the policy: `circuit-breaker`, `concurrency-limit`, `rate-limit`, `headers` or `bearer-token`. The last two
   * reject a request if they fail to create its headers.
   */
  readonly policy: string
  /** Time in milliseconds until another attempt might succeed, or `undefined` if the time is unknown. */
  readonly retryAfter: number | undefined
}

const tags: ReadonlySet<unknown> = new Set<ClientError['_tag']>([
  'EncodeError',
  'NetworkError',
  'TimedOut',
  'Aborted',
  'Defect',
  'UndeclaredStatus',
  'DecodeError',
  'ResponseTooLarge',
  'Rejected',
])

/**
 * Whether a value is a {@link ClientError}.
 *
 * Use this function to distinguish client errors from declared failures. Either can be in the `Left` returned by a
 * call, or in the `failure` property of a `CallFailed`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { fails, get, path, produces, routes, text } from 'espalier'
 * import { client, isClientError } from 'espalier/client'
 *
 * const hello = pipe(path('/hello'), get(), produces(text), fails(404, text))
 * const service = client(routes({ hello }), {
 *   baseUrl: 'http://localhost',
 *   fetch: async () => new Response('not here', { status: 404, headers: { 'Content-Type': 'text/plain' } }),
 * })
 * const message = pipe(
 *   await service.hello()(),
 *   E.match(
 *     (failure) => (isClientError(failure) ? failure.message : failure.body),
 *     (response) => response.body,
 *   ),
 * )
 * assert.equal(message, 'not here')
 * ```
 */
export const isClientError = (error: unknown): error is ClientError =>
  typeof error === 'object' &&
  error !== null &&
  '_tag' in error &&
  tags.has(error._tag) &&
  'operation' in error &&
  'message' in error

/**
 * A problem document (RFC 9457). Standard members of the wrong type are omitted (RFC 9457, 3.1). Extension members are
 * kept.
 */
export interface ProblemDetails {
  readonly type?: string
  readonly title?: string
  readonly status?: number
  readonly detail?: string
  readonly instance?: string
  readonly [member: string]: unknown
}

/** Parses a problem document. Returns `undefined` if the text is not a JSON object. */
export const parseProblemDetails = (text: string): ProblemDetails | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!t.UnknownRecord.is(value) || Array.isArray(value)) return undefined
  const { type, title, status, detail, instance, ...extensions } = value
  return Object.freeze({
    ...extensions,
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(typeof instance === 'string' ? { instance } : {}),
  })
}

/** Describes a status by its number, its reason phrase, and a summary of the problem document, if any. */
export const describeStatus = (status: number, problem: ProblemDetails | undefined): string => {
  const statusLine = `${status} ${Status.title(status)}`
  const summary = problem === undefined ? '' : summarizeProblem(problem)
  return summary === '' || statusLine.endsWith(summary) ? statusLine : `${statusLine}: ${summary}`
}

/**
 * Summarizes a problem document in at most 200 characters.
 *
 * The summary contains `detail`, or `title` if `detail` is missing, followed by the first validation error. espalier
 * servers list validation errors in the `errors` extension member.
 */
export const summarizeProblem = ({
  title = '',
  detail = title,
  errors,
}: ProblemDetails): string => {
  const [first]: ReadonlyArray<unknown> = Array.isArray(errors) ? errors : []
  return (ListedError.is(first) ? `${detail}: ${describe(first)}` : detail)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 200)
}

const ListedError = t.intersection([
  t.type({ in: t.string, detail: t.string }),
  t.partial({ name: t.string, pointer: t.string }),
])

const describe = ({ in: group, name, pointer, detail }: t.TypeOf<typeof ListedError>): string =>
  `${group} ${name ?? pointer ?? ''} ${detail}`
