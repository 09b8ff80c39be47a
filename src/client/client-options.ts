/** Defines the options of a client and parses them into settings. */
import { anyOf, unknownOptions } from '../endpoint/internal/combinator.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import type { Base, HeaderRecord, Reconnect, RejectedHeaders } from './call-options.ts'
import {
  checkPolicies,
  invalidHeaders,
  isHeaderRecord,
  parseBaseUrl,
  parseReconnectDelay,
} from './call-options.ts'
import type { AttemptTracing } from './traced-attempts.ts'
import type { Passage, Policy } from './exchange.ts'
import type { Duration } from '../endpoint/limits.ts'
import { parseTimeout } from './timer.ts'
import { applyPolicies } from './policy/policy.ts'
import { withNetworkTimeout } from './policy/timeout.ts'
import type { Lists } from './request/query-writer.ts'
import type { Sender } from './request/request-writer.ts'
import { headerError } from './request/request-writer.ts'
import type { Fetch } from './transport/transport.ts'
import { fetchTransport } from './transport/transport.ts'
import type { BodyLimits } from './receive-body.ts'

/** Options for `client`. */
export interface ClientOptions {
  /**
   * Absolute URL to which the paths in the contract are appended. User information in the URL is sent in the
   * `Authorization` header.
   */
  readonly baseUrl: string
  /**
   * Function that sends requests. Default: the global `fetch`. To test without a socket, use `inMemory(api)` from
   * `espalier/testing`.
   */
  readonly fetch?: Fetch | undefined
  /**
   * Transport that replaces `fetch`: an {@link undiciTransport} or a custom `Passage`. Cannot be combined with `fetch`.
   */
  readonly transport?: Passage | undefined
  /**
   * Policies applied to each request before it is sent. They are ordered by `priority`. Policies with equal priorities
   * keep the order of this array, in which the first policy is outermost.
   *
   * The recommended order of resilience policies is `fallback`, `timeout` for the whole call, `retry`,
   * `circuitBreaker`, `hedge`, `rateLimit`, `concurrencyLimit`. After these, add `followRedirects`, policies that send
   * credentials, and policies that log each attempt.
   */
  readonly policies?: ReadonlyArray<Policy> | undefined
  /**
   * Time limit for each attempt. Default: `30s`. `false` disables the limit. The `timeout` option of a call overrides
   * this option.
   *
   * The limit applies to the time until the response headers arrive, and then to each pause in a buffered response
   * body. A call that exceeds the limit fails with `TimedOut`.
   *
   * The time until the response headers arrive includes connecting and sending a buffered request body. For a streamed
   * request body, the limit applies to the time for sending each chunk and to the time until the response headers
   * arrive. Time spent waiting for the source of the body is not counted.
   *
   * To limit the time for the whole response body, use the policy `timeout(…, { covers: 'body' })`. Pauses in streams,
   * event streams and files are limited only by `fetch`. On Node.js, its limit is five minutes.
   */
  readonly timeout?: Duration | false | undefined
  /** Headers sent with every request. Header parameters and the `headers` option of a call override them. */
  readonly headers?:
    | HeaderRecord
    | RejectedHeaders<"pass a record: headers: { 'X-Trace': id }">
    | undefined
  /** Format of lists in query strings. Default: `repeat`, the format read by espalier servers. */
  readonly lists?: Lists | undefined
  /**
   * Maximum size in bytes of a buffered response body and of each element in a streamed response body. Default: 10 MiB.
   */
  readonly maxBodySize?: number | undefined
  /**
   * Options for reconnecting to event streams. By default, the client does not reconnect.
   *
   * If this option is set, the client reconnects whenever a stream ends or fails, until the service responds with 204.
   */
  readonly reconnect?: Reconnect | undefined
}

/** Parsed client options, shared by all calls of a client. */
export interface ClientSettings {
  readonly sender: Sender
  /** Transport, wrapped in the policies of the client. */
  readonly passage: Passage
  /** Limits for buffered response bodies. */
  readonly limits: BodyLimits
  readonly reconnect: Reconnect | undefined
}

const optionNames: ReadonlyArray<keyof ClientOptions> = [
  'baseUrl',
  'fetch',
  'transport',
  'policies',
  'timeout',
  'headers',
  'lists',
  'maxBodySize',
  'reconnect',
]

/** Parses client options. Adds a configuration error to `issues` for each invalid option. `tracing` publishes attempts. */
export const parseClientOptions = (
  options: ClientOptions,
  issues: ConfigurationIssue[],
  tracing: AttemptTracing | undefined,
): ClientSettings => {
  const { policies = [], lists = 'repeat', maxBodySize = tenMebibytes } = options
  const fail = (option: string, remedy: string): undefined =>
    void issues.push({ code: 'FW-CLIENT-003', concerns: [`client option ${option}`], remedy })
  const valid = <A>(option: string, parsed: E.Either<string, A>): A | undefined =>
    E.isRight(parsed) ? parsed.right : fail(option, parsed.left)
  for (const name of unknownOptions(optionNames, options))
    fail(name, `unknown option: expected ${anyOf(optionNames)}`)
  const base = valid('baseUrl', parseBaseUrl(options.baseUrl)) ?? noBase
  const given = options.headers ?? {}
  const headers = isHeaderRecord(given) ? given : fail('headers', invalidHeaders)
  for (const [name, value] of Object.entries(headers ?? {})) {
    const error = headerError(name, value)
    if (error !== undefined) fail('headers', `${JSON.stringify(name)} ${error}`)
  }
  if (!(maxBodySize >= 0)) fail('maxBodySize', 'must be a number of bytes')
  valid('reconnect', parseReconnectDelay(options.reconnect))
  const timeout = valid('timeout', parseTimeout(options.timeout ?? '30s'))
  if (options.transport !== undefined && options.fetch !== undefined)
    fail('transport', 'conflicts with the fetch option: use only one of them')
  const invalidPolicies = checkPolicies(policies)
  if (invalidPolicies !== undefined) fail('policies', invalidPolicies)
  const network = options.transport ?? fetchTransport(options.fetch)
  // the time limit is innermost, so that it does not include the time that requests spend in policies
  const limited = withNetworkTimeout(network, timeout)
  return {
    sender: { base, headers: headers ?? {}, lists },
    passage: applyPolicies(
      invalidPolicies === undefined ? policies : [],
      tracing?.transport(limited) ?? limited,
    ),
    limits: { maxBytes: maxBodySize, timeout },
    reconnect: options.reconnect,
  }
}

/**
 * Placeholder for an invalid `baseUrl`. It is never used, because an invalid `baseUrl` is a configuration error that
 * prevents the client from being created.
 */
const noBase: Base = { url: '', authorization: undefined }

const tenMebibytes = 10 * 1024 * 1024
