/** Log levels, the settings that configure levels, and loggers that wrap or filter another logger. */
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { textOrValue } from '../../codec/from-string.ts'
import type { Log, Logger } from '../../endpoint/context.ts'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'off'] as const

/** A log level, in ascending order of severity. `off` disables logging; log lines never have this level. */
export type LogLevel = (typeof levels)[number]

const isLevel = (u: unknown): u is LogLevel => levels.some((level) => level === u)

/** A codec for log levels. Strings are case-insensitive, so `DEBUG` is decoded to `debug`. */
export const logLevel: t.Type<LogLevel, string> = textOrValue(
  'trace, debug, info, warn, error or off',
  isLevel,
  (text) => O.fromPredicate(isLevel)(text.toLowerCase()),
  String,
)

/** Whether a log level is at or above a threshold. */
export const isAtLeast = (level: LogLevel, threshold: LogLevel): boolean =>
  levels.indexOf(level) >= levels.indexOf(threshold)

/** The name of the setting that configures the level of a category. The category name may be in double quotes. */
export type LevelSetting = `fw.log.category.${string}.level`

/** The levels of log categories, by setting name. `levelSetting` returns the setting name for a category. */
export interface LogLevels {
  readonly [name: LevelSetting]: LogLevel
}

/** Returns the name of the setting that configures a category, such as `fw.log.category."access".level` for `access`. */
export const levelSetting = (category: string): LevelSetting =>
  `fw.log.category."${category}".level`

/** Returns the category whose level a setting configures. Returns `undefined` for all other settings. */
export const categoryOf = (name: string): string | undefined =>
  /^fw\.log\.category\.("?)([^"]+)\1\.level$/.exec(name)?.[2]

/** Returns the canonical name of a setting. Adds quotes around the category in a level setting; other names do not change. */
export const canonicalSettingName = (name: string): string => {
  const category = categoryOf(name)
  return category === undefined ? name : levelSetting(category)
}

/** Returns a category name in the form that an environment variable can express, without uppercase letters or punctuation. */
const environmentCategory = (category: string): string =>
  category.toLowerCase().replace(/[^a-z0-9]/g, '_')

/** Returns the level of the first category in `names` for which a level is set, or `fw.log.level` if there is none. */
export const levelOf = (
  settings: LogLevels & { readonly 'fw.log.level': LogLevel },
  ...names: ReadonlyArray<string>
): LogLevel =>
  names
    .flatMap((name) => [
      settings[levelSetting(name)],
      settings[levelSetting(environmentCategory(name))],
    ])
    .find((level) => level !== undefined) ?? settings['fw.log.level']

export type { Log, Logger } from '../../endpoint/context.ts'

const ignore: Log = () => undefined

/** Whether a log function discards its lines. Callers can then skip creating them. */
export const isSilent = (log: Log): boolean => log === ignore

/** A logger that discards all lines. */
export const silentLogger: Logger = {
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
}

/** Creates a logger. `log` returns the log function for each level. */
export const loggerByLevel = (log: (level: Exclude<LogLevel, 'off'>) => Log): Logger => ({
  trace: log('trace'),
  debug: log('debug'),
  info: log('info'),
  warn: log('warn'),
  error: log('error'),
})

/** Wraps a logger and ignores the errors that it throws, so that they do not affect responses. */
export const loggerWithoutErrors = (logger: Logger): Logger =>
  loggerByLevel((level) => (members, message) => {
    try {
      logger[level](members, message)
    } catch {
      // a failing logger cannot log its own error
    }
  })

/** Wraps a logger and discards lines below `threshold`. */
export const loggerFromLevel = (threshold: LogLevel, logger: Logger): Logger =>
  loggerByLevel((level) => (isAtLeast(level, threshold) ? logger[level] : ignore))

/** Wraps a logger and adds members to its lines. If a line already has a member with the same name, that member is kept. */
export const loggerWithMembers = (
  addedMembers: () => Readonly<Record<string, unknown>>,
  logger: Logger,
): Logger =>
  loggerByLevel((level) =>
    logger[level] === ignore
      ? ignore
      : (members, message) => logger[level]({ ...addedMembers(), ...members }, message),
  )
