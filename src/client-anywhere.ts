/** The `espalier/client` entry point for browsers and for runtimes other than Node.js: typed clients for route trees. */

export { client, promiseClient } from './client/client.ts'
export { callWithFilters } from './client/call-with-filters.ts'
export type { CallWithFilters, CallWithFiltersOptions } from './client/call-with-filters.ts'
export type { ClientOptions } from './client/client-options.ts'
export type {
  Call,
  CallInput,
  CallTask,
  Client,
  ClientOf,
  NotAnEither,
  TreeClient,
} from './client/client-types.ts'
export type { FileToSend, FilePartToSend, PartToSend } from './client/request/body-writer.ts'
export type {
  CallOptions,
  RejectedHeaders,
  HeaderRecord,
  Reconnect,
} from './client/call-options.ts'
export { discard, headerOf } from './client/decoded-response.ts'
export type {
  DecodedFailure,
  WithHeaders,
  DecodedResponse,
  AnyDecodedResponse,
} from './client/decoded-response.ts'
export type { CreateClient, CreatePromiseClient, PromiseClient } from './client/client.ts'
export { CallFailed } from './client/call-failed.ts'
export { isClientError } from './client/client-error.ts'
export { forward } from './client/decoded-response.ts'
export type { AttemptTrace } from './diagnostics/attempt-trace.ts'
export type { ForwardOptions } from './client/decoded-response.ts'
export type {
  Aborted,
  ClientError,
  ResponseTooLarge,
  DecodeError,
  Defect,
  EncodeError,
  NetworkError,
  OptionError,
  Rejected,
  TimedOut,
  UndeclaredStatus,
  ProblemDetails,
} from './client/client-error.ts'
export type {
  ClientBody,
  ClientRequest,
  ClientResponse,
  OperationInfo,
  Passage,
  Policy,
} from './client/exchange.ts'
export type { Fetch } from './client/transport/transport.ts'
export { undiciTransport } from './client/transport/undici-transport.ts'
export type { UndiciDispatcher } from './client/transport/undici-transport.ts'
export type { Lists } from './client/request/query-writer.ts'
export { ConfigurationError } from './endpoint/definition/configuration-error.ts'
export type { ConfigurationIssue } from './endpoint/definition/configuration-error.ts'

export { timeout } from './client/policy/timeout.ts'
export type { TimeoutOptions } from './client/policy/timeout.ts'
export { retry } from './client/policy/retry.ts'
export type {
  RetryOptions,
  BackoffOptions,
  RetryBudgetOptions,
  ValidMethods,
} from './client/policy/retry.ts'
export { hedge } from './client/policy/hedge.ts'
export type { HedgeOptions } from './client/policy/hedge.ts'
export { circuitBreaker } from './client/policy/circuit-breaker.ts'
export type { CircuitBreakerOptions } from './client/policy/circuit-breaker.ts'
export { concurrencyLimit } from './client/policy/request-limits.ts'
export type { ConcurrencyLimitOptions } from './client/policy/request-limits.ts'
export { rateLimit } from './client/policy/request-limits.ts'
export type { RateLimitOptions } from './client/policy/request-limits.ts'
export { fallback } from './client/policy/client-filter.ts'
export { clientResponse, clientFilter } from './client/policy/client-filter.ts'
export type { ClientResponseOptions, ClientFilterOptions } from './client/policy/client-filter.ts'
export { followRedirects } from './client/policy/follow-redirects.ts'
export type { FollowRedirectsOptions } from './client/policy/follow-redirects.ts'
export { headers, propagate, basicAuth, bearerToken } from './client/policy/headers.ts'
export type { HeadersFactory, HeadersToSend, PropagationContext } from './client/policy/headers.ts'
export { logging } from './client/policy/logging.ts'
export type { LoggingOptions } from './client/policy/logging.ts'
export { observeRequests } from './client/policy/logging.ts'
export type { Observation } from './client/policy/logging.ts'
export { compressRequests } from './client/policy/compress-requests.ts'
export type { CompressRequestsOptions } from './client/policy/compress-requests.ts'
export type { Clock } from './client/timer.ts'
export type { CheckedDuration, Duration } from './endpoint/limits.ts'
export type { Judge, SendResult, Returned } from './client/policy/policy.ts'
