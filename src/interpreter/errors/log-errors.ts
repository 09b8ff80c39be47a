/** Logs errors of requests. */
import type { HttpError } from '../../endpoint/http-error.ts'
import { isDisconnect } from './client-disconnect.ts'
import type { RequestInfo } from '../context/request-info.ts'
import type { Exchange } from '../exchange.ts'
import type { ChunkSource } from '../chunks.ts'
import { observeChunks } from '../chunks.ts'
import type { Program } from '../program.ts'
import * as Category from '../../compiler/settings/log-category.ts'

/** Logs an `HttpError` at `debug`. */
export const logHttpError = ({ program, exchange, id }: RequestInfo, error: HttpError): void =>
  program
    .loggerOf(Category.httpErrorCategory)
    .debug({ id, err: error }, `${exchange.method} ${exchange.path} failed with ${error.status}`)

/** Logs an internal error, and an error that is due to a disconnect at `debug` only. */
export const logInternalError = ({ program, exchange, id }: RequestInfo, error: unknown): void => {
  if (isDisconnect(error, () => exchange.signal()))
    program.logger.debug(
      { id, err: error },
      `client of ${exchange.path} disconnected, error id: ${id}`,
    )
  else
    program.logger.error(
      { id, err: error },
      `HTTP Request to ${exchange.path} failed, error id: ${id}`,
    )
}

/** Logs that an operation has exceeded its timeout. */
export const logHandlerTimeout = ({ program, operation, id }: RequestInfo, timeout: number): void =>
  program.logger.warn(
    { id },
    `${operation?.endpoint.name} did not begin its response within ${timeout} ms`,
  )

/** Logs an error after the timeout at `debug`: most of them are caused by the abort signal. */
export const logErrorAfterTimeout = ({ program, id }: RequestInfo, error: unknown): void =>
  program.logger.debug({ id, err: error }, 'Operation failed after its timeout')

interface BrokenResponse {
  readonly program: Pick<Program, 'logger'>
  readonly exchange: Pick<Exchange, 'path' | 'signal'>
  readonly id: string
}

/** Returns the same body, and logs its error: at `debug` once the client has disconnected, whatever the error is. */
export const logBrokenStream = (chunks: ChunkSource, state: BrokenResponse): ChunkSource =>
  observeChunks(chunks, (error) => {
    const { program, exchange, id } = state
    const level = exchange.signal().aborted ? 'debug' : 'error'
    program.logger[level](
      { id, err: error },
      `response of ${exchange.path} was interrupted, error id: ${id}`,
    )
  })
