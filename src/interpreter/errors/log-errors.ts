/** What the log is told of requests that do not go as they should. */
import type { HttpError } from '../../endpoint/http-error.ts'
import * as Category from '../../compiler/settings/log-category.ts'
import { isDisconnect } from './client-disconnect.ts'
import type { RequestInfo } from '../context/request-info.ts'

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
