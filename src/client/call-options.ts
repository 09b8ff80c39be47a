/** What a caller says of one call beside its input. */
import type { Policy } from './exchange.ts'
import type { Duration } from './policy/duration.ts'
import type { Reconnect } from './stream/reconnect.ts'

export interface CallOptions {
  /** Aborts the call, also while its content is read or it waits in a policy. */
  readonly signal?: AbortSignal | undefined
  /** How long each try waits for the head of its response, in the place of what the client says; `false` for no limit. */
  readonly timeout?: Duration | false | undefined
  /** Header fields, which take the place of those that the client would send: `Accept` asks for one of several representations. */
  readonly headers?: HeaderFields | undefined
  /** Where the service stands for this call. */
  readonly baseUrl?: string | undefined
  /** The media type of the body, one of those that the operation reads; the first declared by default. */
  readonly as?: string | undefined
  /** Comes back to an event stream that ends or breaks off. */
  readonly reconnect?: Reconnect | undefined
  /** Stand around those of the client, for this call; what they remember, they forget behind it. */
  readonly policies?: ReadonlyArray<Policy> | undefined
}

/** By name, in any case. */
export type HeaderFields = Readonly<Record<string, string>>
