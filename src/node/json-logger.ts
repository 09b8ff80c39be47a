/** A logger that writes one JSON object per line. */
import type { Log, Logger } from '../compiler/settings/logger.ts'
import { loggerByLevel } from '../compiler/settings/logger.ts'

/** Maximum UTF-16 code units of a string, and of the stack of an error. Longer strings are truncated. */
const maxLength = 1024
const maxStackLength = 8192

/**
 * Writes each event as one line: the time in UTC, the level, the message and the members.
 *
 * All levels are written; `fw.log.level` and `fw.log.category."NAME".level` decide which events the logger receives. Control characters
 * and line separators are escaped, so that a string cannot start a new line or control a terminal. Strings are truncated after 1024
 * UTF-16 code units, stacks of errors after 8192.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { jsonLines } from 'espalier/node'
 *
 * const lines: Array<string> = []
 * const logger = jsonLines({ write: (text) => lines.push(text) })
 *
 * logger.warn({ path: '/a\nb' }, 'disconnected')
 *
 * assert.equal(lines.length, 1)
 * assert.match(lines.join(''), /"level":"warn","message":"disconnected","path":"\/a\\nb"\}\n$/)
 * ```
 */
export const jsonLines = (out: { readonly write: (text: string) => unknown }): Logger =>
  loggerByLevel((level): Log => (members, message) => {
    const own = { time: new Date().toISOString(), level, message }
    out.write(`${escape(line(own, members))}\n`)
  })

type Members = Readonly<Record<string, unknown>>

/**
 * Serializes an event. Never throws: a value that JSON cannot represent, such as an error that is its own cause, must not prevent the
 * rest from being logged. The members of the logger come first, and take precedence over those of the same name.
 */
const line = (own: Members, members: Members): string => {
  try {
    // a member called toJSON is data, and must not replace the event
    return JSON.stringify({ ...own, ...members, ...own, toJSON: undefined }, replacer)
  } catch {
    const each = Object.keys(members).map((name) => [name, serializable(members, name)])
    return JSON.stringify(
      { ...own, ...Object.fromEntries(each), ...own, toJSON: undefined },
      replacer,
    )
  }
}

/** Returns a member as plain data, or a description of it if it cannot be serialized. */
const serializable = (members: Members, name: string): unknown => {
  try {
    const value = members[name]
    return (
      orUndefined(() => JSON.parse(JSON.stringify({ value }, replacer)).value) ??
      describeValue(value)
    )
  } catch {
    return '[unreadable]'
  }
}

const orUndefined = (write: () => unknown): unknown => {
  try {
    return write()
  } catch {
    return undefined
  }
}

const describeValue = (value: unknown): string =>
  value instanceof Error ? String(value.stack) : Object.prototype.toString.call(value)

/** Escapes characters that JSON allows, but some readers interpret as line breaks or commands: C1 controls and line separators. */
const escape = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A replacer for errors, whose members are not enumerable, for bigints, and for long strings. */
const replacer = (name: string, value: unknown): unknown => {
  if (value instanceof Error)
    return {
      name: value.name,
      message: value.message,
      stack: value.stack,
      ...(value.cause === undefined ? {} : { cause: value.cause }),
    }
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'string'
    ? truncate(value, name === 'stack' ? maxStackLength : maxLength)
    : value
}

const truncate = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text
