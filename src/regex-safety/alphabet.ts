/**
 * The characters that the atoms of one regular expression tell apart. An atom is what reads one character: a literal,
 * an escape, `.`, a class. Characters that every atom treats alike are one letter, so that two atoms can read the same
 * character exactly when they share a letter.
 *
 * Why the engine is asked, atom by atom and character by character, and classes are not interpreted here: negation,
 * escapes and properties then mean what they mean at run time. Without `\p` every class is made of intervals that begin at
 * a character that is tried, and so is what two classes have in common; of `\p` there is only a dense sample.
 */
import type { AST } from '@eslint-community/regexpp'
import * as Syntax from './parser.ts'

export type Atom =
  | AST.Character
  | AST.CharacterSet
  | AST.CharacterClass
  | AST.ExpressionCharacterClass

export interface Alphabet {
  /** One character for each letter; a letter is known by its index here. */
  readonly letters: ReadonlyArray<string>
  /** By the text of an atom, the letters that it reads, as a set of bits. */
  readonly read: ReadonlyMap<string, bigint>
}

/**
 * The alphabet of an expression with these flags. `more` are further atoms that the letters have to tell apart.
 * Without `u` and `v` a character is a UTF-16 code unit.
 */
export const of = (
  pattern: AST.Pattern,
  flags = 'u',
  more: ReadonlyArray<string> = [],
): Alphabet => {
  const { atoms, points } = survey(pattern)
  const isUnicode = /[uv]/.test(flags)
  const samples = Array.from(flags.includes('i') ? withOtherCase(points) : points)
    .filter((point) => isUnicode || point <= 0xffff)
    .map((point) => String.fromCodePoint(point))
  const tests = [...atoms, ...more].map(
    (atom) => [atom, new RegExp(`^(?:${atom})$`, flags.replace(/[gmy]/g, ''))] as const,
  )
  const signature = (character: string): string =>
    tests.map(([, test]) => (test.test(character) ? 1 : 0)).join('')
  // Of the characters with the same signature a map keeps the last, so the best come last.
  const letters = [
    ...new Map(samples.toReversed().map((character) => [signature(character), character])).values(),
  ]
  const bits = (test: RegExp): bigint =>
    letters.reduce((set, letter, i) => (test.test(letter) ? set | (1n << BigInt(i)) : set), 0n)
  return { letters, read: new Map(tests.map(([atom, test]) => [atom, bits(test)])) }
}

/** The points and those that differ from them in case, with the two that fold to US-ASCII. */
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
  const meet = (node: Atom): void => {
    if (node.parent?.type === 'Alternative' || node.parent?.type === 'Quantifier')
      atoms.add(node.raw) // others are members of a class
  }
  Syntax.visit(pattern, {
    onCharacterEnter: (node) => {
      meet(node)
      points.add(node.value).add(Math.min(node.value + 1, 0x10ffff))
    },
    onCharacterClassEnter: meet,
    onExpressionCharacterClassEnter: meet,
    onCharacterSetEnter: (node) => {
      meet(node)
      if (node.kind === 'property') for (const point of dense()) points.add(point)
    },
  })
  return { atoms, points }
}

/** What a reader likes to see in an example, best first. */
const preferred = Array.from('abcdefghijklmnopqrstuvwxyz0123456789', (c) => c.charCodeAt(0))

/** US-ASCII, and beyond it the characters at which `\s`, `\S` and `.` begin (ECMA-262, 12.2 and 12.3). */
const fixed: ReadonlyArray<number> = Array.from(Array(0x81).keys()).concat([
  0xa0, 0xa1, 0x1680, 0x1681, 0x2000, 0x200b, 0x2028, 0x202a, 0x202f, 0x2030, 0x205f, 0x2060,
  0x3000, 0x3001, 0xfeff, 0xff00,
])

/** Every script in small use and a sixteenth of the rest, as far as plane 1; 20 000 characters. */
const dense = (): ReadonlyArray<number> => [
  ...Array(0x3000).keys(),
  ...Array.from({ length: 0x1d00 }, (_, i) => 0x3000 + i * 16),
]
