/**
 * The characters that the atoms of one regular expression tell apart. An atom is what reads one character: a literal,
 * an escape, `.`, a class. Characters that every atom treats alike are one letter, so that two atoms can read the same
 * character exactly when they share a letter.
 *
 * Why the engine is asked, atom by atom and character by character, and classes are not interpreted here: negation,
 * escapes and properties then mean what they mean at run time. Every set that can be written without `\p` is a union of
 * intervals that begin and end at one of the characters tried, so nothing escapes; for `\p` the sample is only dense.
 */
import { type AST, visitRegExpAST } from '@eslint-community/regexpp'

export type Atom = AST.Character | AST.CharacterSet | AST.CharacterClass

export interface Alphabet {
  /** One character for each letter; a letter is known by its index here. */
  readonly letters: ReadonlyArray<string>
  /** By the text of an atom, the letters that it reads, as a set of bits. */
  readonly read: ReadonlyMap<string, bigint>
}

/** The alphabet of an expression that compiles with the flag `u`. */
export const of = (pattern: AST.Pattern): Alphabet => {
  const { atoms, samples } = survey(pattern)
  const tests = [...atoms].map((atom) => [atom, new RegExp(`^${atom}$`, 'u')] as const)
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

const survey = (
  pattern: AST.Pattern,
): { readonly atoms: ReadonlySet<string>; readonly samples: ReadonlyArray<string> } => {
  const atoms = new Set<string>()
  const points = new Set([...preferred, ...fixed])
  const meet = (node: Atom): void => {
    if (node.parent?.type === 'Alternative' || node.parent?.type === 'Quantifier')
      atoms.add(node.raw) // others are members of a class
  }
  visitRegExpAST(pattern, {
    onCharacterEnter: (node) => {
      meet(node)
      for (const point of [node.value - 1, node.value, node.value + 1])
        if (point >= 0 && point <= 0x10ffff) points.add(point)
    },
    onCharacterClassEnter: meet,
    onCharacterSetEnter: (node) => {
      meet(node)
      if (node.kind === 'property') for (const point of dense()) points.add(point)
    },
  })
  return { atoms, samples: Array.from(points, (point) => String.fromCodePoint(point)) }
}

/** What a reader likes to see in an example, best first. */
const preferred = Array.from('abcdefghijklmnopqrstuvwxyz0123456789', (c) => c.charCodeAt(0))

/** US-ASCII, and the bounds of `.` and `\s` beyond it (ECMA-262, 12.2 and 12.3). */
const fixed: ReadonlyArray<number> = Array.from(Array(0x80).keys()).concat([
  0xa0, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
])

/** Every script in small use and a sixteenth of the rest, as far as plane 1; 20 000 characters. */
const dense = (): ReadonlyArray<number> => [
  ...Array(0x3000).keys(),
  ...Array.from({ length: 0x1d00 }, (_, i) => 0x3000 + i * 16),
]
