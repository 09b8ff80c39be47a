/**
 * Parses JSON within limits.
 *
 * Parsed values have no members that could reach a prototype when libraries merge objects: neither an own `__proto__`, nor a
 * `constructor` with a `prototype`.
 *
 * The last of several members with the same name is used, like in `JSON.parse` (RFC 8259, 4 allows any). Numbers beyond the
 * range of doubles are rejected; other numbers are rounded.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
import * as E from 'fp-ts/lib/Either.js'
import { type JsonBounds, scan } from './json-scanner.ts'
import { reachesPrototype, someValue } from './json-walk.ts'

export type { JsonBounds } from './json-scanner.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Texts up to this size are parsed before their limits are checked. */
const maxUnscanned = 16 * 1024

/**
 * Above this size, text with an unclosed array, object or string is not parsed, because `JSON.parse` would build the whole
 * value first. Shorter text is parsed, because the error of `JSON.parse` has a position.
 */
const minUnclosedCheck = 128 * 1024

/**
 * Parses JSON. Empty input returns `undefined`.
 *
 * A value for which `isExpected` returns true is within the limits and has neither dangerous names nor infinite numbers.
 * Skipping these checks saves a third of the time for a text of 1 kB.
 */
export const parse = (
  bytes: Uint8Array,
  bounds: JsonBounds,
  isExpected: (value: unknown) => boolean = () => false,
): E.Either<JsonError, unknown> => {
  if (bytes.length === 0) return E.right(undefined)
  const isScanned = bytes.length > maxUnscanned
  const early = isScanned ? scanError(bytes, bounds) : undefined
  if (early !== undefined) return failure(early)
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return failure((isScanned ? undefined : scanError(bytes, bounds)) ?? 'invalid UTF-8')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const exceeded = isScanned ? undefined : scanError(bytes, bounds)
    return exceeded === undefined
      ? failure(describeSyntaxError(error, text), error)
      : failure(exceeded)
  }
  if (isExpected(value)) return E.right(value)
  const exceeded = isScanned ? undefined : scanError(bytes, bounds)
  if (exceeded !== undefined) return failure(exceeded)
  if (mayReachPrototype(text) && someValue(value, reachesPrototype)) return failure(notAllowed)
  return large.test(text) && someValue(value, isInfinite) ? failure(outOfRange) : E.right(value)
}

const notAllowed = 'forbidden member name'
const outOfRange = 'number out of range'

/** An escaped letter of `__proto__` or `constructor`. Other escapes are common: some clients escape all text beyond ASCII. */
const escapedLetter = /\\u00[567]/

/** Whether a text may contain a member that reaches a prototype. */
const mayReachPrototype = (text: string): boolean =>
  text.includes('__proto__') || text.includes('"constructor"') || escapedLetter.test(text)

/** The reason of a failure, and its cause, whose message may quote the text. */
export interface JsonError {
  readonly detail: string
  readonly cause?: unknown
}

/**
 * Parses JSON with another library, whose values may be of any type. Limits are checked before parsing.
 *
 * `isExact` states that the library returns plain JSON values without infinite numbers, so that only suspicious text needs a
 * search for dangerous names.
 */
export const parseWith = (
  bytes: Uint8Array,
  bounds: JsonBounds,
  read: (text: string) => unknown,
  isExact = false,
): E.Either<JsonError, unknown> => {
  if (bytes.length === 0) return E.right(undefined)
  const rejected = scanError(bytes, bounds)
  if (rejected !== undefined) return failure(rejected)
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return failure('invalid UTF-8')
  }
  try {
    const value = read(text)
    if (isExact && !mayReachPrototype(text)) return E.right(value)
    const seen = new Set<object>()
    let infinite = false
    const isRejected = (one: unknown): boolean => {
      if (isInfinite(one)) infinite = true
      return reachesPrototype(one)
    }
    if (someValue(value, isRejected, seen)) return failure(notAllowed)
    return infinite ? failure(outOfRange) : E.right(value)
  } catch (error) {
    return failure(reason(error, text), error)
  }
}

const reason = (error: unknown, text: string): string =>
  error instanceof SyntaxError
    ? describeSyntaxError(error, text)
    : error instanceof RangeError
      ? 'nested too deeply'
      : 'cannot be parsed'

const failure = (detail: string, cause?: unknown): E.Either<JsonError, never> =>
  E.left(cause === undefined ? { detail } : { detail, cause })

/**
 * Matches text that may contain an infinite number: an exponent of three digits, or 200 digits in a row. The lookbehind avoids
 * repeated counting, which took 100 times as long for rows of 199 digits.
 */
const large = /[eE]\+?\d{3}|(?<!\d)\d{200}/

const isInfinite = (value: unknown): boolean => value === Infinity || value === -Infinity

/** Returns the reason to reject a text before parsing. */
const scanError = (bytes: Uint8Array, bounds: JsonBounds): string | undefined => {
  // each level and each member takes at least one byte, so short text cannot exceed a limit
  if (bytes.length <= bounds.depth && bytes.length <= bounds.keys) return undefined
  const rejection = scan(bytes, bounds)
  if (rejection?._tag === 'Exceeded') return rejection.detail
  return rejection !== undefined && bytes.length > minUnclosedCheck
    ? 'malformed JSON: unclosed array, object or string'
    : undefined
}

/** Describes the position of a syntax error. The message of the error is not used, because it quotes the text. */
const describeSyntaxError = (error: unknown, text: string): string => {
  const position =
    error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  if (position === undefined) return 'malformed JSON'
  const end = Number(position)
  let line = 1
  let start = 0
  for (;;) {
    const lineFeed = text.indexOf('\n', start)
    if (lineFeed < 0 || lineFeed >= end) break
    line++
    start = lineFeed + 1
  }
  return `malformed JSON at line ${line}, column ${end - start + 1}`
}
