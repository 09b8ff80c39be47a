/**
 * Converts regular expressions to the dialect of JSON Schema: ECMA-262 expressions with the flag `u`.
 *
 * The result avoids what other languages interpret differently, so that validators in Python and Rust agree with JavaScript.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-6.4
 */
import type { AST } from '@eslint-community/regexpp'
import { parseExpression } from './expression-metrics.ts'

/**
 * Returns the source of an equivalent expression without flags other than `u`. Returns `undefined` for expressions that have no
 * equivalent, such as backreferences and lookbehinds, and if the parser is not available.
 */
export const portablePattern = (expression: RegExp): string | undefined => {
  try {
    const { flags } = expression
    if (/[^dgimsuy]/.test(flags)) return undefined
    const written = writeAlternatives(parseExpression(expression).alternatives, expression)
    // throws if the result is not an expression with the flag `u`
    return new RegExp(written, 'u').source === '' ? undefined : written
  } catch {
    return undefined
  }
}

type Flags = Pick<RegExp, 'ignoreCase' | 'multiline' | 'dotAll' | 'unicode'>

class Unsupported extends Error {}

const writeAlternatives = (alternatives: ReadonlyArray<AST.Alternative>, flags: Flags): string =>
  alternatives
    .map(({ elements }) => elements.map((element) => writeElement(element, flags)).join(''))
    .join('|')

const writeElement = (element: AST.Element, flags: Flags): string => {
  switch (element.type) {
    case 'Group':
      if (element.modifiers !== null) throw new Unsupported()
      return writeGroup(element, flags)
    case 'CapturingGroup':
      return writeGroup(element, flags)
    case 'Assertion':
      return writeAssertion(element, flags)
    case 'Quantifier':
      return writeQuantifier(element, flags)
    case 'Character':
      return writeCharacter(element.value, flags)
    case 'CharacterSet':
      return element.kind === 'any'
        ? writeAny(flags)
        : `[${element.kind !== 'property' && element.negate ? '^' : ''}${writeSet(element, flags)}]`
    case 'CharacterClass':
      return writeClass(element, flags)
    default:
      throw new Unsupported()
  }
}

/** Writes a group. Groups are needed only for alternatives and quantifiers. */
const writeGroup = (group: AST.Group | AST.CapturingGroup, flags: Flags): string => {
  const written = writeAlternatives(group.alternatives, flags)
  const isNeeded = group.alternatives.length > 1 || group.parent.type === 'Quantifier'
  return isNeeded ? `(${written})` : written
}

const writeAssertion = (assertion: AST.Assertion, flags: Flags): string => {
  switch (assertion.kind) {
    case 'start':
    case 'end':
      if (flags.multiline) throw new Unsupported()
      return assertion.kind === 'start' ? '^' : '$'
    case 'lookahead':
      return `(?${assertion.negate ? '!' : '='}${writeAlternatives(assertion.alternatives, flags)})`
    default:
      // word boundaries depend on Unicode in other languages
      throw new Unsupported()
  }
}

const writeQuantifier = ({ element, min, max, greedy }: AST.Quantifier, flags: Flags): string => {
  if (element.type === 'Assertion') throw new Unsupported()
  const written = writeElement(element, flags)
  return `${written}${quantifier(min, max)}${greedy ? '' : '?'}`
}

const quantifier = (min: number, max: number): string => {
  if (min === 0 && max === Infinity) return '*'
  if (min === 1 && max === Infinity) return '+'
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max === Infinity ? '' : max}}`
}

/** Writes a dot. Without the flag `u`, a dot matches half of a surrogate pair, which only matters for counted dots. */
const writeAny = ({ dotAll }: Flags): string => (dotAll ? '[\\s\\S]' : '[^\\n\\r\\u2028\\u2029]')

const digits = '0-9'
const words = '0-9A-Z_a-z'
const spaces =
  '\\t\\n\\u000B\\f\\r \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF'

/** Writes a set for use inside a character class. Negated sets are written by the caller. */
const writeSet = (
  set: AST.EscapeCharacterSet | AST.UnicodePropertyCharacterSet,
  { ignoreCase, unicode }: Flags,
): string => {
  switch (set.kind) {
    case 'digit':
      return digits
    case 'word':
      // with both flags, U+017F and U+212A are also word characters
      if (ignoreCase && unicode) throw new Unsupported()
      return words
    case 'space':
      return spaces
    case 'property':
      if (ignoreCase) throw new Unsupported()
      return `\\${set.negate ? 'P' : 'p'}{${propertyName(set)}}`
  }
}

/** Returns the name of a property. All languages support general categories without the name of the property. */
const propertyName = ({ key, value }: AST.UnicodePropertyCharacterSet): string => {
  if (value === null) return key
  return key === 'General_Category' || key === 'gc' ? value : `${key}=${value}`
}

const writeClass = (
  node: AST.CharacterClass | AST.ClassRangesCharacterClass,
  flags: Flags,
): string => {
  if (node.unicodeSets) throw new Unsupported()
  const negate = node.negate ? '^' : ''
  if (node.elements.length === 0) return node.negate ? '[\\s\\S]' : '(?!)'
  const written = node.elements.flatMap((element) => writeClassElement(element, flags))
  return `[${negate}${[...new Set(written)].join('')}]`
}

const writeClassElement = (
  element: AST.CharacterClassElement,
  flags: Flags,
): ReadonlyArray<string> => {
  switch (element.type) {
    case 'Character':
      return cases(element.value, flags).map(escapeInClass)
    case 'CharacterClassRange':
      return writeRange(element.min.value, element.max.value, flags)
    case 'CharacterSet':
      if (element.kind !== 'property' && element.negate) throw new Unsupported()
      return [writeSet(element, flags)]
    default:
      throw new Unsupported()
  }
}

/** Writes a range, and the ranges of the letters in the other case. */
const writeRange = (min: number, max: number, flags: Flags): ReadonlyArray<string> => {
  const range = `${escapeInClass(min)}-${escapeInClass(max)}`
  if (!flags.ignoreCase) return [range]
  if (max > 0x7f) throw new Unsupported()
  const others = [
    [0x41, 0x5a, 0x20],
    [0x61, 0x7a, -0x20],
  ].flatMap(([first = 0, last = 0, shift = 0]) => {
    const from = Math.max(min, first)
    const to = Math.min(max, last)
    return from > to ? [] : [`${escapeInClass(from + shift)}-${escapeInClass(to + shift)}`]
  })
  return [range, ...others]
}

const writeCharacter = (code: number, flags: Flags): string => {
  const codes = cases(code, flags)
  return codes.length === 1 ? escapeOutsideClass(code) : `[${codes.map(escapeInClass).join('')}]`
}

/** Returns a character in all letter cases. Only ASCII letters have portable letter cases. */
const cases = (code: number, { ignoreCase, unicode }: Flags): ReadonlyArray<number> => {
  if (!ignoreCase) return [code]
  if (code > 0x7f) throw new Unsupported()
  const isUpper = code >= 0x41 && code <= 0x5a
  const isLower = code >= 0x61 && code <= 0x7a
  if (!isUpper && !isLower) return [code]
  // with the flag `u`, `k` matches the Kelvin sign and `s` the long s
  if (unicode && /[ks]/i.test(String.fromCharCode(code))) throw new Unsupported()
  return isUpper ? [code, code + 0x20] : [code - 0x20, code]
}

const escapeOutsideClass = (code: number): string => escaped(code, /[\\^$.*+?()[\]{}|]/)

const escapeInClass = (code: number): string => escaped(code, /[\\\]^[-]/)

/** Writes a character. Surrogates and control characters are written as escapes. */
const escaped = (code: number, syntax: RegExp): string => {
  const character = String.fromCodePoint(code)
  if (syntax.test(character)) return `\\${character}`
  if (code >= 0xd800 && code <= 0xdfff) throw new Unsupported()
  return code < 0x20 || (code >= 0x7f && code <= 0xffff && !/[\p{L}\p{N}\p{S}]/u.test(character))
    ? `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`
    : character
}
