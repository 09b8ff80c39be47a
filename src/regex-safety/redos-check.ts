/**
 * Checks regular expressions for ReDoS (regular expression denial of service). An expression is checked when it is
 * declared. The check detects expressions for which a backtracking matcher could block the server.
 *
 * An expression is accepted if the number of matching steps grows at most linearly with the length of the string.
 * Otherwise, the string must be short enough that the worst case takes less than 10 milliseconds. Its length can be
 * bounded by a length constraint, by the limit on path segments, or by the expression itself. Expressions with
 * exponential growth are always rejected.
 *
 * The computed number of steps is an upper bound (see `analyze.ts`). The analysis assumes that lookarounds hold, and
 * that a backreference matches any string that the referenced group can match.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Superlinear } from './analyze.ts'
import { analyze } from './analyze.ts'
import * as Parser from './expression-metrics.ts'

/** The reason why an expression is rejected, or is accepted only for short strings. */
export type RegexDiagnostic =
  | { readonly _tag: 'Syntax'; readonly message: string }
  /**
   * The expression contains a backreference. Backreferences are not allowed in path templates, because capturing groups
   * are renumbered when a template is compiled.
   */
  | { readonly _tag: 'Backreference'; readonly part: string }
  /** The expression is not supported by the analysis, or exceeds the limits of the analysis. */
  | { readonly _tag: 'Unsupported'; readonly message: string }
  | Superlinear

/** The maximum length of a string that can safely be matched against an expression, and the reason for this limit. */
export interface LengthLimit {
  /**
   * The length, in UTF-16 code units, of the longest string that can be matched in less than 10 milliseconds.
   * `Infinity` if the length is unlimited or the expression cannot be checked on this platform.
   */
  readonly maxLength: number
  /** The reason for the limit, or `none` if strings of any length are safe. */
  readonly diagnostic: O.Option<RegexDiagnostic>
}

/** The maximum length, in UTF-16 code units, of the part of a path that is matched against an expression. */
export const maxPathLength = 1024

/**
 * Checks a regular expression in a path template. `times` is the maximum number of times that the expression is matched
 * against a single path. Returns `none` if the expression is safe.
 */
export const checkTemplate = (source: string, times = 1): O.Option<RegexDiagnostic> =>
  pipe(
    E.tryCatch(() => new RegExp(source, 'u'), E.toError),
    E.chain(() => E.tryCatch(() => findBackreference(source), E.toError)),
    E.match(
      ({ message }) => O.some({ _tag: 'Syntax', message }),
      O.alt(() => {
        const { maxLength, diagnostic } = lengthLimit(new RegExp(`^(?:${source})$`, 'u'), times)
        return pipe(
          diagnostic,
          O.filter(({ _tag }) => _tag === 'Unsupported' || maxLength < maxPathLength),
        )
      }),
    ),
  )

/** Formats a diagnostic for the author of the expression, without a full stop at the end. */
export const format = (diagnostic: RegexDiagnostic): string => {
  switch (diagnostic._tag) {
    case 'Syntax':
    case 'Unsupported':
      return diagnostic.message
    case 'Backreference':
      return `${diagnostic.part} refers to a capturing group, and capturing groups are renumbered when the template is compiled`
    case 'Exponential':
      return `${diagnostic.part} can match a string such as ${JSON.stringify(diagnostic.pump)} in more than one way, so each repetition of the string can double the matching time`
    case 'Polynomial':
      return `${diagnostic.degree} quantifiers can match the same text, so the matching time can be proportional to the string length raised to the power of ${diagnostic.degree}`
  }
}

/**
 * Returns the remedy for a diagnostic, as a prefix for the text returned by {@link format}. Returns an empty string if
 * that text already implies the remedy.
 */
export const remedy = (diagnostic: RegexDiagnostic): string =>
  diagnostic._tag === 'Polynomial'
    ? 'limit the quantifiers, or make sure that adjacent quantifiers cannot match the same text: '
    : ''

/**
 * Computes the maximum safe string length for an expression that is matched against each string at most `times` times.
 */
export const lengthLimit = (expression: RegExp, times = 1): LengthLimit => {
  if (isObviouslyLinear(expression)) return unlimited
  try {
    const pattern = Parser.parseExpression(expression)
    const { maxLength, superlinear } = analyze(pattern, expression.flags, maxSteps / times)
    return { maxLength, diagnostic: superlinear }
  } catch (error) {
    const { message } = E.toError(error)
    const maxLength = error instanceof Parser.ParserUnavailable ? Infinity : 0
    return { maxLength, diagnostic: O.some({ _tag: 'Unsupported', message }) }
  }
}

const unlimited: LengthLimit = { maxLength: Infinity, diagnostic: O.none }

/**
 * The number of steps that the engine can execute within 10 milliseconds.
 *
 * On a 2024 server processor, V8 executes this many steps in 3 to 8 milliseconds as bytecode, and in 0.5 to 3
 * milliseconds as machine code. V8 starts with bytecode and compiles machine code for the second string.
 */
const maxSteps = 2_700_000

/**
 * Whether a quick test proves that the number of steps grows linearly. The test accepts expressions without repeated
 * groups and with at most one loop, which must follow `^`.
 */
const isObviouslyLinear = ({ source, multiline }: RegExp): boolean => {
  if (/\)[*+{]|\\[1-9kpP]|\(\?<?[=!]|\{\d{3}/.test(source)) return false
  const plain = source.replace(/\(\?(?::|<\w+>)/g, '(')
  const repetitions = plain.match(/[*+?{]/g)?.length ?? 0
  const loops = plain.match(/[*+]|\{\d*,/g)?.length ?? 0
  if (loops === 0) return repetitions <= 4
  return repetitions === 1 && !multiline && plain.startsWith('^') && !plain.includes('|')
}

/** Finds the first backreference. The expression is parsed only if it might contain one. */
const findBackreference = (source: string): O.Option<RegexDiagnostic> => {
  if (!/\\[1-9k]|\(\?/.test(source)) return O.none
  let found: string | undefined
  Parser.visit(Parser.parse(source), {
    onBackreferenceEnter: ({ raw }) => {
      found ??= raw
    },
  })
  return found === undefined ? O.none : O.some({ _tag: 'Backreference', part: found })
}
