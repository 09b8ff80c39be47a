/** Options of a client. */
import * as E from 'fp-ts/lib/Either.js'
import type { Mistake } from '../endpoint/internal/configuration-error.ts'
import type { Base } from './base-url.ts'
import { baseOf } from './base-url.ts'
import type { HeaderFields } from './call-options.ts'
import { checkPolicies } from './call-options.ts'
import type { Passage, Policy } from './exchange.ts'
import type { Duration } from '../endpoint/limits.ts'
import { parseTimeout } from './policy/timer.ts'
import { applyPolicies } from './policy/policy.ts'
import { withNetworkTimeout } from './transport/network-timeout.ts'
import type { Lists } from './request/query-writer.ts'
import type { Sender } from './request/request-writer.ts'
import { isHeader } from './request/request-writer.ts'
import type { Fetch } from './transport/fetch-transport.ts'
import { fetchTransport } from './transport/fetch-transport.ts'
import type { Reconnect } from './stream/reconnect.ts'
import { parseReconnectDelay } from './stream/reconnect.ts'
import type { BodyLimits } from './response/lazy-response.ts'

/** Options of `client`. */
export interface ClientOptions {
  /** The absolute URL that the paths of the contract are appended to. User information is sent as `Authorization`. */
  readonly baseUrl: string
  /** The `fetch` that sends requests. Default: that of the platform. `inMemory(api)` of `espalier/testing` needs no socket. */
  readonly fetch?: Fetch | undefined
  /** Sends requests instead of `fetch`: {@link undiciTransport} or a custom passage. */
  readonly transport?: Passage | undefined
  /**
   * Policies between calls and the network, ordered by priority and then from the outermost to the innermost.
   *
   * The recommended order of resilience policies is `fallback`, `timeout` for the whole call, `retry`, `circuitBreaker`,
   * `hedge`, `rateLimit`, `concurrencyLimit`. Inside of these come `followRedirects`, credentials, and policies that log each attempt.
   */
  readonly policies?: ReadonlyArray<Policy> | undefined
  /**
   * How long each attempt waits for the head of its response, and how long a buffered response body may then pause. A call
   * that exceeds the limit fails with `TimedOut`. `false` disables the limit. Default: `30s`. Override: `timeout` of a call.
   *
   * The limit includes connecting and sending a buffered request body. For a streamed request body, it applies to each chunk
   * and then to the response; waiting for the source does not count. To limit the whole response body, use the policy
   * `timeout(…, { covers: 'content' })`. Streams, events and files may pause as long as `fetch` permits: five minutes on Node.js.
   */
  readonly timeout?: Duration | false | undefined
  /** Headers of every request. Parameters and options of a call override them. */
  readonly headers?: HeaderFields | undefined
  /** The format of lists in queries. Default: `repeat`, which espalier servers read. */
  readonly lists?: Lists | undefined
  /** Maximum number of bytes of a buffered response body, and of an element of a stream. Default: 10 MiB. */
  readonly maxContentLength?: number | undefined
  /** Reconnects event streams that end or break, until the service responds with 204. Default: no reconnection. */
  readonly reconnect?: Reconnect | undefined
}

/** Parsed options, shared by all calls of a client. */
export interface ClientSettings {
  readonly sender: Sender
  /** The transport, wrapped in the policies. */
  readonly passage: Passage
  /** Limits of buffered response bodies. */
  readonly limits: BodyLimits
  readonly reconnect: Reconnect | undefined
}

/** Parses the options, and adds a configuration error to `mistakes` for each invalid one. */
export const parseClientOptions = (options: ClientOptions, mistakes: Mistake[]): ClientSettings => {
  const { policies = [], headers = {}, lists = 'repeat', maxContentLength = tenMebibytes } = options
  const fail = (option: string, remedy: string): void => {
    mistakes.push({ code: 'FW-CLIENT-003', concerns: [`client option ${option}`], remedy })
  }
  const base = baseOf(options.baseUrl)
  if (E.isLeft(base)) fail('baseUrl', base.left)
  for (const [name, value] of Object.entries(headers))
    if (!isHeader(name, value))
      fail('headers', `invalid name or value of header ${JSON.stringify(name)}`)
  if (!(maxContentLength >= 0)) fail('maxContentLength', 'must be a number of bytes')
  const sender: Sender = { base: E.isRight(base) ? base.right : noBase, headers, lists }
  const delay = parseReconnectDelay(options.reconnect)
  if (E.isLeft(delay)) fail('reconnect', delay.left)
  const limit = parseTimeout(options.timeout ?? '30s')
  if (E.isLeft(limit)) fail('timeout', limit.left)
  if (options.transport !== undefined && options.fetch !== undefined)
    fail('transport', 'conflicts with fetch: keep one')
  const invalidPolicies = checkPolicies(policies)
  if (invalidPolicies !== undefined) fail('policies', invalidPolicies)
  const network = options.transport ?? fetchTransport(options.fetch)
  const timeout = E.isRight(limit) ? limit.right : undefined
  // the time limit is innermost, so that it excludes the time that requests wait in policies
  const limited = withNetworkTimeout(network, timeout)
  return {
    sender,
    passage: applyPolicies(invalidPolicies === undefined ? policies : [], limited),
    limits: { maxBytes: maxContentLength, timeout },
    reconnect: options.reconnect,
  }
}

/** A placeholder: an invalid `baseUrl` is a configuration error, so no client is created. */
const noBase: Base = { url: '', authorization: undefined }

const tenMebibytes = 10 * 1024 * 1024
