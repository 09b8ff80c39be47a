/** A logger that writes a JSON object a line. */
import type { Log, Logger } from '../interpreter/logger.ts'
import { silent } from '../interpreter/logger.ts'

/** The UTF-16 code units of a text that are written; longer texts are cut. */
const longest = 8192

/**
 * Writes an event as one line: the time in UTC, the level, the message, then the members. `trace` and `debug` are dropped.
 * Control characters are escaped by JSON, so that a text cannot begin a line of its own. Texts are cut after 8192 UTF-16
 * code units.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { jsonLines } from 'espalier/node'
 *
 * const lines: Array<string> = []
 * const logger = jsonLines({ write: (text) => lines.push(text) })
 *
 * logger.warn({ path: '/a\nb' }, 'gone')
 * logger.debug({}, 'dropped')
 *
 * assert.equal(lines.length, 1)
 * assert.match(lines.join(''), /"level":"warn","message":"gone","path":"\/a\\nb"\}\n$/)
 * ```
 */
export const jsonLines = (out: { readonly write: (text: string) => unknown }): Logger => {
  const log =
    (level: string): Log =>
    (members, message) => {
      // the logger's own members stand first and win over those of the same name
      const own = { time: new Date().toISOString(), level, message }
      out.write(`${line({ ...own, ...members, ...own })}\n`)
    }
  return { ...silent, info: log('info'), warn: log('warn'), error: log('error') }
}

/** Never throws: what JSON cannot hold, such as an error that is its own cause, must not keep the rest from the log. */
const line = (event: Readonly<Record<string, unknown>>): string => {
  try {
    return JSON.stringify(event, readable)
  } catch {
    const members = Object.entries(event).map(([name, value]) => [name, writable(value)])
    return JSON.stringify(Object.fromEntries(members), readable)
  }
}

const writable = (value: unknown): unknown => {
  try {
    JSON.stringify(value, readable)
    return value
  } catch {
    return value instanceof Error ? value.stack : Object.prototype.toString.call(value)
  }
}

/** Errors have no members of their own that JSON would show. */
const readable = (_: string, value: unknown): unknown => {
  if (value instanceof Error)
    return {
      name: value.name,
      message: value.message,
      stack: value.stack,
      ...(value.cause === undefined ? {} : { cause: value.cause }),
    }
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value
}
