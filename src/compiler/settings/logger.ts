/**
 * Defines log levels, the settings that configure them, loggers that wrap or filter another logger, and the log categories of the
 * framework.
 *
 * The level of a category is configured with the setting
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
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { textOrValue } from '../../codec/from-string.ts'
import { memoizeHeader } from '../../http/headers.ts'
import type { Log, Logger } from '../../endpoint/context.ts'
import { isError, isThenable, orUndefined } from '../../http/platform-value.ts'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'off'] as const

/** A log level. The levels are listed in ascending order of severity. `off` disables logging, and cannot be the level of a log line. */
export type LogLevel = (typeof levels)[number]

const isLevel = (u: unknown): u is LogLevel => levels.some((level) => level === u)

/** A codec for log levels. Decoding is case-insensitive: `DEBUG` is decoded to `debug`. */
export const logLevel: t.Type<LogLevel, string> = textOrValue(
  'trace, debug, info, warn, error or off',
  isLevel,
  (text) => O.fromPredicate(isLevel)(text.toLowerCase()),
  String,
)

/** Whether a log level is at or above a threshold. */
export const isAtLeast = (level: LogLevel, threshold: LogLevel): boolean =>
  levels.indexOf(level) >= levels.indexOf(threshold)

/** The name of the setting that configures the level of a category. The category name can be enclosed in double quotes. */
export type LevelSetting = `fw.log.category.${string}.level`

/** The levels of log categories, keyed by setting name. {@link levelSetting} returns the setting name for a category. */
export interface LogLevels {
  readonly [name: LevelSetting]: LogLevel
}

/** Returns the name of the setting that configures the level of a category, for example `fw.log.category."access".level`. */
export const levelSetting = (category: string): LevelSetting =>
  `fw.log.category."${category}".level`

/** Returns the category whose level is configured by a setting. Returns `undefined` if the setting does not configure a level. */
export const categoryOf = (name: string): string | undefined =>
  /^fw\.log\.category\.("?)([^"]+)\1\.level$/.exec(name)?.[2]

/**
 * Returns the canonical name of a setting. If the setting configures the log level of a category, the category is quoted in the name.
 * Other names are returned unchanged.
 */
export const canonicalSettingName = (name: string): string => {
  const category = categoryOf(name)
  return category === undefined ? name : levelSetting(category)
}

/**
 * Converts a category name to lower case and replaces each character other than a letter or digit with an underscore. Names
 * derived from environment variables have this form.
 */
const environmentCategory = (category: string): string =>
  category.toLowerCase().replace(/[^a-z0-9]/g, '_')

/** The settings that configure levels. */
type LevelSettings = LogLevels & { readonly 'fw.log.level': LogLevel }

/** Returns the level of the first category in `names` for which a level is set. Default: the level in `fw.log.level`. */
export const levelOf = (settings: LevelSettings, ...names: ReadonlyArray<string>): LogLevel =>
  names
    .flatMap((name) => [
      settings[levelSetting(name)],
      settings[levelSetting(environmentCategory(name))],
    ])
    .find((level) => level !== undefined) ?? settings['fw.log.level']

export type { Log, Logger } from '../../endpoint/context.ts'

const ignore: Log = () => undefined

/** Whether a log function discards all lines. If it does, callers need not create the lines. */
export const isSilent = (log: Log): boolean => log === ignore

/** A logger that discards all lines. */
export const silentLogger: Logger = {
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
}

/** Creates a logger. `log` is called once for each level and returns the log function for that level. */
export const loggerByLevel = (log: (level: Exclude<LogLevel, 'off'>) => Log): Logger => ({
  trace: log('trace'),
  debug: log('debug'),
  info: log('info'),
  warn: log('warn'),
  error: log('error'),
})

/** The members of an event. */
export type Members = Readonly<Record<string, unknown>>

/**
 * Wraps a logger and ignores its errors, because they must not affect responses. If it throws an error, the event is logged again with
 * members that any logger can write, since members that cannot be read or serialized are the most frequent reason.
 */
export const loggerWithoutErrors = (logger: Logger): Logger =>
  loggerByLevel((level) => (members, message) => {
    const log = (event: Members): true => {
      const result: unknown = logger[level](event, message)
      // the function of an application can be asynchronous
      if (isThenable(result)) result.then(undefined, () => undefined)
      return true
    }
    if (orUndefined(() => log(members)) === undefined)
      orUndefined(() => log(mapMembers(members, describeMember)))
  })

/**
 * Returns the results of a function for the members of an event. A member that cannot be read, and one for which the function throws, is
 * replaced with `[unreadable]`.
 */
export const mapMembers = (members: Members, map: (value: unknown) => unknown): Members =>
  Object.fromEntries(
    (orUndefined(() => Object.keys(members)) ?? []).map((name) => {
      const mapped = orUndefined(() => ({ value: map(members[name]) }))
      return [name, mapped === undefined ? '[unreadable]' : mapped.value]
    }),
  )

/** Returns a scalar, the stack of an error, or the type of any other value. */
export const describeMember = (value: unknown): unknown => {
  if (isError(value)) return String(value.stack)
  const isScalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isScalar ? value : Object.prototype.toString.call(value)
}

/** Wraps a logger and discards lines whose level is below `threshold`. */
export const loggerFromLevel = (threshold: LogLevel, logger: Logger): Logger =>
  loggerByLevel((level) => (isAtLeast(level, threshold) ? logger[level] : ignore))

/**
 * Wraps a logger and adds members to its lines. Existing members of a line take precedence over added members. Members that cannot be
 * read are described.
 */
export const loggerWithMembers = (addedMembers: () => Members, logger: Logger): Logger =>
  loggerByLevel((level) =>
    logger[level] === ignore
      ? ignore
      : (members, message) => logger[level](withMembers(addedMembers(), members), message),
  )

const withMembers = (added: Members, members: Members): Members =>
  orUndefined(() => ({ ...added, ...members })) ?? {
    ...added,
    ...mapMembers(members, (value) => value),
  }

export const requestCategory = 'request'
export const httpErrorCategory = 'HttpError'
export const parametersCategory = 'parameters'
export const serverCategory = 'server'

/** An alias for the category `HttpError`. */
const alias = 'WebApplicationException'

/** Returns the logger for a category. Errors thrown by the logger are ignored. */
export type LoggerByCategory = (category: string) => Logger

/** Creates a function that returns the logger for a category. Each logger is created on first use. */
export const loggersByCategory = (logger: Logger, settings: LevelSettings): LoggerByCategory => {
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
  orUndefined(() => logger.child?.(members, { level })) ?? loggerWithMembers(() => members, logger)
