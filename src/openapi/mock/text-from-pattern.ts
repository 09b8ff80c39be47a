/** Generates texts that match a regular expression. */
import type { AST } from '../../regex-safety/expression-metrics.ts'
import { ParserUnavailable, parseExpression } from '../../regex-safety/expression-metrics.ts'
import type { Random } from './random.ts'
import { isErrorOf } from '../../http/platform-value.ts'

/** Creates a text. `growth` is the number of repetitions above the minimum of a quantifier. */
export type CreateMatch = (random: Random, growth: number) => string

/** Compiles the pattern of a JSON Schema. Patterns with syntax that requires the `u` flag are compiled with it. */
export const compilePattern = (source: string): RegExp | undefined => {
  for (const flags of ['u', ''])
    try {
      return new RegExp(source, flags)
    } catch {}
  return undefined
}

/**
 * Returns a function that creates texts for an expression, or `undefined` if the expression cannot be parsed. Lookaround
 * assertions and word boundaries are ignored, so the texts must be checked against the expression.
 */
export const textFromPattern = (expression: RegExp): CreateMatch | undefined => {
  try {
    const pattern = parseExpression(expression)
    return (random, growth) =>
      textOf(pattern.alternatives, {
        random,
        growth,
        flags: expression.flags,
        groups: new Map(),
      })
  } catch (error) {
    if (isErrorOf(error, 'SyntaxError') || error instanceof ParserUnavailable) return undefined
    throw error
  }
}

interface Generation {
  readonly random: Random
  readonly growth: number
  readonly flags: string
  /** The texts of the capturing groups, for backreferences. */
  readonly groups: Map<AST.CapturingGroup, string>
}

const textOf = (alternatives: ReadonlyArray<AST.Alternative>, generation: Generation): string => {
  const { random } = generation
  const alternative = alternatives[random.integer(0, alternatives.length - 1)]
  return (alternative?.elements ?? []).map((element) => textOfElement(element, generation)).join('')
}

const textOfElement = (element: AST.Element, generation: Generation): string => {
  const { random, growth, groups } = generation
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterClass':
    case 'CharacterSet':
    case 'ExpressionCharacterClass':
      return character(element.raw, generation)
    case 'Group':
      return textOf(element.alternatives, generation)
    case 'CapturingGroup': {
      const text = textOf(element.alternatives, generation)
      groups.set(element, text)
      return text
    }
    case 'Backreference': {
      const { resolved } = element
      return [resolved].flat().reduce((text, group) => text || (groups.get(group) ?? ''), '')
    }
    case 'Quantifier': {
      const { min, max, element: repeated } = element
      const count = random.integer(min, Math.min(max, min + growth))
      return Array.from({ length: count }, () => textOfElement(repeated, generation)).join('')
    }
    case 'Assertion':
      return ''
  }
}

/** Returns a character that the source of a character class matches. Letters and digits are preferred. */
const character = (source: string, { random, flags }: Generation): string => {
  const expression = new RegExp(`^(?:${source})$`, flags.replace(/[gy]/g, ''))
  for (const candidates of [common, printable, ofClass(source), others()]) {
    const [first, ...rest] = candidates.filter((candidate) => expression.test(candidate))
    if (first !== undefined) return random.pick([first, ...rest])
  }
  return ''
}

const between = (min: number, max: number): ReadonlyArray<string> =>
  Array.from({ length: max - min + 1 }, (_, index) => String.fromCodePoint(min + index))

const common: ReadonlyArray<string> = Array.from('abcdefghijklmnopqrstuvwxyz0123456789')
const printable: ReadonlyArray<string> = between(0x20, 0x7e)

/** The characters of a class, including the limits of its ranges. Escape sequences are evaluated where they are simple. */
const ofClass = (source: string): ReadonlyArray<string> => [
  ...Array.from(source),
  ...[...source.matchAll(/\\u\{?([\da-fA-F]{1,6})\}?|\\x([\da-fA-F]{2})/g)].flatMap(
    ([, long, short]) => {
      const code = Number.parseInt(long ?? short ?? '', 16)
      return code <= 0x10ffff ? [String.fromCodePoint(code)] : []
    },
  ),
]

/** Control characters, and one of 64 characters of the first planes. */
const others = (): ReadonlyArray<string> => [
  ...between(0, 0x1f),
  ...Array.from({ length: 0x20000 / 64 }, (_, index) => String.fromCodePoint(0x7f + index * 64)),
]
