/**
 * Hands a blocking operation over, between steps 5 and 6, to somebody who runs the same program elsewhere. What is handed
 * over is plain data. Filters before matching and early filters have run by then, and are not run again.
 */
import { isHttpError } from '../../endpoint/http-error.ts'
import { RequestState } from '../request-state.ts'
import type { Exchange } from '../exchange.ts'
import { isFailure } from '../exchange.ts'
import type { DispatchedRequest, Dispatch } from './dispatched-request.ts'
import type { NegotiatedOperation } from '../routing/negotiate.ts'
import { isChunkSource } from '../chunks.ts'
import type { CompiledOperation, Program } from '../program.ts'
import { spoolBody } from './spool.ts'
import { failureOf } from '../errors/failure-error.ts'

/** Hands a call over, with its content if that is going to be read: as a whole, or spooled if it is going to be taken in pieces. */
export const dispatchToWorker = (
  call: RequestState,
  { operation, body }: NegotiatedOperation<CompiledOperation>,
  isRead: boolean,
  offload: Dispatch,
): void => {
  const { exchange } = call
  const go = (content: DispatchedRequest['content']): void => {
    try {
      // the worker has other work to do, and the client can be told at once
      if ('_tag' in content && content._tag === 'BodyMemoryExhausted') return call.reject(content)
      offload(handoverOf(call, operation, content), exchange, (outcome) => {
        try {
          if (outcome._tag === 'Failed') throw outcome.error
          if (outcome.ended !== undefined) exchange.onEnd(outcome.ended)
          call.write(outcome.answer)
        } catch (error) {
          if (outcome._tag === 'Answered' && isChunkSource(outcome.answer.body))
            outcome.answer.body.close()
          call.fail(error)
        }
      })
    } catch (error) {
      call.fail(error)
    }
  }
  const limit = operation.bodyLimits[body]
  if (!isRead || limit === undefined) return go(nothing)
  if (operation.takeContent[body] === undefined) return exchange.readBody(limit, go)
  const pieces = exchange.streamBody(limit)
  if (isFailure(pieces)) return go(pieces)
  spoolBody(pieces, exchange).then(go, (error: unknown) => {
    const failure = isHttpError(error) ? failureOf(error) : undefined
    if (failure === undefined) call.fail(error)
    else go(failure)
  })
}

const nothing = new Uint8Array(0)

const handoverOf = (
  { exchange, id, start, given, identity, added }: RequestState,
  { plan }: CompiledOperation,
  content: DispatchedRequest['content'],
): DispatchedRequest => ({
  name: plan.name,
  method: exchange.method,
  path: exchange.path,
  query: exchange.query,
  headers: exchange.headers,
  origin: exchange.origin(),
  prefix: exchange.prefix(),
  address: exchange.clientAddress(),
  content,
  id,
  time: plan.marks.limits.time,
  start,
  given,
  identity,
  added,
})

/** The call as it was when it was handed over. */
export const resumeDispatched = (
  program: Program,
  exchange: Exchange,
  { id, start, given, identity, added }: DispatchedRequest,
): RequestState => {
  const call = new RequestState(program, exchange)
  call.identify(id)
  call.start = start
  call.given = given
  call.identity = identity
  call.added = added
  return call
}
