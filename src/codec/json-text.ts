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

export interface JsonBounds {
  /** Arrays and objects inside each other. */
  readonly depth: number
  /** Members of one object. */
  readonly keys: number
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A text of at most so many octets is parsed before it is known to keep the bounds. */
const small = 16 * 1024

/**
 * The value, or in words why there is none. No octets at all are `undefined`. A value that `isExpected` is known to keep the
 * bounds and to have neither dangerous names nor infinite numbers, which saves looking for them: for a text of 1 KB that is a
 * third of the time.
 */
export const parse = (
  octets: Uint8Array,
  bounds: JsonBounds,
  isExpected: (value: unknown) => boolean = () => false,
): E.Either<Unparsed, unknown> => {
  if (octets.length === 0) return E.right(undefined)
  const early = octets.length > small ? exceeds(octets, bounds) : undefined
  if (early !== undefined) return unparsed(early)
  let text: string
  try {
    text = utf8.decode(octets)
  } catch {
    return unparsed(exceeds(octets, bounds) ?? 'the text is not UTF-8')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const exceeded = exceeds(octets, bounds)
    return exceeded === undefined ? unparsed(place(error, text), error) : unparsed(exceeded)
  }
  if (isExpected(value)) return E.right(value)
  const exceeded = octets.length > small ? undefined : exceeds(octets, bounds)
  if (exceeded !== undefined) return unparsed(exceeded)
  // an escaped letter could spell the name as well
  const suspicious =
    text.includes('__proto__') || text.includes('"constructor"') || text.includes('\\u')
  if (suspicious && some(value, reachesPrototype))
    return unparsed('a member has a name that is not allowed')
  return large.test(text) && some(value, isInfinite)
    ? unparsed('a number is out of range')
    : E.right(value)
}

/** Why there is no value, in words, and the error that said so, if there is one; its message may quote the text. */
export interface Unparsed {
  readonly detail: string
  readonly cause?: unknown
}

/**
 * As {@link parse}, by another reader, whose values may be of any kind. The bounds hold for the text, so they are looked at before
 * it is read.
 */
export const parseBy = (
  octets: Uint8Array,
  bounds: JsonBounds,
  read: (text: string) => unknown,
): E.Either<Unparsed, unknown> => {
  if (octets.length === 0) return E.right(undefined)
  const exceeded = exceeds(octets, bounds)
  if (exceeded !== undefined) return unparsed(exceeded)
  let text: string
  try {
    text = utf8.decode(octets)
  } catch {
    return unparsed('the text is not UTF-8')
  }
  try {
    const value = read(text)
    if (some(value, reachesPrototype, new Set()))
      return unparsed('a member has a name that is not allowed')
    return some(value, isInfinite, new Set())
      ? unparsed('a number is out of range')
      : E.right(value)
  } catch (error) {
    return unparsed(reason(error, text), error)
  }
}

const reason = (error: unknown, text: string): string =>
  error instanceof SyntaxError
    ? place(error, text)
    : error instanceof RangeError
      ? 'it is nested too deep'
      : 'it cannot be read'

const unparsed = (detail: string, cause?: unknown): E.Either<Unparsed, never> =>
  E.left(cause === undefined ? { detail } : { detail, cause })

/** What a number without end needs: an exponent of three digits, or so many digits that one of two is enough. */
const large = /[eE]\+?\d{3}|\d{200}/

const isInfinite = (value: unknown): boolean => value === Infinity || value === -Infinity

const [quote, backslash, comma, open, close, openArray, closeArray] = [
  0x22, 0x5c, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d,
]

/**
 * Counts without parsing: octets outside strings only. A text that is not JSON may be counted wrongly, and is refused
 * afterwards. One pass of a loop, because a recursive check would itself be the first to overflow.
 */
const exceeds = (octets: Uint8Array, { depth, keys }: JsonBounds): string | undefined => {
  // each level and each member takes at least one octet, so a short text cannot exceed anything
  if (octets.length <= depth && octets.length <= keys) return undefined
  const members: number[] = []
  for (let i = 0; i < octets.length; i++) {
    const octet = octets[i]
    if (octet === quote) {
      for (i++; i < octets.length && octets[i] !== quote; i++) if (octets[i] === backslash) i++
    } else if (octet === open || octet === openArray) {
      if (members.push(octet === open ? 1 : -Infinity) > depth)
        return `it is nested more than ${depth} deep`
    } else if (octet === close || octet === closeArray) members.pop()
    else if (octet === comma) {
      const at = members.length - 1
      const count = (members[at] ?? -Infinity) + 1
      if (count > keys) return `an object has more than ${keys} members`
      members[at] = count
    }
  }
  return undefined
}

/** Where parsing ended, when the message says so; the message itself quotes the text. */
const place = (error: unknown, text: string): string => {
  const position =
    error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  if (position === undefined) return 'it is not JSON'
  const before = text.slice(0, Number(position)).split('\n')
  return `it is not JSON from line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

const reachesPrototype = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.hasOwn(value, '__proto__')) return true
  const constructor: unknown = Object.getOwnPropertyDescriptor(value, 'constructor')?.value
  return (
    typeof constructor === 'object' &&
    constructor !== null &&
    Object.hasOwn(constructor, 'prototype')
  )
}

/**
 * Whether it holds of a value or anything in it. Iterative over a list of what is left to see, so that depth costs no stack. What
 * no text has made may have itself inside: then `seen` keeps what was there.
 */
const some = (value: unknown, holds: (one: unknown) => boolean, seen?: Set<unknown>): boolean => {
  const left: unknown[] = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (holds(next)) return true
    if (typeof next !== 'object' || next === null || seen?.has(next) === true) continue
    seen?.add(next)
    for (const member of Object.values(next)) left.push(member)
  }
  return false
}
