/**
 * Categories of the log: what lines are about. Each has a level of its own, `fw.log.category."NAME".level`; an application
 * has categories of its own beside these.
 *
 * | Category | Lines |
 * |---|---|
 * | `request` | errors before they are mapped (`debug`), defects (`error`), clients that went away (`debug`), operations that took too long (`warn`) |
 * | `HttpError` | errors with a status, when they are answered (`debug`); also called `WebApplicationException` |
 * | `parameters` | inputs that were refused (`debug`) |
 * | `access` | requests at their end (`info`), where the filter `accessLog` stands |
 * | `server` | what concerns no single request |
 */
import type { LogLevel } from './log-level.ts'
import { levelOf } from './log-level.ts'
import type { Logger } from './logger.ts'
import { loggerWithMembers, loggerFromLevel, silentLogger, loggerWithoutErrors } from './logger.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import type { Settings } from './settings.ts'

export const requestCategory = 'request'
export const httpErrorCategory = 'HttpError'
export const parametersCategory = 'parameters'
export const serverCategory = 'server'

/** The name that the category of errors with a status has elsewhere. */
const alias = 'WebApplicationException'

/** The loggers of categories. What a logger throws is dropped. */
export type LoggerByCategory = (category: string) => Logger

/** Prepares the loggers of categories, each when it is first asked for. */
export const loggersByCategory = (logger: Logger, settings: Settings): LoggerByCategory => {
  const made = memoizeHeader((category = '') => {
    const names = category === httpErrorCategory ? [category, alias] : [category]
    return categoryLogger(logger, category, levelOf(settings, ...names))
  })
  return (category) => made(category)
}

const categoryLogger = (logger: Logger, category: string, level: LogLevel): Logger =>
  level === 'off'
    ? silentLogger
    : loggerFromLevel(level, loggerWithoutErrors(own(logger, { category }, level)))

const own = (logger: Logger, members: { readonly category: string }, level: LogLevel): Logger =>
  logger.child === undefined
    ? loggerWithMembers(() => members, logger)
    : logger.child(members, { level })
