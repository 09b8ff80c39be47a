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

/** Hands a state over, with its content if that is going to be read: as a whole, or spooled if it is going to be taken in chunks. */
export const dispatchToWorker = (
  state: RequestState,
  { operation, bodyIndex: body }: NegotiatedOperation<CompiledOperation>,
  isRead: boolean,
  offload: Dispatch,
): void => {
  const { exchange } = state
  const go = (content: DispatchedRequest['body']): void => {
    try {
      // the worker has other work to do, and the client can be errorOf at once
      if ('_tag' in content && content._tag === 'BodyMemoryExhausted') return state.reject(content)
      offload(dispatchedRequestOf(state, operation, content), exchange, (result) => {
        try {
          if (result._tag === 'Failed') throw result.error
          if (result.onEnd !== undefined) exchange.onEnd(result.onEnd)
          state.write(result.response)
        } catch (error) {
          if (result._tag === 'Answered' && isChunkSource(result.response.body))
            result.response.body.close()
          state.fail(error)
        }
      })
    } catch (error) {
      state.fail(error)
    }
  }
  const limit = operation.bodyLimits[body]
  if (!isRead || limit === undefined) return go(nothing)
  if (operation.streamReaders[body] === undefined) return exchange.readBody(limit, go)
  const chunks = exchange.streamBody(limit)
  if (isFailure(chunks)) return go(chunks)
  spoolBody(chunks, exchange).then(go, (error: unknown) => {
    const failure = isHttpError(error) ? failureOf(error) : undefined
    if (failure === undefined) state.fail(error)
    else go(failure)
  })
}

const nothing = new Uint8Array(0)

const dispatchedRequestOf = (
  {
    exchange,
    id,
    startTime: start,
    provided: given,
    authenticated: identity,
    addedHeaders: added,
  }: RequestState,
  { plan }: CompiledOperation,
  content: DispatchedRequest['body'],
): DispatchedRequest => ({
  name: plan.name,
  method: exchange.method,
  path: exchange.path,
  query: exchange.query,
  headers: exchange.headers,
  origin: exchange.origin(),
  prefix: exchange.prefix(),
  clientAddress: exchange.clientAddress(),
  body: content,
  id,
  timeout: plan.attributes.limits.time,
  startTime: start,
  provided: given,
  authenticated: identity,
  addedHeaders: added,
})

/** The state as it was when it was handed over. */
export const resumeDispatched = (
  program: Program,
  exchange: Exchange,
  {
    id,
    startTime: start,
    provided: given,
    authenticated: identity,
    addedHeaders: added,
  }: DispatchedRequest,
): RequestState => {
  const state = new RequestState(program, exchange)
  state.setId(id)
  state.startTime = start
  state.provided = given
  state.authenticated = identity
  state.addedHeaders = added
  return state
}
