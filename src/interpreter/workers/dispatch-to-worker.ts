/**
 * Hands a blocking operation over, between steps 5 and 6, to somebody who runs the same program elsewhere. What is handed
 * over is plain data. Filters before matching and early filters have run by then, and are not run again.
 */
import { isHttpError } from '../../endpoint/http-error.ts'
import { Call } from '../request-state.ts'
import type { Exchange } from '../exchange.ts'
import { isFailure } from '../exchange.ts'
import type { Handover, Offload } from './dispatched-request.ts'
import type { Choice } from '../routing/negotiate.ts'
import { isPieces } from '../chunks.ts'
import type { Operation, Program } from '../program.ts'
import { spooled } from './spool.ts'
import { failureOf } from '../errors/unread.ts'

/** Hands a call over, with its content if that is going to be read: as a whole, or spooled if it is going to be taken in pieces. */
export const handOver = (
  call: Call,
  { operation, body }: Choice<Operation>,
  isRead: boolean,
  offload: Offload,
): void => {
  const { exchange } = call
  const go = (content: Handover['content']): void => {
    try {
      // the worker has other work to do, and the client can be told at once
      if ('_tag' in content && content._tag === 'BodyMemoryExhausted') return call.refused(content)
      offload(handoverOf(call, operation, content), exchange, (outcome) => {
        try {
          if (outcome._tag === 'Failed') throw outcome.error
          if (outcome.ended !== undefined) exchange.onEnd(outcome.ended)
          call.answered(outcome.answer)
        } catch (error) {
          if (outcome._tag === 'Answered' && isPieces(outcome.answer.content))
            outcome.answer.content.close()
          call.failed(error)
        }
      })
    } catch (error) {
      call.failed(error)
    }
  }
  const limit = operation.bodyLimits[body]
  if (!isRead || limit === undefined) return go(nothing)
  if (operation.takeContent[body] === undefined) return exchange.takeContent(limit, go)
  const pieces = exchange.takePieces(limit)
  if (isFailure(pieces)) return go(pieces)
  spooled(pieces, exchange).then(go, (error: unknown) => {
    const failure = isHttpError(error) ? failureOf(error) : undefined
    if (failure === undefined) call.failed(error)
    else go(failure)
  })
}

const nothing = new Uint8Array(0)

const handoverOf = (
  { exchange, id, start, given, identity, added }: Call,
  { plan }: Operation,
  content: Handover['content'],
): Handover => ({
  name: plan.name,
  method: exchange.method,
  path: exchange.path,
  query: exchange.query,
  headers: exchange.headers,
  origin: exchange.origin(),
  prefix: exchange.prefix(),
  address: exchange.address(),
  content,
  id,
  time: plan.marks.limits.time,
  start,
  given,
  identity,
  added,
})

/** The call as it was when it was handed over. */
export const resumed = (
  program: Program,
  exchange: Exchange,
  { id, start, given, identity, added }: Handover,
): Call => {
  const call = new Call(program, exchange)
  call.identify(id)
  call.start = start
  call.given = given
  call.identity = identity
  call.added = added
  return call
}
