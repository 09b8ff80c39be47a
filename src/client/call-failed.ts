/** The error with which promises of a client reject. */
import * as Status from '../http/status.ts'
import type { AnyAnswer } from './decoded-response.ts'
import type { ClientError } from './client-error.ts'
import { createMasker } from './mask-secrets.ts'

/**
 * A failed call. `failure` is the `Left` of its `TaskEither`, `cause` the underlying error, if there is one.
 *
 * The message names the operation, the failure, the method and the URL. Values of parameters with names such as `token` are
 * masked in the URL. `toJSON` omits headers and bodies.
 */
export class CallFailed<F = ClientError | AnyAnswer> extends Error {
  override readonly name = 'CallFailed'
  readonly failure: F
  constructor(failure: F, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.failure = failure
  }

  toJSON(): object {
    return { name: this.name, message: this.message, failure: summaryOf(this.failure) }
  }
}

/** Members of failures that can be written as JSON and contain no secrets. */
const summaryMembers: ReadonlySet<string> = new Set([
  '_tag',
  'operation',
  'status',
  'faults',
  'problem',
  'limit',
  'policy',
  'retryAfter',
])

const summaryOf = (failure: unknown): object | undefined =>
  typeof failure === 'object' && failure !== null
    ? Object.fromEntries(Object.entries(failure).filter(([name]) => summaryMembers.has(name)))
    : undefined

/** The method and the URL of a failed request. The URL is the template of the operation if nothing was sent. */
export interface FailedRequest {
  readonly method: string
  readonly url: string
}

/** Not a member of the failure, because a declared failure contains only what the service sent. */
const failedRequests = new WeakMap<object, FailedRequest>()

/** Associates a failure with its request, for the message of `CallFailed`. */
export const setFailedRequest = (failure: object, { method, url }: FailedRequest): void =>
  void failedRequests.set(failure, { method, url })

/** Creates the error of a failure. `request` defaults to the one set by `setFailedRequest`. */
export const callFailed = (
  operation: string,
  failure: ClientError | AnyAnswer,
  request: FailedRequest | undefined = failedRequests.get(failure),
): CallFailed => {
  const suffix = request === undefined ? '' : ` (${request.method} ${masked.url(request.url)})`
  if ('_tag' in failure)
    return new CallFailed(failure, `${failure.message}${suffix}`, failure.cause)
  const { status } = failure
  const message = `${operation}: failed with status ${status} ${Status.title(status)}${suffix}`
  return new CallFailed(failure, message)
}

const masked = createMasker([])
