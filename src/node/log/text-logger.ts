/** A logger that writes text for developers. */
import type { Log, Logger, LogLevel, Members } from '../../compiler/settings/logger.ts'
import { loggerByLevel, loggerWithMembers, mapMembers } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { isError } from '../../http/platform-value.ts'
import { errorLines } from './error-text.ts'
import type { LogOutput } from './json-logger.ts'
import { jsonLogger, plainValue } from './json-logger.ts'
import type { Styles } from './styles.ts'
import { formatMembers, hasColors, stylesOf, visible } from './styles.ts'

/** Options for {@link textLogger}. */
export interface TextLoggerOptions {
  /** Whether to write colours. Default: `false`. */
  readonly colors?: boolean
}

/**
 * Creates a logger that writes text for developers, as servers do by default in the profile `dev`: one line per event with the local
 * time, the level, the category, the message and the other members.
 *
 * Errors follow on further lines, with their own members, `cause` and `errors`. Frames of packages and of Node.js are omitted from stacks,
 * and the source lines of the first frame of the application are shown if its file can be read. With `--enable-source-maps`, these are
 * lines of the TypeScript source.
 *
 * Control characters are escaped, so that a client can neither add lines nor control the terminal.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { textLogger } from 'espalier/node'
 *
 * const lines: Array<string> = []
 * const logger = textLogger({ write: (text) => lines.push(text) })
 *
 * logger.warn({ category: 'server', path: '/a', count: 2 }, 'disconnected')
 *
 * assert.match(lines.join(''), /^[\d:.]+ WARN  server  disconnected  path=\/a count=2\n$/)
 * ```
 */
export const textLogger = (out: LogOutput, { colors = false }: TextLoggerOptions = {}): Logger => {
  const styles = stylesOf(colors)
  return loggerByLevel((level): Log => (members, message) => {
    out.write(
      formatEvent(
        level,
        mapMembers(members, (value) => value),
        message,
        styles,
      ),
    )
  })
}

/** The setting that selects a format. */
export type LogSettings = Pick<Settings, 'fw.log.format'>

/** Returns the default logger, which writes to standard output in the format that the settings select. */
export const defaultLogger = (settings: LogSettings): Logger =>
  createLogger(settings, process.stdout, jsonLogger)

/**
 * Creates a logger for standard output. `createJsonLogger` creates the logger for the format `json`. In text, `origin` is part of each line.
 */
export const createLogger = <O extends LogOutput>(
  { 'fw.log.format': format }: LogSettings,
  out: O,
  createJsonLogger: (out: O) => Logger,
  origin: Members = {},
): Logger => {
  if (format === 'json') return createJsonLogger(out)
  const logger = textLogger(out, { colors: hasColors(process.stdout, process.env) })
  return loggerWithMembers(() => origin, logger)
}

/** Members of the access log that are also in its message. */
const accessMembers = new Set(['method', 'path', 'status', 'duration', 'address'])

const formatEvent = (
  level: Exclude<LogLevel, 'off'>,
  { category = '', id, ...members }: Members,
  message: string,
  styles: Styles,
): string => {
  const isAccess = category === 'access'
  const others = Object.entries({
    ...members,
    ...(isAccess || message.includes(String(id)) ? {} : { id }),
  })
  const errors = others.filter(([, value]) => isError(value))
  const shown = Object.fromEntries(
    others.filter(
      ([name, value]) =>
        value !== undefined && !isError(value) && !(isAccess && accessMembers.has(name)),
    ),
  )
  const head = `${styles.dim(timeOf(new Date()))} ${styleOf(level, styles)(level.toUpperCase().padEnd(5))}`
  const shortened = visible(String(plainValue(message)))
  const body = [
    ...(category === '' ? [] : [styles.dim(visible(String(category)))]),
    isAccess ? styleOfStatus(members['status'], styles)(shortened) : shortened,
    ...(Object.keys(shown).length === 0 ? [] : [formatMembers(shown, styles)]),
  ]
  const lines = [
    `${head} ${body.join('  ')}`,
    ...errors.flatMap(([, error]) => errorLines(error, styles).map((text) => `  ${text}`)),
  ]
  return `${lines.join('\n')}\n`
}

const timeOf = (date: Date): string =>
  `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`

const styleOf = (level: LogLevel, { red, yellow, green, dim }: Styles) =>
  level === 'error' ? red : level === 'warn' ? yellow : level === 'info' ? green : dim

const styleOfStatus = (status: unknown, { red, yellow, green }: Styles) =>
  typeof status !== 'number' || status >= 500 ? red : status >= 400 ? yellow : green
