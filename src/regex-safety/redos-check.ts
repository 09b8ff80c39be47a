/**
 * The ReDoS check: finds regular expressions for which a backtracking matcher may need too much time, when they are given,
 * so that no request can hold up the server.
 *
 * An expression is accepted if its steps grow no faster than the text. If they grow faster, the text has to be bounded
 * so that the worst case stays under 10 milliseconds: by a length constraint, by the limit on path segments or by the
 * expression itself. Expressions that grow exponentially are always rejected.
 *
 * The steps are an upper bound (`steps.ts`). Lookarounds are taken to hold, and a backreference stands for any text of its
 * group.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Growing } from './analyze.ts'
import { judge } from './analyze.ts'
import * as Syntax from './parser.ts'

/** Why an expression cannot be used. */
export type Objection =
  | { readonly _tag: 'Syntax'; readonly message: string }
  /** Captures are renumbered when a template is compiled, so nothing may refer to one. */
  | { readonly _tag: 'Backreference'; readonly part: string }
  /** The analysis does not know the expression, or does not finish. */
  | { readonly _tag: 'Unsupported'; readonly message: string }
  | Growing

/** What bounds the texts that an expression may be tested with. */
export interface Limit {
  /** The longest text, in UTF-16 code units, that takes less than 10 milliseconds; `Infinity` if expressions cannot be checked. */
  readonly longest: number
  /** Why longer ones take too long; `none` if there is no bound. */
  readonly objection: O.Option<Objection>
}

/** The longest text of a path, in UTF-16 code units, that is matched against an expression. */
export const longestPathText = 1024

/** What is wrong with the expression of a template; `none` for a safe one. A path is matched against it `times` times. */
export const objection = (source: string, times = 1): O.Option<Objection> =>
  pipe(
    E.tryCatch(() => new RegExp(source, 'u'), E.toError),
    E.chain(() => E.tryCatch(() => backreferenceIn(source), E.toError)),
    E.match(
      ({ message }) => O.some({ _tag: 'Syntax', message }),
      O.alt(() => {
        const found = limit(new RegExp(`^(?:${source})$`, 'u'), times)
        return pipe(
          found.objection,
          O.filter(({ _tag }) => _tag === 'Unsupported' || found.longest < longestPathText),
        )
      }),
    ),
  )

/** An objection in words for the author of the expression, without a full stop. */
export const format = (found: Objection): string => {
  switch (found._tag) {
    case 'Syntax':
    case 'Unsupported':
      return found.message
    case 'Backreference':
      return `${found.part} refers to a capture, and captures are renumbered when the template is compiled`
    case 'Exponential':
      return `${found.part} divides a text such as ${JSON.stringify(found.pump)} in several ways, so each repetition of it doubles the time`
    case 'Polynomial':
      return `${found.degree} repetitions can share out one text, so the time grows with the power ${found.degree} of its length`
  }
}

/** How to repair the expression, as a phrase before what {@link format} says; empty if that is obvious. */
export const remedy = (found: Objection): string =>
  found._tag === 'Polynomial' ? 'bound its repetitions or make adjacent ones distinguishable: ' : ''

/** How long the texts may be that an expression is tested with, `times` times each. */
export const limit = (expression: RegExp, times = 1): Limit => {
  if (isPlain(expression)) return unlimited
  try {
    const pattern = Syntax.parseExpression(expression)
    const { longest, growing } = judge(pattern, expression.flags, mostSteps / times)
    return { longest, objection: growing }
  } catch (error) {
    const { message } = E.toError(error)
    const longest = error instanceof Syntax.ParserUnavailable ? Infinity : 0
    return { longest, objection: O.some({ _tag: 'Unsupported', message }) }
  }
}

const unlimited: Limit = { longest: Infinity, objection: O.none }

/**
 * Steps within 10 milliseconds: 3 to 8 milliseconds of bytecode, which V8 runs first, on a server processor of 2024. The machine
 * code that it makes for the second text takes 0.5 to 3.
 */
const mostSteps = 2_700_000

/** Whether a glance shows that the steps are linear: there is one loop at most, after `^`, and no group is repeated. */
const isPlain = ({ source, multiline }: RegExp): boolean => {
  if (/\)[*+{]|\\[1-9kpP]|\(\?<?[=!]|\{\d{3}/.test(source)) return false
  const plain = source.replace(/\(\?(?::|<\w+>)/g, '(')
  const repetitions = plain.match(/[*+?{]/g)?.length ?? 0
  const loops = plain.match(/[*+]|\{\d*,/g)?.length ?? 0
  if (loops === 0) return repetitions <= 4
  return repetitions === 1 && !multiline && plain.startsWith('^') && !plain.includes('|')
}

/** `none` where a glance shows that there is none. */
const backreferenceIn = (source: string): O.Option<Objection> => {
  if (!/\\[1-9k]|\(\?/.test(source)) return O.none
  let found: string | undefined
  Syntax.visit(Syntax.parse(source), {
    onBackreferenceEnter: ({ raw }) => {
      found ??= raw
    },
  })
  return found === undefined ? O.none : O.some({ _tag: 'Backreference', part: found })
}
