/**
 * Computes the alphabet of a regular expression: a set of character classes. The expression does not distinguish between
 * the characters in a class.
 *
 * An atom is a part of the expression that matches a single character: a literal, an escape, `.` or a character class.
 * A letter is a class of equivalent characters. Two atoms can match the same character if and only if they share a
 * letter.
 *
 * The atoms are tested against sample characters by the JavaScript engine. Negation, escapes and properties therefore
 * have the same meaning as at run time. Apart from `\p`, character classes and their intersections consist of
 * intervals, each of which begins at a sample character. For `\p`, the samples are dense but incomplete.
 */
import type { AST } from '@eslint-community/regexpp'
import * as Parser from './expression-metrics.ts'

/** A part of an expression that matches a single character. */
export type Atom =
  | AST.Character
  | AST.CharacterSet
  | AST.CharacterClass
  | AST.ExpressionCharacterClass

/** The letters of an expression. A letter is a class of characters that the expression does not distinguish. */
export interface Alphabet {
  /** An example character for each letter. A letter is identified by its index in this array. */
  readonly letters: ReadonlyArray<string>
  /** Maps the source of each atom to the letters that it matches, as a bit set. */
  readonly read: ReadonlyMap<string, bigint>
}

/**
 * Computes the alphabet of an expression with the given flags. The alphabet also distinguishes the characters matched
 * by `additionalAtoms`.
 *
 * Without the `u` or `v` flag, a character is a UTF-16 code unit.
 */
export const of = (
  pattern: AST.Pattern,
  flags = 'u',
  additionalAtoms: ReadonlyArray<string> = [],
): Alphabet => {
  const { atoms, points } = survey(pattern)
  const isUnicode = /[uv]/.test(flags)
  const samples = Array.from(flags.includes('i') ? withOtherCase(points) : points)
    .filter((point) => isUnicode || point <= 0xffff)
    .map((point) => String.fromCodePoint(point))
  const tests = [...atoms, ...additionalAtoms].map(
    (atom) => [atom, new RegExp(`^(?:${atom})$`, flags.replace(/[gmy]/g, ''))] as const,
  )
  const signature = (character: string): string =>
    tests.map(([, test]) => (test.test(character) ? 1 : 0)).join('')
  // the map keeps the last character with each signature, so the preferred characters must come last
  const letters = [
    ...new Map(samples.toReversed().map((character) => [signature(character), character])).values(),
  ]
  const bits = (test: RegExp): bigint =>
    letters.reduce((set, letter, i) => (test.test(letter) ? set | (1n << BigInt(i)) : set), 0n)
  return { letters, read: new Map(tests.map(([atom, test]) => [atom, bits(test)])) }
}

/**
 * Returns `points`, their upper-case and lower-case forms, and the two non-ASCII code points that fold to ASCII
 * letters.
 */
const withOtherCase = (points: ReadonlySet<number>): ReadonlySet<number> => {
  const others = Array.from(points, (point) => String.fromCodePoint(point)).flatMap((text) => [
    text.toLowerCase().codePointAt(0) ?? 0,
    text.toUpperCase().codePointAt(0) ?? 0,
  ])
  return new Set([...others, 0x17f, 0x212a, ...points])
}

const survey = (
  pattern: AST.Pattern,
): { readonly atoms: ReadonlySet<string>; readonly points: ReadonlySet<number> } => {
  const atoms = new Set<string>()
  const points = new Set([...preferred, ...fixed])
  const addAtom = (node: Atom): void => {
    if (node.parent?.type === 'Alternative' || node.parent?.type === 'Quantifier')
      atoms.add(node.raw) // all other nodes are members of a class
  }
  Parser.visit(pattern, {
    onCharacterEnter: (node) => {
      addAtom(node)
      points.add(node.value).add(Math.min(node.value + 1, 0x10ffff))
    },
    onCharacterClassEnter: addAtom,
    onExpressionCharacterClassEnter: addAtom,
    onCharacterSetEnter: (node) => {
      addAtom(node)
      if (node.kind === 'property') for (const point of dense()) points.add(point)
    },
  })
  return { atoms, points }
}

/** Code points of the characters that are preferred as examples, in order of preference. */
const preferred = Array.from('abcdefghijklmnopqrstuvwxyz0123456789', (c) => c.charCodeAt(0))

/**
 * The ASCII characters, and all other characters at which the ranges of `\s`, `\S` and `.` begin or end (ECMA-262, 12.2
 * and 12.3).
 */
const fixed: ReadonlyArray<number> = Array.from(Array(0x81).keys()).concat([
  0xa0, 0xa1, 0x1680, 0x1681, 0x2000, 0x200b, 0x2028, 0x202a, 0x202f, 0x2030, 0x205f, 0x2060,
  0x3000, 0x3001, 0xfeff, 0xff00,
])

/**
 * Returns about 20,000 code points: all code points below U+3000, and every sixteenth code point from there to the end
 * of plane 1.
 */
const dense = (): ReadonlyArray<number> => [
  ...Array(0x3000).keys(),
  ...Array.from({ length: 0x1d00 }, (_, i) => 0x3000 + i * 16),
]
