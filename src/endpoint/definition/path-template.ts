/**
 * Path templates, such as `/books/{isbn:\d{13}}/pages/{from}-{to}`.
 *
 * ```text
 * template = *( literal / variable )
 * variable = "{" *SP name [ *SP ":" *SP regex ] *SP "}"     braces inside the regex are balanced
 * name     = 1*( ALPHA / DIGIT / "-" / "_" / "." )
 * ```
 *
 * | template                | variables                     |
 * |-------------------------|-------------------------------|
 * | `/plain`                | none                          |
 * | `/{year:[0-9]{4}}/{m}`  | `year` (`[0-9]{4}`), `m`      |
 * | `/{ id : \d+ }`         | `id` (`\d+`)                  |
 * | `/prefix-{id}.{ext}`    | `id`, `ext`                   |
 * | `/{id`, `/{}`, `/a}`    | invalid                       |
 * | `/:id`, `/${id}`        | invalid: write `{id}` instead |
 * | `/books?page={page}`    | invalid: use `query` instead  |
 */
import * as E from 'fp-ts/lib/Either.js'

/** A template with a variable as in Express, such as `/books/:id`. A colon before another character can be part of a regex. */
export type ExpressTemplate = `${'' | `${string}/`}:${Letter}${string}`

/** The names of the variables in a template as in Express. A handler that reads them causes no further errors. */
export type ExpressVariables<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ExpressVariables<`/${More}`>
    : Rest
  : never

type Letter = Characters<'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'>

type Characters<Text extends string, Before = never> = Text extends `${infer First}${infer Rest}`
  ? Characters<Rest, Before | First>
  : Before

/** A union of the names of the variables in a template. */
export type VariablesOf<P extends string> = P extends `${string}{${infer Rest}`
  ? Rest extends `${infer Chunk}}${infer After}`
    ? NameOf<Chunk> | VariablesOf<AfterRegex<Chunk, After>>
    : never
  : never

type NameOf<Chunk extends string> = Chunk extends `${infer Name}:${string}`
  ? Trim<Name>
  : Trim<Chunk>
type Trim<N extends string> = N extends ` ${infer R}`
  ? Trim<R>
  : N extends `${infer L} `
    ? Trim<L>
    : N
/**
 * The text after a variable. Skips one closing brace for each opening brace in the regular expression of the variable.
 */
type AfterRegex<
  Chunk extends string,
  After extends string,
> = Chunk extends `${string}{${infer Inner}`
  ? After extends `${infer Skipped}}${infer Rest}`
    ? AfterRegex<`${Inner}${Skipped}`, Rest>
    : ''
  : After

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
    if (template[at] === '}') return E.left(`unexpected "}" at position ${at}`)
    const end = closingBrace(template, at)
    if (end < 0) return E.left(`unclosed "{" at position ${at}`)
    const inside = /^\s*([\w.-]+)\s*(?::\s*(.*?)\s*)?$/s.exec(template.slice(at + 1, end))
    if (inside === null)
      return E.left(
        `invalid variable "${template.slice(at, end + 1)}": expected {name} or {name:regex}`,
      )
    if (from < at) parts.push({ _tag: 'Literal', text: template.slice(from, at) })
    parts.push({
      _tag: 'Variable',
      name: inside[1] ?? '',
      regex: inside[2] === '' ? undefined : inside[2],
    })
    from = end + 1
  }
  if (from < template.length) parts.push({ _tag: 'Literal', text: template.slice(from) })
  const literals = parts.map((part) => (part._tag === 'Literal' ? part.text : '{}')).join('')
  const colon = /(?:^|\/):(\w+)/.exec(literals)
  if (colon !== null) return E.left(`invalid variable ":${colon[1]}": write {${colon[1]}}`)
  if (literals.includes('${}')) return E.left('invalid variable "${…}": write {…}')
  return /\?[^/]*=/.test(literals)
    ? E.left('unexpected "?": declare query parameters with query({ … })')
    : E.right(parts)
}

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
