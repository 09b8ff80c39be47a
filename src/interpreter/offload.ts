/**
 * Hands a blocking operation over, between steps 5 and 6, to somebody who runs the same program elsewhere. What is handed
 * over is plain data. Filters before matching and early filters have run by then, and are not run again.
 */
import type { Failure } from '../http/failure.ts'
import { Call } from './call.ts'
import type { Exchange } from './exchange.ts'
import type { Handover, Offload } from './handover.ts'
import { isPieces } from './pieces.ts'
import type { Operation, Program } from './program.ts'

/** Hands a call over, with its content if that is going to be read. */
export const handOver = (
  call: Call,
  operation: Operation,
  isRead: boolean,
  offload: Offload,
): void => {
  const { exchange } = call
  const go = (content: Uint8Array | Failure): void => {
    try {
      offload(handoverOf(call, operation, content), exchange.signal(), (outcome) => {
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
  if (isRead) exchange.takeContent(operation.bodySize, go)
  else go(nothing)
}

const nothing = new Uint8Array(0)

const handoverOf = (
  { exchange, id, start, given, identity, added }: Call,
  { plan }: Operation,
  content: Uint8Array | Failure,
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
