/** What a caller says of one call beside its input. */
import type { Policy } from './exchange.ts'
import type { Duration } from '../endpoint/limits.ts'
import type { Reconnect } from './stream/reconnect.ts'

/** One that is wrong is an `EncodeError` with a fault that names it; nothing is sent then. */
export interface CallOptions {
  /** Aborts the call, also while its content is read or it waits in a policy. */
  readonly signal?: AbortSignal | undefined
  /**
   * How long each try waits for the head of its response, and how long a content that is read as a whole may be silent, in the place
   * of what the client says; `false` for no limit.
   */
  readonly timeout?: Duration | false | undefined
  /**
   * Header fields, which take the place of those of the same names that the client or a parameter would send: `Accept` asks for one
   * of several representations.
   */
  readonly headers?: HeaderFields | undefined
  /** Where the service stands for this call, in the place of what the client says. */
  readonly baseUrl?: string | undefined
  /** The media type of the body, one of those that the operation reads; the first declared by default. */
  readonly as?: string | undefined
  /** How to come back to an event stream that ends or breaks off, in the place of what the client says. */
  readonly reconnect?: Reconnect | undefined
  /** Stand around those of the client, for this call; what they remember, they forget behind it. */
  readonly policies?: ReadonlyArray<Policy> | undefined
}

/** By name, in any case. */
export type HeaderFields = Readonly<Record<string, string>>
