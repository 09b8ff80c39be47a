/** A logger that writes a JSON object a line. */
import type { Log, Logger } from '../compiler/settings/logger.ts'
import { byLevel } from '../compiler/settings/logger.ts'

/** The UTF-16 code units of a text that are written, and of the stack of an error; longer texts are cut. */
const longest = 1024
const longestStack = 8192

/**
 * Writes an event as one line: the time in UTC, the level, the message, then the members. It writes every level: which ones
 * it gets is decided by `fw.log.level` and `fw.log.category."NAME".level`. Control characters and line separators are
 * escaped, so that a text can neither begin a line of its own nor steer a terminal. Texts are cut after 1024 UTF-16 code
 * units, stacks of errors after 8192.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { jsonLines } from 'espalier/node'
 *
 * const lines: Array<string> = []
 * const logger = jsonLines({ write: (text) => lines.push(text) })
 *
 * logger.warn({ path: '/a\nb' }, 'gone')
 *
 * assert.equal(lines.length, 1)
 * assert.match(lines.join(''), /"level":"warn","message":"gone","path":"\/a\\nb"\}\n$/)
 * ```
 */
export const jsonLines = (out: { readonly write: (text: string) => unknown }): Logger =>
  byLevel((level): Log => (members, message) => {
    const own = { time: new Date().toISOString(), level, message }
    out.write(`${escape(line(own, members))}\n`)
  })

type Members = Readonly<Record<string, unknown>>

/**
 * Never throws: what JSON cannot hold, such as an error that is its own cause, must not keep the rest from the log. The
 * logger's own members stand first and win over those of the same name.
 */
const line = (own: Members, members: Members): string => {
  try {
    // a member called toJSON is data, not what is to be written in the place of the event
    return JSON.stringify({ ...own, ...members, ...own, toJSON: undefined }, readable)
  } catch {
    const each = Object.keys(members).map((name) => [name, writable(members, name)])
    return JSON.stringify(
      { ...own, ...Object.fromEntries(each), ...own, toJSON: undefined },
      readable,
    )
  }
}

/** A member as data, so that it is not asked again; what it is called where it is none. */
const writable = (members: Members, name: string): unknown => {
  try {
    const value = members[name]
    return tried(() => JSON.parse(JSON.stringify({ value }, readable)).value) ?? described(value)
  } catch {
    return '[unreadable]'
  }
}

const tried = (write: () => unknown): unknown => {
  try {
    return write()
  } catch {
    return undefined
  }
}

const described = (value: unknown): string =>
  value instanceof Error ? String(value.stack) : Object.prototype.toString.call(value)

/** What JSON leaves as it is and some reader takes for a line break or a command (Unicode, C1 controls and line separators). */
const escape = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Errors have no members of their own that JSON would show. */
const readable = (name: string, value: unknown): unknown => {
  if (value instanceof Error)
    return {
      name: value.name,
      message: value.message,
      stack: value.stack,
      ...(value.cause === undefined ? {} : { cause: value.cause }),
    }
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'string' ? cut(value, name === 'stack' ? longestStack : longest) : value
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text
