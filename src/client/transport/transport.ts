/** What is alike in every way to the network: nothing is sent before the task runs, and nothing is thrown. */
import * as E from 'fp-ts/lib/Either.js'
import { BodySource } from '../request/body-source.ts'
import { signalOf } from '../light-signal.ts'
import type { ClientError } from '../client-error.ts'
import type { ClientRequest, ClientResponse, Passage } from '../exchange.ts'
import { brokenOff, unsent } from '../error-factories.ts'

/** How a way sends, what it makes of a response, and how it lets go of one that nobody reads. */
export interface Way<R> {
  readonly send: (request: ClientRequest, source: BodySource | undefined) => Promise<R>
  readonly responseOf: (response: R, request: ClientRequest) => ClientResponse
  readonly leave: (response: R) => void
}

export const passing =
  <R>({ send, responseOf, leave }: Way<R>): Passage =>
  (request) =>
  () => {
    const { operation, body } = request
    const signal = signalOf(request)
    if (signal?.aborted === true)
      return Promise.resolve(E.left(brokenOff(operation, undefined, signal)))
    const source = body?._tag === 'Pieces' ? new BodySource(body.open) : undefined
    const failed = (error: unknown): E.Either<ClientError, never> => {
      source?.leave()
      return E.left(
        source?.hasFailed === true && signal?.aborted !== true
          ? unsent(operation, source.error)
          : brokenOff(operation, error, signal),
      )
    }
    const answered = (response: R): E.Either<ClientError, ClientResponse> => {
      try {
        // what a service says to half of a body is no answer to the call
        if (source?.hasFailed !== true) return E.right(responseOf(response, request))
        leave(response)
        return E.left(unsent(operation, source.error))
      } catch (error) {
        return failed(error)
      }
    }
    try {
      // an async function that waits here instead costs 500 octets for each call
      return send(request, source).then(answered, failed)
    } catch (error) {
      return Promise.resolve(failed(error))
    }
  }
