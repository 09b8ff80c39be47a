/** The common part of all transports: abort signals, streamed request bodies and error handling. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientError } from '../client-error.ts'
import { transportError, bodySourceError } from '../error-factories.ts'
import type { ClientRequest, ClientResponse, Passage } from '../exchange.ts'
import { BodySource } from './body-source.ts'

/** The part that differs between transports. `R` is the transport's own type of response. */
export interface TransportAdapter<R> {
  /** Sends a request. `source` is the source of a streamed body. */
  readonly send: (request: ClientRequest, source: BodySource | undefined) => Promise<R>
  readonly toResponse: (response: R, request: ClientRequest) => ClientResponse
  /** Discards a response whose body will not be read. */
  readonly discard: (response: R) => void
}

/** Creates a transport. It sends nothing before its task runs, and it never throws or rejects. */
export const createTransport =
  <R>({ send, toResponse, discard }: TransportAdapter<R>): Passage =>
  (request) =>
  () => {
    const { operation, body, signal } = request
    if (signal?.aborted === true)
      return Promise.resolve(E.left(transportError(operation, undefined, signal)))
    const source = body?._tag === 'Pieces' ? new BodySource(body.open) : undefined
    const onError = (error: unknown): E.Either<ClientError, never> => {
      source?.close()
      return E.left(
        source?.hasFailed === true && signal?.aborted !== true
          ? bodySourceError(operation, source.error)
          : transportError(operation, error, signal),
      )
    }
    const onResponse = (response: R): E.Either<ClientError, ClientResponse> => {
      try {
        // a response to an incomplete body is not a response to the call
        if (source?.hasFailed !== true) return E.right(toResponse(response, request))
        discard(response)
        return E.left(bodySourceError(operation, source.error))
      } catch (error) {
        return onError(error)
      }
    }
    try {
      // an async function that awaits here takes 500 more bytes per request
      return send(request, source).then(onResponse, onError)
    } catch (error) {
      return Promise.resolve(onError(error))
    }
  }
