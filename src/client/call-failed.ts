/**
 * Defines `CallFailed`, the error thrown by promise clients and response streams, and masks secrets in its message.
 *
 * The `logging` policy masks headers and URLs in the same way.
 */
import * as HeaderList from '../http/headers.ts'
import type { AnyDecodedResponse, DecodedFailure } from './decoded-response.ts'
import type { ClientError } from './client-error.ts'
import { describeStatus } from './client-error.ts'
import { isError } from '../http/platform-value.ts'

/** Replaces secrets in headers and URLs with `***`. */
export interface Masker {
  /**
   * Returns an object that maps header names to values, with secrets masked. The values of a repeated header are joined
   * with commas.
   */
  readonly headers: (headers: HeaderList.Headers) => Readonly<Record<string, string>>
  readonly url: (url: string) => string
}

const mask = '***'

const credentialHeaders: ReadonlyArray<string> = [
  'Authorization',
  'Proxy-Authorization',
  'Cookie',
  'Set-Cookie',
]

const urlHeaders = new Set(['location', 'content-location', 'referer'])

const secretName = /password|secret|token|api-?key/i

/**
 * Returns a function that tests whether the name of a header or a query parameter denotes a secret: it is listed in `names`, it is the
 * name of a credential header, such as `Cookie`, or it suggests a secret, such as `token`.
 */
export const createSecretTest = (names: ReadonlyArray<string>): ((name: string) => boolean) => {
  const secretNames = new Set([...credentialHeaders, ...names].map((name) => name.toLowerCase()))
  return (name) => secretNames.has(name.toLowerCase()) || secretName.test(name)
}

/**
 * Creates a masker for headers and URLs. The values of secrets are masked, as {@link createSecretTest} defines them. User
 * information in URLs is also masked, including in headers such as `Location`.
 */
export const createMasker = (names: ReadonlyArray<string>): Masker => {
  const isMasked = createSecretTest(names)
  const masker: Masker = {
    headers: (headers) => {
      const values = new Map<string, string>()
      for (const [name, raw] of HeaderList.toPairs(headers)) {
        const value = urlHeaders.has(name.toLowerCase()) ? masker.url(raw) : raw
        const previous = values.get(name)
        if (isMasked(name)) values.set(name, mask)
        else values.set(name, previous === undefined ? value : `${previous}, ${value}`)
      }
      return Object.fromEntries(values)
    },
    url: (url) =>
      url.replace(/^([^/?#]*\/\/)[^/?#]*@/, `$1${mask}@`).replace(/[?&][^&#]*/g, (parameter) => {
        const equals = parameter.indexOf('=')
        return equals > 0 && isMasked(decodeName(parameter.slice(1, equals)))
          ? `${parameter.slice(0, equals)}=${mask}`
          : parameter
      }),
  }
  return masker
}

/** Decodes a percent-encoded name. Returns a malformed name unchanged. */
const decodeName = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/**
 * Error thrown when a call fails. `failure` is the declared failure or client error, and `cause` is the underlying
 * error, if any. `isClientError` distinguishes both kinds of failures. After `instanceof`, TypeScript treats `failure` as
 * `any`, so annotate it: `const { failure }: CallFailed = error`.
 *
 * The message contains the operation name, the reason for the failure, the method and the URL. In the URL, values of
 * parameters with names such as `token` are masked. `toJSON` omits headers and bodies.
 */
export class CallFailed<F = ClientError | AnyDecodedResponse> extends Error {
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

/** Whether a value is a {@link CallFailed}, possibly of another copy of the package. */
export const isCallFailed = (value: unknown): value is CallFailed =>
  isError(value) && value.name === 'CallFailed' && 'failure' in value

/**
 * Names of the failure properties that `toJSON` includes. The values of these properties can be serialized as JSON and
 * contain no secrets.
 */
const summaryMembers: ReadonlySet<string> = new Set([
  '_tag',
  'operation',
  'status',
  'errors',
  'problem',
  'limit',
  'policy',
  'retryAfter',
])

const summaryOf = (failure: unknown): object | undefined =>
  typeof failure === 'object' && failure !== null
    ? Object.fromEntries(Object.entries(failure).filter(([name]) => summaryMembers.has(name)))
    : undefined

/** Method and URL of a failed request. If nothing was sent, `url` is the path template of the operation. */
export interface FailedRequest {
  readonly method: string
  readonly url: string
}

/**
 * Maps each failure to the request that caused it. The request is not stored in a property, because a declared failure
 * must have only the properties of a response.
 */
const failedRequests = new WeakMap<object, FailedRequest>()

/**
 * Records the request that caused a failure. The message of the resulting `CallFailed` includes the method and URL of
 * the request.
 */
export const setFailedRequest = (failure: object, { method, url }: FailedRequest): void =>
  void failedRequests.set(failure, { method, url })

/** Creates a `CallFailed` for a failure. `request` defaults to the request recorded by `setFailedRequest`. */
export const createCallFailed = (
  operation: string,
  failure: ClientError | AnyDecodedResponse,
  request: FailedRequest | undefined = failedRequests.get(failure),
): CallFailed => {
  const suffix =
    request === undefined ? '' : ` (${request.method} ${defaultMasker.url(request.url)})`
  if ('_tag' in failure)
    return new CallFailed(failure, `${failure.message}${suffix}`, failure.cause)
  const { status, problem }: AnyDecodedResponse & Partial<DecodedFailure<number, unknown>> = failure
  return new CallFailed(
    failure,
    `${operation}: failed with status ${describeStatus(status, problem)}${suffix}`,
  )
}

const defaultMasker = createMasker([])
