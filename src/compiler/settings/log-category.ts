/**
 * Log categories. The setting `fw.log.category."NAME".level` configures the level of a category. Applications can use their own
 * categories, in addition to these:
 *
 * | Category | Lines |
 * |---|---|
 * | `request` | errors before error mappers run (`debug`), internal errors (`error`), client disconnects (`debug`), operations that timed out (`warn`) |
 * | `HttpError` | errors with a status, when a response is created for them (`debug`); alias: `WebApplicationException` |
 * | `parameters` | invalid inputs (`debug`) |
 * | `access` | completed requests (`info`), where the filter `accessLog` applies |
 * | `server` | events that do not belong to a single request |
 */
import type { LogLevel, Logger } from './logger.ts'
import {
  levelOf,
  loggerWithMembers,
  loggerFromLevel,
  silentLogger,
  loggerWithoutErrors,
} from './logger.ts'
import { memoizeHeader } from '../../body/declared-type.ts'
import type { Settings } from './settings.ts'

/** The names of the categories that the framework logs to. */
export const requestCategory = 'request'
export const httpErrorCategory = 'HttpError'
export const parametersCategory = 'parameters'
export const serverCategory = 'server'

/** An alias for the category `HttpError`. */
const alias = 'WebApplicationException'

/** Returns the logger for a category. Errors that the logger throws are ignored. */
export type LoggerByCategory = (category: string) => Logger

/** Returns a function that creates the logger for each category when the category is first used. */
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
