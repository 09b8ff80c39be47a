/** Logs errors that occur while requests are processed, and detects errors caused by a disconnect. */
import type { HttpError } from '../../endpoint/http-error.ts'
import type { RequestInfo } from '../request-info.ts'
import * as Category from '../../compiler/settings/logger.ts'
import { isSilent } from '../../compiler/settings/logger.ts'
import type { RequestFailure } from '../../http/failure.ts'
import { isError, isErrorOf, orUndefined } from '../../http/platform-value.ts'

/** Codes of errors that occur when an operation is interrupted by a closed connection or an abort signal. */
const abortCodes: ReadonlyArray<unknown> = [
  'ABORT_ERR',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
]

/**
 * Whether an operation failed because it was aborted by a disconnect. `signal` is called only if the error indicates an
 * interruption.
 */
export const isAbort = (error: unknown, signal: () => AbortSignal): boolean =>
  holds(() => causeChain(error).some(isInterruption)) && signal().aborted

/** Whether a condition holds for an error. Returns `false` if the error cannot be read. */
const holds = (condition: () => boolean): boolean => orUndefined(condition) === true

const isInterruption = (error: Error): boolean =>
  error.name === 'AbortError' || ('code' in error && abortCodes.includes(error.code))

/** Returns an error and all its causes, without duplicates. */
const causeChain = (error: unknown): ReadonlyArray<Error> => {
  const seen = new Set<Error>()
  let current = error
  while (isError(current) && !seen.has(current)) {
    seen.add(current)
    current = current.cause
  }
  return [...seen]
}

/**
 * Whether an error was caused by a disconnect.
 *
 * Handlers and sources can throw any error when their signal aborts. After a disconnect, all errors are therefore attributed to
 * the disconnect, except for programming errors such as a `TypeError`. A programming error is attributed to the disconnect only
 * if the error or one of its causes indicates an interruption.
 */
export const isDisconnect = (error: unknown, signal: () => AbortSignal): boolean =>
  signal().aborted &&
  holds(() => causeChain(error).some(isInterruption) || !isProgrammingError(error))

const isProgrammingError = (error: unknown): boolean =>
  isErrorOf(error, 'TypeError') ||
  isErrorOf(error, 'RangeError') ||
  isErrorOf(error, 'ReferenceError') ||
  isErrorOf(error, 'SyntaxError')

/** Logs an `HttpError` at the `debug` level. */
export const logHttpError = ({ program, exchange, id }: RequestInfo, error: HttpError): void =>
  program
    .loggerOf(Category.httpErrorCategory)
    .debug({ id, err: error }, `${exchange.method} ${exchange.path} failed with ${error.status}`)

/** Logs an internal error at the `error` level, or at the `debug` level if the error was caused by a disconnect. */
export const logInternalError = ({ program, exchange, id }: RequestInfo, error: unknown): void => {
  if (isDisconnect(error, () => exchange.signal()))
    program.logger.debug(
      { id, err: error },
      `Client disconnected during request to ${exchange.path}, error ID: ${id}`,
    )
  else
    program.logger.error(
      { id, err: error },
      `HTTP request to ${exchange.path} failed, error ID: ${id}`,
    )
}

/**
 * Logs that the input is invalid. Logging `failure` is safe, because a failure describes the expected input and never contains the
 * received input.
 */
export const logInvalidInput = (request: RequestInfo, failure: RequestFailure): void => {
  const { debug } = request.program.loggerOf(Category.parametersCategory)
  if (isSilent(debug)) return
  const { method, path } = request.exchange
  debug({ id: request.id, failure }, `Invalid input for ${method} ${path}`)
}

/** Logs that an operation has exceeded its handler timeout. */
export const logHandlerTimeout = ({ program, operation, id }: RequestInfo, timeout: number): void =>
  program.logger.warn(
    { id },
    `${operation?.endpoint.name} did not start its response within ${timeout} ms`,
  )

/**
 * Logs an error that occurred after the handler timeout. The level is `debug`, because most of these errors are caused by the
 * abort signal.
 */
export const logErrorAfterTimeout = ({ program, id }: RequestInfo, error: unknown): void =>
  program.logger.debug({ id, err: error }, 'Operation failed after it had timed out')
