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
import type { Level } from './log-level.ts'
import { levelOf } from './log-level.ts'
import type { Logger } from './logger.ts'
import { carrying, from, silent, unfailing } from './logger.ts'
import { remember } from '../../body/memoize-header.ts'
import type { Settings } from './settings.ts'

export const request = 'request'
export const httpError = 'HttpError'
export const parameters = 'parameters'
export const server = 'server'

/** The name that the category of errors with a status has elsewhere. */
const alias = 'WebApplicationException'

/** The loggers of categories. What a logger throws is dropped. */
export type LoggerOf = (category: string) => Logger

/** Prepares the loggers of categories, each when it is first asked for. */
export const loggers = (logger: Logger, settings: Settings): LoggerOf => {
  const made = remember((category = '') => {
    const names = category === httpError ? [category, alias] : [category]
    return categoryLogger(logger, category, levelOf(settings, ...names))
  })
  return (category) => made(category)
}

const categoryLogger = (logger: Logger, category: string, level: Level): Logger =>
  level === 'off' ? silent : from(level, unfailing(own(logger, { category }, level)))

const own = (logger: Logger, members: { readonly category: string }, level: Level): Logger =>
  logger.child === undefined ? carrying(() => members, logger) : logger.child(members, { level })
