/** The data that the event loop and a worker exchange about a request. */
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import type { SpooledBody } from './spool.ts'
import type { AuthenticatedPrincipal, ProvidedValues } from '../context/request-info.ts'

/** A request after step 5, as plain data. */
export interface DispatchedRequest {
  /** The name of the selected operation. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly query: string | undefined
  readonly headers: Headers
  readonly origin: string
  readonly prefix: string
  readonly clientAddress: string | undefined
  /** The body, or the failure of reading it: the operation may reject the request for another reason first. */
  readonly body: Uint8Array | SpooledBody | RequestFailure
  readonly id: string
  /** The timeout of the operation in milliseconds, if it declares one; 0 for none. */
  readonly timeout: number | undefined
  /** The time of the first call of `elapsed`, by the receiver's clock; `undefined` without one. */
  readonly startTime: number | undefined
  readonly provided: ProvidedValues
  readonly authenticated: AuthenticatedPrincipal | undefined
  /** Headers that are added to any response. */
  readonly addedHeaders: Headers
}

/** The result of a dispatched request. */
export type DispatchResult =
  | {
      readonly _tag: 'Answered'
      readonly response: EncodedResponse
      /** Called at the end of the request, if the worker waits for it. */
      readonly onEnd: (() => void) | undefined
    }
  | { readonly _tag: 'Failed'; readonly error: unknown }

/**
 * Sends a request to a worker. `then` is called at most once, and not after the end of the exchange. `signal` may abort earlier,
 * when the client half-closes. Throws if the request cannot be dispatched.
 */
export type Dispatch = (
  dispatched: DispatchedRequest,
  exchange: Pick<Exchange, 'signal' | 'onEnd'>,
  then: (result: DispatchResult) => void,
) => void
