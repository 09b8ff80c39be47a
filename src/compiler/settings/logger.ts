/** Loggers that drop lines: all of them, those that cannot be written, those below a level. */
import type { Log, Logger } from '../../endpoint/context.ts'
import type { LogLevel } from './log-level.ts'
import { isAtLeast } from './log-level.ts'

export type { Log, Logger } from '../../endpoint/context.ts'

const drop: Log = () => undefined

/** Whether lines go nowhere, so that they need not be put together. */
export const isSilent = (log: Log): boolean => log === drop

/** A logger that drops everything. */
export const silentLogger: Logger = {
  trace: drop,
  debug: drop,
  info: drop,
  warn: drop,
  error: drop,
}

/** A logger made of one function for each level. */
export const loggerByLevel = (log: (level: Exclude<LogLevel, 'off'>) => Log): Logger => ({
  trace: log('trace'),
  debug: log('debug'),
  info: log('info'),
  warn: log('warn'),
  error: log('error'),
})

/** The same logger, on which no answer depends: what it throws is dropped. */
export const loggerWithoutErrors = (logger: Logger): Logger =>
  loggerByLevel((level) => (members, message) => {
    try {
      logger[level](members, message)
    } catch {
      // there is nobody left to tell
    }
  })

/** The same logger, without the lines below a level. */
export const loggerFromLevel = (least: LogLevel, logger: Logger): Logger =>
  loggerByLevel((level) => (isAtLeast(level, least) ? logger[level] : drop))

/** The same logger, whose lines carry more members: the first there are, so that a line's own of the same name win. */
export const loggerWithMembers = (
  more: () => Readonly<Record<string, unknown>>,
  logger: Logger,
): Logger =>
  loggerByLevel((level) =>
    logger[level] === drop
      ? drop
      : (members, message) => logger[level]({ ...more(), ...members }, message),
  )
