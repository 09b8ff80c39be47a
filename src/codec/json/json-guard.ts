/**
 * Guards `JSON.parse`: limits the nesting depth and the number of members, and rejects members that could change a prototype.
 *
 * JSON is rejected if it contains members that could change a prototype when a library merges objects. These are own
 * `__proto__` members, and `constructor` members whose value has a `prototype` member.
 *
 * If an object has multiple members with the same name, the last one is used. `JSON.parse` behaves in the same way, and RFC 8259
 * (section 4) allows this behavior. Numbers beyond the range of doubles are rejected. Other numbers are rounded to the nearest
 * double.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
import * as E from 'fp-ts/lib/Either.js'
import { isErrorOf } from '../../http/platform-value.ts'

export interface JsonBounds {
  /** Maximum nesting depth of arrays and objects. */
  readonly depth: number
  /** Maximum number of members in one object. */
  readonly keys: number
}

/** The reason why a scan rejects JSON text. */
export type ScanError =
  | { readonly _tag: 'Exceeded'; readonly detail: string }
  /** An array, object or string is not closed. */
  | { readonly _tag: 'Unclosed' }

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [open, close, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d]

const unclosed: ScanError = { _tag: 'Unclosed' }

/** Used for an array instead of a member count, because the number of elements in an array is not limited. */
const unbounded = -1

/**
 * Checks that JSON text does not exceed the limits, and that all its arrays, objects and strings are closed. If the text is
 * malformed, the member counts can be wrong, but the parser rejects such text in any case.
 *
 * The function makes a single pass over the bytes, and takes about 3 ns per byte. It keeps a counter for each nesting level,
 * because recursion could overflow the stack.
 */
const scan = (bytes: Uint8Array, { depth, keys }: JsonBounds): ScanError | undefined => {
  /** The number of members in each open object, or `unbounded` for each open array. */
  const counts: number[] = []
  let level = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === quote) {
      for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++
      if (i >= bytes.length) return unclosed
    } else if (byte === comma) {
      const count = counts[level - 1] ?? unbounded
      if (count === unbounded) continue
      if (count >= keys) return exceedsBounds(`an object has more than ${keys} members`)
      counts[level - 1] = count + 1
    } else if (byte === open || byte === openArray) {
      if (level === depth) return exceedsBounds(`nested more than ${depth} levels deep`)
      counts[level] = byte === open ? 1 : unbounded
      level++
    } else if ((byte === close || byte === closeArray) && level > 0) level--
  }
  return level === 0 ? undefined : unclosed
}

const exceedsBounds = (detail: string): ScanError => ({ _tag: 'Exceeded', detail })

/**
 * Whether `holds` returns `true` for a value or for one of its descendants.
 *
 * The search is iterative, because recursion could overflow the stack for deeply nested values. If `value` might be cyclic,
 * `seen` is required to record visited objects.
 */
const someValue = (
  value: unknown,
  holds: (value: unknown) => boolean,
  seen?: Set<object>,
): boolean => {
  if (typeof value !== 'object' || value === null) return holds(value)
  const stack: object[] = [value]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (holds(next)) return true
    if (seen?.has(next) === true) continue
    seen?.add(next)
    // arrays are not copied, because JSON arrays have no holes, and copying took most of the time
    const members: ReadonlyArray<unknown> =
      seen === undefined && Array.isArray(next) ? next : Object.values(next)
    for (const member of members) {
      if (typeof member === 'object' && member !== null) stack.push(member)
      else if (holds(member)) return true
    }
  }
  return false
}

/** Whether an object has a member that could cause prototype pollution if a library merges the object into another. */
const reachesPrototype = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.hasOwn(value, '__proto__')) return true
  if (!Object.hasOwn(value, 'constructor')) return false
  const constructor: unknown = Object.getOwnPropertyDescriptor(value, 'constructor')?.value
  return (
    typeof constructor === 'object' &&
    constructor !== null &&
    Object.hasOwn(constructor, 'prototype')
  )
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Maximum size, in bytes, of text that is parsed before the limits are checked. */
const maxUnscanned = 16 * 1024

/**
 * Maximum size, in bytes, of text that is parsed despite an unclosed array, object or string, to find the position of the error.
 * Longer text is rejected without parsing, because `JSON.parse` would build most of the value before it failed.
 */
const minUnclosedCheck = 128 * 1024

/**
 * Parses JSON. Returns `undefined` if the input is empty.
 *
 * `isExpected` must return `true` only for values that are within the limits and contain neither dangerous member names nor
 * infinite numbers. For these values, further checks are skipped, which reduces the parsing time for 1 kB of text by a third.
 */
export const parse = (
  bytes: Uint8Array,
  bounds: JsonBounds,
  isExpected: (value: unknown) => boolean = () => false,
): E.Either<JsonError, unknown> => {
  if (bytes.length === 0) return E.right(undefined)
  const isScanned = bytes.length > maxUnscanned
  const exceededEarly = isScanned ? scanError(bytes, bounds) : undefined
  if (exceededEarly !== undefined) return failure(exceededEarly)
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

/**
 * Matches escape sequences for characters in `__proto__` and `constructor`. Other escape sequences, such as `\u00e9`, are
 * common and are not matched.
 */
const escapedLetter = /\\u00[567]/

/** Whether JSON text might contain a member that could change a prototype. */
const mayReachPrototype = (text: string): boolean =>
  text.includes('__proto__') || text.includes('"constructor"') || escapedLetter.test(text)

/** The reason for rejecting JSON text. The message of `cause` might quote the text. */
export interface JsonError {
  readonly detail: string
  readonly cause?: unknown
}

/**
 * Parses JSON with another library, which can return values of any type. The limits are checked before the text is parsed.
 *
 * `isExact` indicates that the library returns plain JSON values without infinite numbers. In this case, values are searched
 * for dangerous member names only if the text might contain such a name.
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
    const isRejected = (member: unknown): boolean => {
      if (isInfinite(member)) infinite = true
      return reachesPrototype(member)
    }
    if (someValue(value, isRejected, seen)) return failure(notAllowed)
    return infinite ? failure(outOfRange) : E.right(value)
  } catch (error) {
    return failure(reason(error, text), error)
  }
}

const reason = (error: unknown, text: string): string =>
  isErrorOf(error, 'SyntaxError')
    ? describeSyntaxError(error, text)
    : isErrorOf(error, 'RangeError')
      ? 'nested too deeply'
      : 'cannot be parsed'

const failure = (detail: string, cause?: unknown): E.Either<JsonError, never> =>
  E.left(cause === undefined ? { detail } : { detail, cause })

/**
 * Matches text with a three-digit exponent or 200 consecutive digits. Only such text can contain a number that is parsed as
 * infinite. Without the lookbehind, digits would be counted repeatedly. This would take 100 times as long for sequences of 199
 * digits.
 */
const large = /[eE]\+?\d{3}|(?<!\d)\d{200}/

const isInfinite = (value: unknown): boolean => value === Infinity || value === -Infinity

/** Returns the reason why JSON must be rejected before it is parsed, or `undefined` if the JSON can be parsed. */
const scanError = (bytes: Uint8Array, bounds: JsonBounds): string | undefined => {
  // each level and each member takes at least one byte, so short text cannot exceed a limit
  if (bytes.length <= bounds.depth && bytes.length <= bounds.keys) return undefined
  const rejection = scan(bytes, bounds)
  if (rejection?._tag === 'Exceeded') return rejection.detail
  return rejection !== undefined && bytes.length > minUnclosedCheck
    ? 'malformed JSON: unclosed array, object or string'
    : undefined
}

/** Describes the position of a syntax error in the text. The error message is not used, because it quotes the text. */
const describeSyntaxError = (error: unknown, text: string): string => {
  const position = isErrorOf(error, 'SyntaxError')
    ? /at position (\d+)/.exec(error.message)?.[1]
    : undefined
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
