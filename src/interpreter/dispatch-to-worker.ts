/**
 * Dispatches requests for blocking operations to workers that run the same program. A request is dispatched as plain data after the
 * early filters (step 5 of the pipeline). The worker continues with step 6 and does not run the pre-matching and early filters
 * again.
 */
import { isHttpError } from '../endpoint/http-error.ts'
import * as Headers from '../http/headers.ts'
import { RequestState } from './request-state.ts'
import type { Exchange } from './exchange.ts'
import { isFailure, isChunkSource } from './exchange.ts'
import type { DispatchedRequest, Dispatch } from './dispatched-request.ts'
import type { NegotiatedOperation } from './routing/select-operation.ts'
import type { CompiledOperation, Program } from './program.ts'
import { spoolBody } from './dispatched-request.ts'
import { failureOf } from './errors/error-response.ts'

/**
 * Dispatches a request to a worker. The body is included if `isRead` is `true`. If the operation reads the body as a stream, a
 * large body is spooled to disk.
 */
export const dispatchToWorker = (
  state: RequestState,
  { operation, bodyIndex }: NegotiatedOperation<CompiledOperation>,
  isRead: boolean,
  dispatch: Dispatch,
): void => {
  const { exchange } = state
  const dispatchWith = (body: DispatchedRequest['body']): void => {
    try {
      // the request is rejected here, because the rejection needs no worker
      if ('_tag' in body && body._tag === 'BodyMemoryExhausted') return state.reject(body)
      dispatch(dispatchedRequestOf(state, operation, body), exchange, (result) => {
        try {
          if (result._tag === 'Failed') throw result.error
          if (result.onEnd !== undefined) exchange.onEnd(result.onEnd)
          state.write(result.response)
        } catch (error) {
          if (result._tag === 'Responded' && isChunkSource(result.response.body))
            result.response.body.close()
          state.fail(error)
        }
      })
    } catch (error) {
      state.fail(error)
    }
  }
  const limit = operation.bodyLimits[bodyIndex]
  if (!isRead || limit === undefined) return dispatchWith(nothing)
  if (operation.streamReaders[bodyIndex] === undefined)
    return exchange.readBody(limit, dispatchWith)
  const chunks = exchange.streamBody(limit)
  if (isFailure(chunks)) return dispatchWith(chunks)
  spoolBody(chunks, exchange).then(dispatchWith, (error: unknown) => {
    const failure = isHttpError(error) ? failureOf(error) : undefined
    if (failure === undefined) state.fail(error)
    else dispatchWith(failure)
  })
}

const nothing = new Uint8Array(0)

const dispatchedRequestOf = (
  { exchange, id, startTime, provided, authenticated, addedHeaders }: RequestState,
  { plan }: CompiledOperation,
  body: DispatchedRequest['body'],
): DispatchedRequest => ({
  name: plan.name,
  method: exchange.method,
  path: exchange.path,
  query: exchange.query,
  headers: Headers.toList(exchange.headers),
  origin: exchange.origin(),
  prefix: exchange.prefix(),
  clientAddress: exchange.clientAddress(),
  clientCertificate: exchange.clientCertificate?.(),
  body,
  id,
  timeout: plan.attributes.limits.timeout,
  startTime,
  provided,
  authenticated,
  addedHeaders,
})

/** Restores the request state from a dispatched request. Called in the worker. */
export const resumeDispatched = (
  program: Program,
  exchange: Exchange,
  { id, startTime, provided, authenticated, addedHeaders }: DispatchedRequest,
): RequestState => {
  const state = new RequestState(program, exchange)
  state.setId(id)
  state.startTime = startTime
  state.provided = provided
  state.authenticated = authenticated
  state.addedHeaders = addedHeaders
  return state
}
