/** Asks for an event stream again: the same request, with the id of the event that was seen last. */
import * as E from 'fp-ts/lib/Either.js'
import * as Headers from '../../http/headers.ts'
import * as LastEventId from '../../http/last-event-id.ts'
import { failureOf } from '../../body/read-body.ts'
import type { AnyAnswer } from '../decoded-response.ts'
import type { ClientError } from '../client-error.ts'
import type { ClientRequest, ClientResponse } from '../exchange.ts'
import * as Failing from '../error-factories.ts'
import { cancel } from '../response/read-body.ts'
import type { Again } from './event-stream.ts'
import type { Reconnect } from './reconnect.ts'

/** How a call is sent again, where what is read goes on beyond one response. */
export interface Sending {
  readonly reconnect: Reconnect
  readonly send: (request: ClientRequest) => Promise<E.Either<ClientError, ClientResponse>>
}

/** `outcome` is what a response comes to that does not go on with the stream. */
export const returning = (
  first: ClientResponse,
  request: ClientRequest,
  { reconnect, send }: Sending,
  outcome: (response: ClientResponse) => Promise<E.Either<ClientError | AnyAnswer, AnyAnswer>>,
): Again => ({
  reconnect,
  connect: async (lastEventId, signal) => {
    const headers = Headers.without(request.headers, 'last-event-id')
    const sent = await send({
      ...request,
      headers:
        lastEventId === ''
          ? headers
          : [...headers, 'last-event-id', LastEventId.format(lastEventId)],
      signal,
    })
    if (E.isLeft(sent)) return sent
    const response = sent.right
    const { operation } = request
    if (response.status === 204) {
      cancel(response.body)
      return E.right(undefined)
    }
    if (response.status === first.status && typeOf(response) === typeOf(first))
      return E.right({ operation, response, signal: request.signal })
    const other = await outcome(response)
    if (E.isLeft(other)) return other
    cancel(response.body)
    return E.left(
      Failing.decodeError(operation, response, failureOf('it does not go on with the stream')),
    )
  },
})

const typeOf = ({ headers }: ClientResponse): string | undefined =>
  Headers.first(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
