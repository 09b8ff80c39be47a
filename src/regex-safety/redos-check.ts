/**
 * The ReDoS check: finds regular expressions for which a backtracking matcher may take too long, at declaration time, so
 * that no request can block the server.
 *
 * An expression is accepted if its steps grow linearly with the text. If they grow faster, the text must be bounded so that the
 * worst case stays below 10 milliseconds: by a length constraint, by the limit on path segments or by the expression
 * itself. Expressions with exponential growth are always rejected.
 *
 * The steps are an upper bound (`step-growth.ts`). The analysis assumes that lookarounds hold, and that a backreference matches
 * any text of its group.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Superlinear } from './analyze.ts'
import { analyze } from './analyze.ts'
import * as Parser from './parser.ts'

/** Why an expression is rejected, or restricted to short texts. */
export type RegexDiagnostic =
  | { readonly _tag: 'Syntax'; readonly message: string }
  /** Template compilation renumbers captures, so a template must not refer to one. */
  | { readonly _tag: 'Backreference'; readonly part: string }
  /** The analysis does not support the expression, or exceeds its own limits. */
  | { readonly _tag: 'Unsupported'; readonly message: string }
  | Superlinear

/** The longest text that an expression may be tested with. */
export interface LengthLimit {
  /** The longest text, in UTF-16 code units, that takes less than 10 milliseconds; `Infinity` if expressions cannot be checked. */
  readonly maxLength: number
  /** The reason for the limit; `none` if there is no limit. */
  readonly diagnostic: O.Option<RegexDiagnostic>
}

/** The longest text of a path, in UTF-16 code units, that is matched against an expression. */
export const maxPathLength = 1024

/** Checks the expression of a path template. `times` is how often a path is matched against it. Returns `none` if it is safe. */
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

/** Describes a diagnostic for the author of the expression, without a full stop. */
export const format = (diagnostic: RegexDiagnostic): string => {
  switch (diagnostic._tag) {
    case 'Syntax':
    case 'Unsupported':
      return diagnostic.message
    case 'Backreference':
      return `${diagnostic.part} refers to a capture, and captures are renumbered when the template is compiled`
    case 'Exponential':
      return `${diagnostic.part} can match a text such as ${JSON.stringify(diagnostic.pump)} in several ways, so each repetition of the text doubles the time`
    case 'Polynomial':
      return `${diagnostic.degree} repetitions can match parts of the same text, so the time grows with the power ${diagnostic.degree} of its length`
  }
}

/** How to fix the expression, as a prefix of {@link format}; empty if that is obvious. */
export const remedy = (diagnostic: RegexDiagnostic): string =>
  diagnostic._tag === 'Polynomial'
    ? 'bound its repetitions or make adjacent ones distinguishable: '
    : ''

/** Computes the length limit of an expression that is tested `times` times per text. */
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
 * The steps that fit in 10 milliseconds.
 *
 * They take 3 to 8 milliseconds as bytecode, which V8 runs first, on a server processor of 2024. The machine code that V8 compiles for
 * the second text takes 0.5 to 3.
 */
const maxSteps = 2_700_000

/** Whether a quick test proves that the steps are linear: at most one loop, directly after `^`, and no repeated group. */
const isObviouslyLinear = ({ source, multiline }: RegExp): boolean => {
  if (/\)[*+{]|\\[1-9kpP]|\(\?<?[=!]|\{\d{3}/.test(source)) return false
  const plain = source.replace(/\(\?(?::|<\w+>)/g, '(')
  const repetitions = plain.match(/[*+?{]/g)?.length ?? 0
  const loops = plain.match(/[*+]|\{\d*,/g)?.length ?? 0
  if (loops === 0) return repetitions <= 4
  return repetitions === 1 && !multiline && plain.startsWith('^') && !plain.includes('|')
}

/** Finds the first backreference. Parses the expression only if it may contain one. */
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
