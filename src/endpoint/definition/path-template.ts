/**
 * Path templates, such as `/books/{isbn:\d{13}}/pages/{from}-{to}`.
 *
 * ```text
 * template = *( literal / variable )
 * variable = "{" *SP name [ *SP ":" *SP regex ] *SP "}"     braces inside the regex are balanced
 * name     = 1*( ALPHA / DIGIT / "-" / "_" / "." )         without "..."
 * ```
 *
 * | template                | variables                     |
 * |-------------------------|-------------------------------|
 * | `/plain`                | none                          |
 * | `/{year:[0-9]{4}}/{m}`  | `year` (`[0-9]{4}`), `m`      |
 * | `/{ id : \d+ }`         | `id` (`\d+`)                  |
 * | `/prefix-{id}.{ext}`    | `id`, `ext`                   |
 * | `/books:batch`, `/a*`   | none                          |
 * | `/{id`, `/{}`, `/a}`    | invalid                       |
 * | `/:id`, `/${id}`        | invalid: write `{id}` instead |
 * | `/[id]`, `/<id>`        | invalid: write `{id}` instead |
 * | `/{id?}`, `/:id?`       | invalid: use two paths        |
 * | `/*`, `/{...rest}`      | invalid: write `{rest:.+}`    |
 * | `/{id:int}`             | invalid: use a codec instead  |
 * | `/(group)`              | invalid: remove it            |
 * | `/books(.:format)`      | invalid: use two paths        |
 * | `/books?page={page}`    | invalid: use `query` instead  |
 *
 * The characters `:`, `*`, `(` and `)` are allowed in a path (RFC 3986, 3.3), and are literal text inside a segment. A segment that consists of
 * syntax of another framework must be percent-encoded, as in `/%2A`, or contain a variable, as in `/({id})`.
 */
import * as E from 'fp-ts/lib/Either.js'

/** What to write in place of the syntax of another framework. The compiler and configuration errors state the same remedies. */
const remedies = {
  single: 'variables are written {id}',
  interpolation: 'variables are written {id}; ${…} requires backticks',
  name: 'each variable is written {id}: a name consists of letters, digits, -, _ and .',
  regex: 'regular expressions are written {id:[0-9]+}, without ^ and $',
  several:
    'a variable for one or more segments is written {rest:.+}; for none, declare a second path',
  optional:
    'variables are always required: remove ?, and declare a second path without the variable',
  default: 'a variable has no default value: declare a second path without the variable',
  brackets: 'variables are always required: write {id}, and declare a second path without it',
  optionalSegment:
    'variables are always required: write /{id}, and declare a second path without it',
  slash: 'a variable is written /{id}; a path has no optional parts: declare two paths',
  codec:
    "the type of a variable is a codec, such as int or atLeast(1)(int): path('/{id}', { id: int })",
  query: 'declare query parameters with query({ … })',
  matrix: 'declare matrix parameters with matrix({ … })',
  end: 'a path is always compared to its end: remove {$}',
  parts: 'a path has no optional parts: declare two paths',
  alternatives: 'alternatives are written {name:a|b}, or as several paths',
  group: 'a path has no groups: remove the segment, or write %28 and %29 for ( and )',
  unclosed: 'a brace is not closed: add }',
  unopened: 'a brace is not opened: remove }',
  escape:
    'a brace in a regular expression needs a backslash before it, which is doubled in a string literal',
} as const

/** The remedies, by kind of error. */
export type Remedies = typeof remedies

/** A part of a template. */
export type TemplatePart = Literal | Variable

/** Literal text in a template. The text can contain slashes. */
export interface Literal {
  readonly _tag: 'Literal'
  readonly text: string
}

/** A path variable. */
export interface Variable {
  readonly _tag: 'Variable'
  readonly name: string
  /**
   * Regular expression that the whole value must match. If `undefined`, the value is a non-empty sequence of
   * characters up to the next `/`.
   */
  readonly regex: string | undefined
}

/** A parsed template. */
export type Template = ReadonlyArray<TemplatePart>

/** Parses a template. Returns a `Left` with an error message if the template is invalid. */
export const parse = (template: string): E.Either<string, Template> => {
  const parts: TemplatePart[] = []
  let from = 0
  for (let at = nextBrace(template, from); at >= 0; at = nextBrace(template, from)) {
    if (template[at] === '}')
      return invalid('}', template.slice(from, at).includes(']') ? 'escape' : 'unopened')
    const end = closingBrace(template, at)
    if (end < 0) return invalid(template.slice(at), 'unclosed')
    const text = template.slice(at + 1, end)
    const [, head = '', tail = ''] = /^\s*(.*?)\s*(?::\s*(.*?)\s*)?$/s.exec(text) ?? []
    const remedy = remedyFor(text, head, tail)
    const [before = ''] = /:\w+$/.exec(template.slice(from, at)) ?? []
    if (remedy !== undefined) return invalid(`${before}{${text}}`, remedy)
    if (from < at) parts.push({ _tag: 'Literal', text: template.slice(from, at) })
    parts.push({
      _tag: 'Variable',
      name: head,
      regex: tail === '' ? undefined : tail,
    })
    from = end + 1
  }
  if (from < template.length) parts.push({ _tag: 'Literal', text: template.slice(from) })
  const literals = parts.map((part) => (part._tag === 'Literal' ? part.text : '{}')).join('')
  const [error] = [
    ...rejected(literals, textRules),
    ...literals
      .split('/')
      .filter((segment) => !plainSegment.test(segment))
      .flatMap((segment) =>
        rejected(segment, segment.includes('{}') ? segmentRules : literalSegmentRules),
      ),
  ]
  return error ?? E.right(parts)
}

const invalid = (syntax: string, remedy: keyof Remedies): E.Either<string, never> =>
  E.left(`unexpected "${syntax}": ${remedies[remedy]}`)

/** The names of types that other frameworks allow in place of a regular expression. */
export const typeNames = [
  'int',
  'integer',
  'long',
  'float',
  'double',
  'decimal',
  'number',
  'bool',
  'boolean',
  'str',
  'string',
  'uuid',
  'guid',
  'path',
  'slug',
  'alpha',
  'date',
  'datetime',
] as const

/** Syntax of other frameworks, and the remedy. The first rule that applies is used, as in `TemplateError`. */
type Rules = ReadonlyArray<readonly [syntax: RegExp, remedy: keyof Remedies]>

/** The rules for the text between braces. */
const chunkRules: Rules = [
  [/^\/:/, 'optionalSegment'],
  [/^\s*:/, 'regex'],
]

/** The rules for the text before the colon of a variable. */
const variableRules: Rules = [
  [/^[?&]/, 'query'],
  [/^[[(]|[<\\]/, 'regex'],
  [/^[*+]|[*+]$|\.{3}/, 'several'],
  [/\?$/, 'optional'],
  [/^\$$/, 'end'],
  [/^\//, 'slash'],
  [/=/, 'default'],
  [/^;/, 'matrix'],
  [/^$|[^\w.-]/, 'name'],
]

const typeName = typeNames.join('|')

/** The rules for the text after the colon of a variable. */
const regexRules: Rules = [
  [new RegExp(`^(?:${typeName})\\?$`), 'optional'],
  [new RegExp(`^(?:${typeName})(?::|$)`), 'codec'],
]

/** The rules for a template with `{}` in place of its variables. */
const textRules: Rules = [
  [/[([]\/|\(\.:/, 'parts'],
  [/\(\?/, 'regex'],
]

/** The rules for a segment with `{}` in place of its variables. */
const segmentRules: Rules = [
  [/(?<=^|[-.]):\w.*(?:[*+]|\(\.[*+]\))$/, 'several'],
  [/(?<=^|[-.]):\w.*\?$/, 'optional'],
  [/(?<=^|[-.]):\w.*?\([^)]*\)?/, 'regex'],
  [/(?<=^|[-.]):\w+/, 'single'],
  [/\$\{\}/, 'interpolation'],
  [/\?.*=.*/, 'query'],
]

/** The rules for a segment without variables. */
const literalSegmentRules: Rules = [
  ...segmentRules,
  [/^\*(?=[.-])/, 'single'],
  [/^\*.*/, 'several'],
  [/^\[{1,2}\.{3}[^\]]*\]*|^<path:[^>]*>?|^<[^>]*\.\.>/, 'several'],
  [/^\[\[[^\]]*\]*/, 'brackets'],
  [/^\[[^\]]*=[^\]]*\]?|^<[^>]*:[^>]*>?/, 'codec'],
  [/^\[[^\]]*\]?|^<[^>]*>?/, 'single'],
  [/^\(\.[*+]\)$/, 'several'],
  [/^\(.*\|.*\)$/, 'alternatives'],
  [/^\(.*[\\[*+].*\)$/, 'regex'],
  [/^\(.*\)$/, 'group'],
]

/** No rule applies to such a segment. Without this check, a server with 200 endpoints starts 2% later. */
const plainSegment = /^(?:[\w.~-]|\{\})*$/

/** No rule applies to a variable with such a text. */
const plainVariable = /^[\w-]+$/

const remedyFor = (text: string, head: string, tail: string): keyof Remedies | undefined => {
  if (plainVariable.test(text)) return undefined
  const [, remedy] =
    chunkRules.find(([syntax]) => syntax.test(text)) ??
    variableRules.find(([syntax]) => syntax.test(head)) ??
    regexRules.find(([syntax]) => syntax.test(tail)) ??
    []
  return remedy
}

/** Returns the error message for a text that a rule applies to, or an empty array. */
const rejected = (text: string, rules: Rules): ReadonlyArray<E.Either<string, never>> =>
  rules
    .flatMap(([syntax, remedy]) => {
      const [found] = syntax.exec(text) ?? []
      return found === undefined ? [] : [invalid(found.replaceAll('{}', '{…}'), remedy)]
    })
    .slice(0, 1)

/** Returns the index of the first brace at or after `from`, or -1 if the rest of the template contains no brace. */
const nextBrace = (template: string, from: number): number => {
  const ahead = template.slice(from).search(/[{}]/)
  return ahead < 0 ? -1 : from + ahead
}

/**
 * Returns the index of the brace that closes the brace at `start`, or -1 if the brace is not closed. A character
 * after a backslash is skipped.
 */
const closingBrace = (template: string, start: number): number => {
  let depth = 0
  for (let i = start; i < template.length; i++) {
    if (template[i] === '\\') i++
    else if (template[i] === '{') depth++
    else if (template[i] === '}' && --depth === 0) return i
  }
  return -1
}

/** Returns the variables in a template, in order of appearance. */
export const variables = (template: Template): ReadonlyArray<Variable> =>
  template.filter((part) => part._tag === 'Variable')

/** Joins two templates with exactly one slash between them. If the second template is empty, no slash is added. */
export const join = (first: string, second: string): string => {
  const [left, right] = [first.replace(/\/+$/, ''), second.replace(/^\/+/, '')]
  return right === '' ? left : `${left}/${right}`
}
