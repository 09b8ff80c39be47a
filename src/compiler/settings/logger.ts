/** Loggers that drop lines: all of them, those that cannot be written, those below a level. */
import type { Log, Logger } from '../../endpoint/context.ts'
import type { Level } from './log-level.ts'
import { reaches } from './log-level.ts'

export type { Log, Logger } from '../../endpoint/context.ts'

const drop: Log = () => undefined

/** Whether lines go nowhere, so that they need not be put together. */
export const isDropped = (log: Log): boolean => log === drop

/** A logger that drops everything. */
export const silent: Logger = { trace: drop, debug: drop, info: drop, warn: drop, error: drop }

/** A logger made of one function for each level. */
export const byLevel = (log: (level: Exclude<Level, 'off'>) => Log): Logger => ({
  trace: log('trace'),
  debug: log('debug'),
  info: log('info'),
  warn: log('warn'),
  error: log('error'),
})

/** The same logger, on which no answer depends: what it throws is dropped. */
export const unfailing = (logger: Logger): Logger =>
  byLevel((level) => (members, message) => {
    try {
      logger[level](members, message)
    } catch {
      // there is nobody left to tell
    }
  })

/** The same logger, without the lines below a level. */
export const from = (least: Level, logger: Logger): Logger =>
  byLevel((level) => (reaches(level, least) ? logger[level] : drop))

/** The same logger, whose lines carry more members: the first there are, so that a line's own of the same name win. */
export const carrying = (more: () => Readonly<Record<string, unknown>>, logger: Logger): Logger =>
  byLevel((level) =>
    logger[level] === drop
      ? drop
      : (members, message) => logger[level]({ ...more(), ...members }, message),
  )
