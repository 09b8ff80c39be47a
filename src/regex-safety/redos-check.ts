/**
 * Checks regular expressions for ReDoS (denial of service). When an expression is declared, the check determines whether a
 * backtracking matcher may take too long, so that no request can block the server.
 *
 * An expression is accepted if the number of matching steps grows linearly with the string length. If the number grows faster, the
 * string must be short enough that the worst case takes less than 10 milliseconds. A length constraint, the limit on path segments
 * or the expression itself can bound the string. Expressions with exponential growth are always rejected.
 *
 * The computed number of steps is an upper bound (see `analyze.ts`). The analysis assumes that lookarounds hold, and that a
 * backreference matches any string that the group can match.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Superlinear } from './analyze.ts'
import { analyze } from './analyze.ts'
import * as Parser from './expression-metrics.ts'

/** The reason why an expression is rejected or is restricted to short strings. */
export type RegexDiagnostic =
  | { readonly _tag: 'Syntax'; readonly message: string }
  /**
   * The expression contains a backreference. Templates must not contain backreferences, because template compilation renumbers
   * captures.
   */
  | { readonly _tag: 'Backreference'; readonly part: string }
  /** The analysis does not support the expression, or the expression exceeds the limits of the analysis. */
  | { readonly _tag: 'Unsupported'; readonly message: string }
  | Superlinear

/** The maximum length of the strings that an expression may be tested with. */
export interface LengthLimit {
  /**
   * The length of the longest string that takes less than 10 milliseconds, in UTF-16 code units. `Infinity` if there is no limit
   * or if expressions cannot be checked.
   */
  readonly maxLength: number
  /** The reason for the limit, or `none` if there is no limit. */
  readonly diagnostic: O.Option<RegexDiagnostic>
}

/** The maximum length of the part of a path that is matched against an expression, in UTF-16 code units. */
export const maxPathLength = 1024

/**
 * Checks the regular expression in a path template. Each path is matched against the expression `times` times. Returns `none` if
 * the expression is safe.
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

/** Formats a diagnostic for the author of the expression. The text does not end with a full stop. */
export const format = (diagnostic: RegexDiagnostic): string => {
  switch (diagnostic._tag) {
    case 'Syntax':
    case 'Unsupported':
      return diagnostic.message
    case 'Backreference':
      return `${diagnostic.part} refers to a capturing group, and capturing groups are renumbered when the template is compiled`
    case 'Exponential':
      return `${diagnostic.part} can match a string such as ${JSON.stringify(diagnostic.pump)} in more than one way, so each repetition of it doubles the matching time`
    case 'Polynomial':
      return `${diagnostic.degree} repetitions can match parts of the same string, so the matching time is proportional to the string length to the power of ${diagnostic.degree}`
  }
}

/**
 * Returns the remedy for a diagnostic, to be placed before the text from {@link format}. Returns an empty string if the
 * diagnostic already implies the remedy.
 */
export const remedy = (diagnostic: RegexDiagnostic): string =>
  diagnostic._tag === 'Polynomial'
    ? 'limit its repetitions or make adjacent ones distinguishable: '
    : ''

/** Computes the length limit for an expression. Each string is tested `times` times. */
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
 * The number of steps that fit in 10 milliseconds.
 *
 * On a server processor from 2024, this many steps take 3 to 8 milliseconds as bytecode, which V8 runs first. For the second
 * string, V8 compiles machine code, which takes 0.5 to 3 milliseconds.
 */
const maxSteps = 2_700_000

/**
 * Whether a quick test proves that the number of steps grows linearly. The test accepts expressions without repeated groups and
 * with at most one loop, which must follow `^`.
 */
const isObviouslyLinear = ({ source, multiline }: RegExp): boolean => {
  if (/\)[*+{]|\\[1-9kpP]|\(\?<?[=!]|\{\d{3}/.test(source)) return false
  const plain = source.replace(/\(\?(?::|<\w+>)/g, '(')
  const repetitions = plain.match(/[*+?{]/g)?.length ?? 0
  const loops = plain.match(/[*+]|\{\d*,/g)?.length ?? 0
  if (loops === 0) return repetitions <= 4
  return repetitions === 1 && !multiline && plain.startsWith('^') && !plain.includes('|')
}

/** Finds the first backreference. Parses the expression only if it may contain a backreference. */
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
