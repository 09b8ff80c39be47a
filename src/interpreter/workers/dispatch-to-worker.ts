/**
 * Dispatches blocking operations to workers that run the same program, between steps 5 and 6. Pre-matching and early filters have
 * run before and do not run again. The dispatched request is plain data.
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

/** Dispatches a request, with its body if the operation reads it: buffered, or spooled to disk if it is read as a stream. */
export const dispatchToWorker = (
  state: RequestState,
  { operation, bodyIndex: body }: NegotiatedOperation<CompiledOperation>,
  isRead: boolean,
  offload: Dispatch,
): void => {
  const { exchange } = state
  const go = (content: DispatchedRequest['body']): void => {
    try {
      // rejected here, because no worker is needed for it
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

/** Restores the state of a dispatched request. */
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
