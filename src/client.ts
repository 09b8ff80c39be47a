/** Calling a service by the values that describe it. */
export { client } from './client/client.ts'
export type { ClientOptions } from './client/client.ts'
export type { Call, CallInput, Client, ClientOf } from './client/call.ts'
export type { FileToSend } from './client/file-to-send.ts'
export type { FilePartToSend, PartToSend } from './client/part-to-send.ts'
export { discard } from './client/stream/discard.ts'
export type { Reconnect } from './client/stream/reconnect.ts'
export type { CallOptions, HeaderFields } from './client/call-options.ts'
export { headerOf } from './client/answer.ts'
export type { Answer, AnyAnswer } from './client/answer.ts'
export { promising } from './client/promising.ts'
export type { Promising } from './client/promising.ts'
export { CallFailed } from './client/call-failed.ts'
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
export type { Fetch } from './client/send.ts'
export type { Lists } from './client/query-writer.ts'
export { MistakesError } from './endpoint/mistake.ts'
export type { Mistake } from './endpoint/mistake.ts'
