/** Answers errors that a handler threw or returned, or that happened on the way to it. */
import { isHttpError } from '../endpoint/http-error.ts'
import type { Exchange } from './exchange.ts'
import type { Program } from './program.ts'
import { answerError, refuse } from './refuse.ts'

type Failing = Pick<Program, 'logger' | 'locate'>

/** An error with a status is answered with it; anything else is a defect. */
export const fail = (error: unknown, exchange: Exchange, id: string, program: Failing): void => {
  if (!isHttpError(error)) return failDefect(error, exchange, id, program)
  try {
    program.logger.debug(
      { id, err: error },
      `${exchange.method} ${exchange.path} answered with ${error.status}`,
    )
    const answer = answerError(error, exchange, id)
    exchange.answer({ ...answer, headers: program.locate(answer.headers, exchange) })
  } catch (unsendable) {
    // a status that HTTP does not have, an entity that is no JSON
    failDefect(unsendable, exchange, id, program)
  }
}

/** A defect is told to the log and to nobody else. */
const failDefect = (error: unknown, exchange: Exchange, id: string, { logger }: Failing): void => {
  logger.error({ id, err: error }, `HTTP Request to ${exchange.path} failed, error id: ${id}`)
  exchange.answer(refuse({ _tag: 'InternalError' }, exchange, id))
}
