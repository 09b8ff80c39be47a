/**
 * Everything that can go wrong with a call beside what the endpoint declares. It is no `Reply` and no `HttpError`: a handler
 * that returns or throws it by accident has failed itself, and no upstream status becomes its answer.
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
  /** In words, with the name of the operation. */
  readonly message: string
  /** The name of the operation: the keys on the way to it, joined by dots. */
  readonly operation: string
  /** What was thrown, or why it was aborted; `undefined` where that is all there is to know. */
  readonly cause: unknown
}

/**
 * The input cannot be sent as it is, or an option of the call is wrong, so nothing was sent: a mistake of the program that calls. Of
 * a body that is sent in pieces, it may show in the middle: `cause` is what its source failed with.
 */
export interface EncodeError extends Failed<'EncodeError'> {
  /** What is wrong, and where. */
  readonly faults: ReadonlyArray<ValidationError | OptionFault>
}

/** What is wrong with an option of a call. */
export interface OptionFault {
  readonly in: 'option'
  /** The name of the option, such as `timeout`. */
  readonly name: string
  /** What was expected, in words. */
  readonly detail: string
}

/** No response came, or it broke off: the name is not known, the connection was refused or lost. */
export type NetworkError = Failed<'NetworkError'>

/** It took longer, or a content that is read as a whole was silent for longer, than the client, the call or a policy allows. */
export type TimedOut = Failed<'TimedOut'>

/** A policy, a filter or another function of the program's own failed: the cause is what it threw. */
export type Defect = Failed<'Defect'>

/** The caller's signal aborted it. */
export type Aborted = Failed<'Aborted'>

/** What is known of a response that is no answer. */
interface Responded<Tag extends string> extends Failed<Tag> {
  readonly status: number
  readonly headers: Headers
  /** The problem document (RFC 9457) that it had; `undefined` where it had none. */
  readonly problem: ProblemDetails | undefined
}

/**
 * A status that neither the operation nor what stands around it declares; its message has the detail of the problem document. So is the reply of a filter or mapper that does not say it
 * with `fails`, and what a caller's own header fields lead to: 304 and 412 to conditions, 416 to ranges.
 */
export interface UndeclaredStatus extends Responded<'UndeclaredStatus'> {
  /** The first 64 KiB of what it said, as text. */
  readonly content: string
}

/** A declared status whose content is not what was declared. */
export interface DecodeError extends Responded<'DecodeError'> {
  /** What is wrong, and where. */
  readonly faults: ReadonlyArray<ValidationError>
}

/** A content that is read as a whole has more octets than the client takes. */
export interface ContentTooLarge extends Failed<'ContentTooLarge'> {
  readonly status: number
  readonly headers: Headers
  /** In octets. */
  readonly limit: number
}

/** It was never sent: a policy does not let it through. */
export interface Refused extends Failed<'Refused'> {
  /** The policy: `circuit-breaker`, `concurrency-limit`, `rate-limit`; or what could not make its fields: `headers`, `bearer-token`. */
  readonly policy: string
  /** Milliseconds after which another try makes sense, where that is known. */
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
 * Tells what went wrong from a declared failure, on the left of a call or in a `CallFailed`.
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
 * const words = pipe(
 *   await service.hello()(),
 *   E.match(
 *     (failure) => (isClientError(failure) ? failure.message : failure.body),
 *     (answer) => answer.body,
 *   ),
 * )
 * assert.equal(words, 'not here')
 * ```
 */
export const isClientError = (error: unknown): error is ClientError =>
  typeof error === 'object' &&
  error !== null &&
  '_tag' in error &&
  tags.has(error._tag) &&
  'operation' in error &&
  'message' in error
