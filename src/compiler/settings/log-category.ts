/**
 * Defines the log categories of the framework. The level of a category is configured with the setting
 * `fw.log.category."NAME".level`. Applications can use additional categories.
 *
 * | Category | Lines |
 * |---|---|
 * | `request` | errors before they are passed to error mappers (`debug`), internal errors (`error`), client disconnects (`debug`), operations that timed out (`warn`) |
 * | `HttpError` | errors with a status code, when their response is created (`debug`); alias: `WebApplicationException` |
 * | `parameters` | invalid inputs (`debug`) |
 * | `access` | completed requests to which the filter `accessLog` applies (`info`) |
 * | `cors` | rejected pages that probably belong to the service itself, at most once a minute (`warn`) |
 * | `server` | events that do not belong to a single request, warnings about the route tree at start (`warn`) |
 */
import type { LogLevel, Logger } from './logger.ts'
import {
  levelOf,
  loggerWithMembers,
  loggerFromLevel,
  silentLogger,
  loggerWithoutErrors,
} from './logger.ts'
import { memoizeHeader } from '../../http/headers.ts'
import type { Settings } from './settings.ts'

export const requestCategory = 'request'
export const httpErrorCategory = 'HttpError'
export const parametersCategory = 'parameters'
export const serverCategory = 'server'

/** An alias for the category `HttpError`. */
const alias = 'WebApplicationException'

/** Returns the logger for a category. Errors thrown by the logger are ignored. */
export type LoggerByCategory = (category: string) => Logger

/** Creates a function that returns the logger for a category. Each logger is created on first use. */
export const loggersByCategory = (logger: Logger, settings: Settings): LoggerByCategory => {
  const cached = memoizeHeader((category = '') => {
    const names = category === httpErrorCategory ? [category, alias] : [category]
    return categoryLogger(logger, category, levelOf(settings, ...names))
  })
  return (category) => cached(category)
}

const categoryLogger = (logger: Logger, category: string, level: LogLevel): Logger =>
  level === 'off'
    ? silentLogger
    : loggerFromLevel(level, loggerWithoutErrors(childLogger(logger, { category }, level)))

const childLogger = (
  logger: Logger,
  members: { readonly category: string },
  level: LogLevel,
): Logger =>
  logger.child === undefined
    ? loggerWithMembers(() => members, logger)
    : logger.child(members, { level })
