/** What is said between whoever hands an operation over and whoever runs it: plain data, and the way back. */
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import type { SpooledBody } from './spool.ts'
import type { AuthenticatedPrincipal, ProvidedValues } from '../context/request-info.ts'

/** A request on its way, as far as it has come. */
export interface DispatchedRequest {
  /** The operation that was selected. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly query: string | undefined
  readonly headers: Headers
  readonly origin: string
  readonly prefix: string
  readonly clientAddress: string | undefined
  /** Or why there is none: the operation may still be refused for another reason before it is asked for. */
  readonly body: Uint8Array | SpooledBody | RequestFailure
  readonly id: string
  /** Milliseconds that it may run, where that was said of it; 0 is without end. */
  readonly timeout: number | undefined
  /** When its time was asked first, by the clock of whoever has it now; `undefined` when nobody has asked. */
  readonly startTime: number | undefined
  readonly provided: ProvidedValues
  readonly authenticated: AuthenticatedPrincipal | undefined
  /** Fields that are added to whatever is answered. */
  readonly addedHeaders: Headers
}

/** What became of a request that was handed over. */
export type DispatchResult =
  | {
      readonly _tag: 'Answered'
      readonly response: EncodedResponse
      /** To be called at the end of the request, when somebody waits for it. */
      readonly onEnd: (() => void) | undefined
    }
  | { readonly _tag: 'Failed'; readonly error: unknown }

/**
 * Takes a request over. `then` is called at most once: not after the end of the exchange. The `signal` may abort before, when
 * the client half-closes its connection. Throws what is wrong at once.
 */
export type Dispatch = (
  dispatched: DispatchedRequest,
  exchange: Pick<Exchange, 'signal' | 'onEnd'>,
  then: (result: DispatchResult) => void,
) => void
