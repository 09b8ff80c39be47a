/** The entry point `espalier/client` for browsers and other runtimes: typed clients of route trees. */
export { client } from './client/client.ts'
export type { ClientOptions } from './client/client-options.ts'
export type { Call, CallInput, Client, ClientOf } from './client/client-types.ts'
export type { FileToSend } from './client/request/file-to-send.ts'
export type { FilePartToSend, PartToSend } from './client/request/file-to-send.ts'
export { discard } from './client/stream/discard.ts'
export type { Reconnect } from './client/stream/reconnect.ts'
export type { CallOptions, HeaderFields } from './client/call-options.ts'
export { headerOf } from './client/decoded-response.ts'
export type { Answer, AnyAnswer } from './client/decoded-response.ts'
export { promising } from './client/promise-client.ts'
export type { Promising } from './client/promise-client.ts'
export { CallFailed } from './client/call-failed.ts'
export { isClientError } from './client/client-error.ts'
export { forward } from './client/forward.ts'
export type { ForwardOptions } from './client/forward.ts'
export type {
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
} from './client/client-error.ts'
export type { ProblemDetails } from './client/problem-details.ts'
export type {
  ClientBody,
  ClientRequest,
  ClientResponse,
  OperationInfo,
  Passage,
  Policy,
} from './client/exchange.ts'
export type { Fetch } from './client/transport/fetch-transport.ts'
export { undiciTransport } from './client/transport/undici-transport.ts'
export type { UndiciDispatcher } from './client/transport/undici-transport.ts'
export type { Lists } from './client/request/query-writer.ts'
export { MistakesError } from './endpoint/internal/configuration-error.ts'
export type { Mistake } from './endpoint/internal/configuration-error.ts'

export { timeout } from './client/policy/timeout.ts'
export type { TimeoutOptions } from './client/policy/timeout.ts'
export { retry } from './client/policy/retry.ts'
export type { RetryOptions } from './client/policy/retry.ts'
export type { BackoffOptions } from './client/policy/retry-rules.ts'
export type { RetryBudgetOptions } from './client/policy/retry-rules.ts'
export { hedge } from './client/policy/hedge.ts'
export type { HedgeOptions } from './client/policy/hedge.ts'
export { circuitBreaker } from './client/policy/circuit-breaker.ts'
export type { CircuitBreakerOptions } from './client/policy/circuit-breaker.ts'
export { concurrencyLimit } from './client/policy/concurrency-limit.ts'
export type { ConcurrencyLimitOptions } from './client/policy/concurrency-limit.ts'
export { rateLimit } from './client/policy/rate-limit.ts'
export type { RateLimitOptions } from './client/policy/rate-limit.ts'
export { fallback } from './client/policy/fallback.ts'
export { clientResponse } from './client/policy/client-filter.ts'
export type { ClientResponseOptions } from './client/policy/client-filter.ts'
export { followRedirects } from './client/policy/follow-redirects.ts'
export type { FollowRedirectsOptions } from './client/policy/follow-redirects.ts'
export { clientFilter } from './client/policy/client-filter.ts'
export type { ClientFilterOptions } from './client/policy/client-filter.ts'
export { headers } from './client/policy/headers.ts'
export type { HeadersFactory } from './client/policy/headers.ts'
export { propagate } from './client/policy/headers.ts'
export { basicAuth } from './client/policy/credentials.ts'
export { bearerToken } from './client/policy/credentials.ts'
export { logging } from './client/policy/logging.ts'
export type { LoggingOptions } from './client/policy/logging.ts'
export { observed } from './client/policy/observe-requests.ts'
export type { Observation } from './client/policy/observe-requests.ts'
export { compressRequests } from './client/policy/compress-requests.ts'
export type { CompressRequestsOptions } from './client/policy/compress-requests.ts'
export type { Clock } from './client/policy/timer.ts'
export type { Duration } from './endpoint/limits.ts'
export type { FieldsToSend } from './client/policy/headers.ts'
export type { Judge, Outcome } from './client/policy/policy.ts'
export type { Returned } from './client/policy/policy.ts'
