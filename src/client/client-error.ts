/**
 * Defines the errors that a call can return in addition to declared failures, and the problem documents in these
 * errors.
 *
 * Client errors are neither `Reply` nor `HttpError` objects. If a handler returns or throws a client error by accident,
 * the result is an internal error. The status of another service is therefore never forwarded.
 */
import type { ValidationError } from '../http/failure.ts'
import type { Headers } from '../http/headers.ts'
import * as t from 'io-ts'

/** An error with which a call fails. `_tag` identifies the kind of error. */
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
  /** A description that starts with the name of the operation. */
  readonly message: string
  /**
   * The name of the operation. It consists of the keys that lead to the operation in the route tree, joined by dots.
   */
  readonly operation: string
  /** The underlying error or the reason for the abort, or `undefined` if there is none. */
  readonly cause: unknown
}

/**
 * An error for invalid input or an invalid call option. Nothing was sent.
 *
 * This error also occurs if the source of a streamed request body fails while the body is being sent. In that case,
 * `cause` is the error from the source.
 */
export interface EncodeError extends Failed<'EncodeError'> {
  /** The validation errors for the input, and the errors for invalid options. */
  readonly errors: ReadonlyArray<ValidationError | OptionError>
}

/** Describes an invalid call option. */
export interface OptionError {
  readonly in: 'option'
  /** The name of the option, such as `timeout`. */
  readonly name: string
  /** A description of the expected value, such as `must be a string`. */
  readonly detail: string
}

/** A network error: the DNS lookup failed, or the connection failed or was lost before the response was complete. */
export type NetworkError = Failed<'NetworkError'>

/**
 * An error for a call that exceeded a time limit of the client, the call or a policy. This error also occurs if a
 * buffered response body pauses for too long.
 */
export type TimedOut = Failed<'TimedOut'>

/** An error for an exception in a policy, a filter or another application function. `cause` is the exception. */
export type Defect = Failed<'Defect'>

/** An error for a call that the caller aborted through a signal. */
export type Aborted = Failed<'Aborted'>

/** An error that describes an unexpected response. */
interface UnexpectedResponse<Tag extends string> extends Failed<Tag> {
  readonly status: number
  readonly headers: Headers
  /** The problem document (RFC 9457) in the response body, or `undefined` if there is none. */
  readonly problem: ProblemDetails | undefined
}

/**
 * An error for a response with an undeclared status: neither the operation nor an enclosing filter or error mapper
 * declares the status.
 *
 * The message includes the detail from a problem document. Request headers can also lead to an undeclared status:
 * conditional requests can result in 304 and 412, and range requests in 416.
 */
export interface UndeclaredStatus extends UnexpectedResponse<'UndeclaredStatus'> {
  /** The first 64 KiB of the body, decoded as text. */
  readonly text: string
}

/** An error for a response that has a declared status, but whose body does not match the declaration. */
export interface DecodeError extends UnexpectedResponse<'DecodeError'> {
  /** The validation errors for the body. */
  readonly errors: ReadonlyArray<ValidationError>
}

/** An error for a buffered response body that exceeds `maxBodySize`. */
export interface ResponseTooLarge extends Failed<'ResponseTooLarge'> {
  readonly status: number
  readonly headers: Headers
  /** The maximum size, in bytes. */
  readonly limit: number
}

/** An error for a request that a policy rejected. Nothing was sent. */
export interface Rejected extends Failed<'Rejected'> {
  /**
   * The name of the policy: `circuit-breaker`, `concurrency-limit` or `rate-limit`. If a policy fails to create
   * headers, the name is `headers` or `bearer-token`.
   */
  readonly policy: string
  /** Time, in milliseconds, until another attempt may succeed, or `undefined` if this time is unknown. */
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
 * Whether a value is a {@link ClientError}. Use this function to distinguish client errors from declared failures,
 * either in the `Left` of a call or in the `failure` of a `CallFailed`.
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
 * A problem document (RFC 9457). Standard members with an unexpected type are omitted (RFC 9457, 3.1). Extension
 * members are kept.
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

/**
 * Summarizes a problem document in at most 200 characters. The summary consists of `detail`, or `title` if there is no
 * `detail`, and the first validation error. Servers that use espalier list validation errors in the extension member
 * `errors`.
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
