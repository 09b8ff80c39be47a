/**
 * Reads JSON from octets, under bounds. What it hands over has no member that could reach a prototype: neither own
 * `__proto__` nor `constructor` with a `prototype`, which libraries that merge objects stumble over.
 *
 * Of several members with one name the last one counts, as `JSON.parse` has it (RFC 8259, 4 leaves it open). A number beyond
 * those that there are, which `JSON.parse` makes infinite, is refused; one with more digits than are kept is rounded.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
import * as E from 'fp-ts/lib/Either.js'
import { type JsonBounds, scan } from './json-scanner.ts'
import { reachesPrototype, someValue } from './json-walk.ts'

export type { JsonBounds } from './json-scanner.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A text of at most so many octets is parsed before it is known to keep the bounds. */
const maxUnscanned = 16 * 1024

/**
 * A longer text is not parsed if something in it is not closed: `JSON.parse` would build the whole value before it fails. A
 * shorter one is, because the error of `JSON.parse` has a position.
 */
const minUnclosedCheck = 128 * 1024

/**
 * The value, or in words why there is none. No octets at all are `undefined`. A value that `isExpected` is known to keep the
 * bounds and to have neither dangerous names nor infinite numbers, which saves looking for them: for a text of 1 KB that is a
 * third of the time.
 */
export const parse = (
  octets: Uint8Array,
  bounds: JsonBounds,
  isExpected: (value: unknown) => boolean = () => false,
): E.Either<JsonError, unknown> => {
  if (octets.length === 0) return E.right(undefined)
  const isScanned = octets.length > maxUnscanned
  const early = isScanned ? scanError(octets, bounds) : undefined
  if (early !== undefined) return failure(early)
  let text: string
  try {
    text = utf8.decode(octets)
  } catch {
    return failure((isScanned ? undefined : scanError(octets, bounds)) ?? 'the text is not UTF-8')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const exceeded = isScanned ? undefined : scanError(octets, bounds)
    return exceeded === undefined
      ? failure(describeSyntaxError(error, text), error)
      : failure(exceeded)
  }
  if (isExpected(value)) return E.right(value)
  const exceeded = isScanned ? undefined : scanError(octets, bounds)
  if (exceeded !== undefined) return failure(exceeded)
  if (mayReachPrototype(text) && someValue(value, reachesPrototype)) return failure(notAllowed)
  return large.test(text) && someValue(value, isInfinite) ? failure(outOfRange) : E.right(value)
}

const notAllowed = 'a member has a name that is not allowed'
const outOfRange = 'a number is out of range'

/**
 * An escaped letter of `__proto__` or `constructor`. Other escapes are no reason to look at every member: some clients write all
 * text beyond ASCII in this way.
 */
const escapedLetter = /\\u00[567]/

/** Whether a text may have a member that reaches a prototype. */
const mayReachPrototype = (text: string): boolean =>
  text.includes('__proto__') || text.includes('"constructor"') || escapedLetter.test(text)

/** Why there is no value, in words, and the error that said so, if there is one; its message may quote the text. */
export interface JsonError {
  readonly detail: string
  readonly cause?: unknown
}

/**
 * As {@link parse}, by another reader, whose values may be of any kind. The bounds hold for the text, so they are looked at before
 * it is read. `isExact` tells that its values are trees of JSON without infinite numbers, so that the text shows whether its
 * names are dangerous.
 */
export const parseWith = (
  octets: Uint8Array,
  bounds: JsonBounds,
  read: (text: string) => unknown,
  isExact = false,
): E.Either<JsonError, unknown> => {
  if (octets.length === 0) return E.right(undefined)
  const rejected = scanError(octets, bounds)
  if (rejected !== undefined) return failure(rejected)
  let text: string
  try {
    text = utf8.decode(octets)
  } catch {
    return failure('the text is not UTF-8')
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
      ? 'it is nested too deep'
      : 'it cannot be read'

const failure = (detail: string, cause?: unknown): E.Either<JsonError, never> =>
  E.left(cause === undefined ? { detail } : { detail, cause })

/**
 * What an infinite number needs: an exponent of three digits, or so many digits that one of two is enough. Digits are counted
 * from the first one of a row only: from each of them, it took 100 times as long for rows of 199.
 */
const large = /[eE]\+?\d{3}|(?<!\d)\d{200}/

const isInfinite = (value: unknown): boolean => value === Infinity || value === -Infinity

/** Why a text is not parsed at all. */
const scanError = (octets: Uint8Array, bounds: JsonBounds): string | undefined => {
  // each level and each member takes at least one octet, so a short text cannot exceed anything
  if (octets.length <= bounds.depth && octets.length <= bounds.keys) return undefined
  const rejection = scan(octets, bounds)
  if (rejection?._tag === 'Exceeded') return rejection.detail
  return rejection !== undefined && octets.length > minUnclosedCheck
    ? 'it is not JSON: an array, an object or a string is not closed'
    : undefined
}

/** Where parsing ended, when the message says so; the message itself quotes the text. */
const describeSyntaxError = (error: unknown, text: string): string => {
  const position =
    error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  if (position === undefined) return 'it is not JSON'
  const end = Number(position)
  let line = 1
  let start = 0
  for (;;) {
    const lineFeed = text.indexOf('\n', start)
    if (lineFeed < 0 || lineFeed >= end) break
    line++
    start = lineFeed + 1
  }
  return `it is not JSON from line ${line}, column ${end - start + 1}`
}
