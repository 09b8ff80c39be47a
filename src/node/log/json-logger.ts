/** A logger that writes one JSON object per line. */
import type { Log, Logger, Members } from '../../compiler/settings/logger.ts'
import { describeMember, loggerByLevel, mapMembers } from '../../compiler/settings/logger.ts'
import { describeError } from './describe-error.ts'
import { isError, orUndefined } from '../../http/platform-value.ts'

/** Maximum lengths of strings and error stacks, in UTF-16 code units, and maximum number of errors that an error contains. */
interface Limits {
  readonly string: number
  readonly stack: number
  readonly errors: number
}

const fullLimits: Limits = { string: 1024, stack: 8192, errors: 16 }
const shortLimits: Limits = { string: 256, stack: 1024, errors: 2 }

/** Maximum number of bytes that Linux writes to a pipe without mixing them with those of other processes. */
const maxLineSize = 4096

/**
 * Creates a logger that writes each event as one line of JSON. The line contains the UTC time, the level, the message and the
 * members of the event.
 *
 * The logger writes events of all levels. Which events it receives depends on the `fw.log.level` and
 * `fw.log.category."NAME".level` settings.
 *
 * An error is written with its name, message, stack and `cause`, the `errors` of an `AggregateError`, and its own enumerable members,
 * such as `code` and `detail`. Members whose names suggest a request, a response or a secret are omitted.
 *
 * Control characters and line separators are escaped, so that a string cannot start a new line or control a terminal. Strings are
 * truncated to 1024 UTF-16 code units, and error stacks to 8192.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { jsonLogger } from 'espalier/node'
 *
 * const lines: Array<string> = []
 * const logger = jsonLogger({ write: (text) => lines.push(text) })
 *
 * logger.warn({ path: '/a\nb' }, 'disconnected')
 *
 * assert.equal(lines.length, 1)
 * assert.match(lines.join(''), /"level":"warn","message":"disconnected","path":"\/a\\nb"\}\n$/)
 * ```
 */
export const jsonLogger = (out: LogOutput): Logger =>
  loggerByLevel((level): Log => (members, message) => {
    const event = { time: new Date().toISOString(), level, message }
    out.write(serialize(event, members, fullLimits))
  })

/**
 * Creates a logger for one of several processes that write to the same pipe. `origin` identifies the process, and is part of each
 * line.
 *
 * A line has at most 4096 bytes including the line break, because a pipe can mix longer lines of different processes (`PIPE_BUF` in
 * pipe(7)). The strings of a longer line are truncated further. If the line is still too long, the members of the event are
 * replaced with `"truncated":true`.
 */
export const sharedJsonLogger = (out: LogOutput, origin: Members): Logger =>
  loggerByLevel((level): Log => (members, message) => {
    const event = { time: new Date().toISOString(), level, message, ...origin }
    for (const limits of [fullLimits, shortLimits]) {
      const line = serialize(event, members, limits)
      if (Buffer.byteLength(line) <= maxLineSize) return void out.write(line)
    }
    const short = { ...event, message: message.slice(0, shortLimits.string), truncated: true }
    out.write(serialize(short, {}, fullLimits))
  })

/** The destination of log lines, such as `process.stdout`. */
export interface LogOutput {
  readonly write: (text: string) => unknown
}

/**
 * Serializes an event together with its members as a line. The properties of `event` come first and take precedence over members with
 * the same name.
 *
 * Never throws. A member that JSON cannot represent, such as an error that is its own cause, is replaced with a description.
 */
const serialize = (event: Members, members: Members, limits: Limits): string => {
  const replacer = replacerFor(limits)
  const write = (logged: Members): string =>
    // a member called toJSON is data, and must not replace the event
    `${escape(JSON.stringify({ ...event, ...logged, ...event, toJSON: undefined }, replacer))}\n`
  return (
    orUndefined(() => write(members)) ??
    write(mapMembers(members, (value) => serializable(value, replacer)))
  )
}

/** Returns a value as plain data, or a description of the value if it cannot be serialized. */
const serializable = (value: unknown, replacer: Replacer): unknown =>
  orUndefined((): unknown => JSON.parse(JSON.stringify({ value }, replacer)).value) ??
  describeMember(value)

/** Returns a member of an event as the plain data that is logged. Never throws. */
export const plainValue = (value: unknown): unknown =>
  orUndefined(() => serializable(value, replacerFor(fullLimits))) ?? '[unreadable]'

/**
 * Escapes C1 control characters and line separators. JSON allows these characters, but some readers interpret them as line breaks
 * or commands.
 */
const escape = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

type Replacer = (this: unknown, name: string, value: unknown) => unknown

/**
 * Returns a `JSON.stringify` replacer that serializes errors and bigints, and truncates long strings. Without it, error properties would be
 * omitted because they are not enumerable.
 */
const replacerFor = (limits: Limits): Replacer =>
  function (this: unknown, name, value) {
    // the value itself, while `value` is the result of its `toJSON` method if it has one
    const original: unknown = Reflect.get(Object(this), name)
    if (isError(original)) return describeError(original, limits.errors)
    if (typeof value === 'bigint') return value.toString()
    return typeof value === 'string'
      ? truncate(value, name === 'stack' ? limits.stack : limits.string)
      : value
  }

const truncate = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text
