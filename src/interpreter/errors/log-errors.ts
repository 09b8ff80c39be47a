/** What the log is errorOf of requests that do not go as they should. */
import type { HttpError } from '../../endpoint/http-error.ts'
import { isDisconnect } from './client-disconnect.ts'
import type { RequestInfo } from '../context/request-info.ts'
import type { Exchange } from '../exchange.ts'
import type { ChunkSource } from '../chunks.ts'
import { observeChunks } from '../chunks.ts'
import type { Program } from '../program.ts'
import * as Category from '../../compiler/settings/log-category.ts'

/** That an error has its answer, by its status. */
export const logHttpError = ({ program, exchange, id }: RequestInfo, error: HttpError): void =>
  program
    .loggerOf(Category.httpErrorCategory)
    .debug({ id, err: error }, `${exchange.method} ${exchange.path} answered with ${error.status}`)

/** Logs an internal error, and an error that is due to a disconnect at `debug` only. */
export const logInternalError = ({ program, exchange, id }: RequestInfo, error: unknown): void => {
  if (isDisconnect(error, () => exchange.signal()))
    program.logger.debug(
      { id, err: error },
      `the client of ${exchange.path} went away, error id: ${id}`,
    )
  else
    program.logger.error(
      { id, err: error },
      `HTTP Request to ${exchange.path} failed, error id: ${id}`,
    )
}

/** That an operation has not begun its response in its time. */
export const logHandlerTimeout = ({ program, operation, id }: RequestInfo, time: number): void =>
  program.logger.warn(
    { id },
    `${operation?.endpoint.name} has not begun its response within ${time} ms`,
  )

/** An error behind that: most come of the signal. */
export const logErrorAfterTimeout = ({ program, id }: RequestInfo, error: unknown): void =>
  program.logger.debug({ id, err: error }, 'What took too long has failed.')

interface Broken {
  readonly program: Pick<Program, 'logger'>
  readonly exchange: Pick<Exchange, 'path' | 'signal'>
  readonly id: string
}

/** Returns the same body, and logs its error: at `debug` once the client has disconnected, whatever the error is. */
export const logBrokenStream = (chunks: ChunkSource, state: Broken): ChunkSource =>
  observeChunks(chunks, (error) => {
    const { program, exchange, id } = state
    const level = exchange.signal().aborted ? 'debug' : 'error'
    program.logger[level](
      { id, err: error },
      `the response of ${exchange.path} was cut, error id: ${id}`,
    )
  })
