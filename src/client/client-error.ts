/**
 * Errors of a call, in addition to the failures that the endpoint declares.
 *
 * They are neither `Reply` nor `HttpError`. A handler that returns or throws one by accident results in an internal error,
 * so the status of another service never becomes its own.
 */
import type { ValidationError } from '../http/failure.ts'
import type { Headers } from '../http/headers.ts'
import type { ProblemDetails } from './problem-details.ts'

export type ClientError =
  | EncodeError
  | NetworkError
  | TimedOut
  | Aborted
  | Defect
  | UndeclaredStatus
  | DecodeError
  | ContentTooLarge
  | Refused

interface Failed<Tag extends string> {
  readonly _tag: Tag
  /** A description that starts with the name of the operation. */
  readonly message: string
  /** The name of the operation: the keys on the path to it in the route tree, joined by dots. */
  readonly operation: string
  /** The underlying error, or the reason of the abort; otherwise `undefined`. */
  readonly cause: unknown
}

/**
 * The input or an option of the call is invalid, and nothing was sent. For a streamed request body, the source failed while the
 * body was sent; `cause` is the error of the source.
 */
export interface EncodeError extends Failed<'EncodeError'> {
  /** The invalid parts of the input, and the invalid options. */
  readonly faults: ReadonlyArray<ValidationError | OptionFault>
}

/** An invalid option of a call. */
export interface OptionFault {
  readonly in: 'option'
  /** The name of the option, such as `timeout`. */
  readonly name: string
  /** The expected value, such as `must be a string`. */
  readonly detail: string
}

/** No complete response was received: DNS lookup failed, or the connection was refused or lost. */
export type NetworkError = Failed<'NetworkError'>

/** A time limit of the client, the call or a policy was exceeded, or a buffered response body paused for too long. */
export type TimedOut = Failed<'TimedOut'>

/** A policy, a filter or another application function threw `cause`. */
export type Defect = Failed<'Defect'>

/** The signal of the caller aborted the call. */
export type Aborted = Failed<'Aborted'>

/** An error that describes an unexpected response. */
interface UnexpectedResponse<Tag extends string> extends Failed<Tag> {
  readonly status: number
  readonly headers: Headers
  /** The problem document (RFC 9457) of the response, if it has one. */
  readonly problem: ProblemDetails | undefined
}

/**
 * A status that neither the operation nor an enclosing filter or error mapper declares. The message includes the detail of a
 * problem document. Headers of the call can cause such a status too: 304 and 412 for conditional requests, 416 for ranges.
 */
export interface UndeclaredStatus extends UnexpectedResponse<'UndeclaredStatus'> {
  /** The first 64 KiB of the body, as text. */
  readonly content: string
}

/** A response with a declared status whose body does not match the declaration. */
export interface DecodeError extends UnexpectedResponse<'DecodeError'> {
  /** The validation errors of the body. */
  readonly faults: ReadonlyArray<ValidationError>
}

/** A buffered response body exceeds `maxContentLength`. */
export interface ContentTooLarge extends Failed<'ContentTooLarge'> {
  readonly status: number
  readonly headers: Headers
  /** The limit in bytes. */
  readonly limit: number
}

/** A policy rejected the request, and nothing was sent. */
export interface Refused extends Failed<'Refused'> {
  /** The policy: `circuit-breaker`, `concurrency-limit` or `rate-limit`; `headers` or `bearer-token` if creating headers failed. */
  readonly policy: string
  /** Milliseconds after which to try again, if known. */
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
  'ContentTooLarge',
  'Refused',
])

/**
 * Distinguishes errors of a call from declared failures, in the `Left` of a call or in a `CallFailed`.
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
