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
 * | `/{id?}`                | invalid: write `{id}` instead |
 * | `/*`, `/{...rest}`      | invalid: write `{rest:.+}`    |
 * | `/{id:int}`             | invalid: use a codec instead  |
 * | `/(group)`              | invalid                       |
 * | `/books?page={page}`    | invalid: use `query` instead  |
 *
 * The characters `:`, `*`, `(` and `)` are allowed in a path (RFC 3986, 3.3), and are literal text inside a segment. A segment that consists of
 * syntax of another framework must be percent-encoded, as in `/%2A`, or contain a variable, as in `/({id})`.
 */
import * as E from 'fp-ts/lib/Either.js'

/**
 * The error message for a template in the syntax of another framework, such as `/books/:id`, `/books/[id]`, `/files/*` or `/{id?}`, or for a
 * query in a template. `never` for other templates.
 */
export type TemplateError<P extends string> = P extends Suspicious
  ? P extends TypedVariable
    ? DeclaredType
    : SegmentError<SegmentsOf<LiteralText<P>>> | NameError<VariablesOf<P>>
  : never

/** Templates that can contain an error. Most templates are only compared with this type. */
export type Suspicious =
  | `${string}${'/:' | '/*' | '/[' | '/<' | '/(' | '${' | '?' | '{*' | '...'}${string}`
  | `${':' | '*' | '[' | '<' | '('}${string}`
  | TypedVariable

type TypedVariable = `${string}:${'' | ' '}${TypeName}}${string}`

type SegmentError<Segment extends string> = Segment extends `:${Letter}${string}`
  ? SingleSegment
  : Segment extends `${string}\${}${string}`
    ? SingleSegment
    : Segment extends `${string}?${string}=${string}`
      ? DeclaredQuery
      : Segment extends `${string}{}${string}`
        ? never
        : Segment extends `*${string}`
          ? SeveralSegments
          : Segment extends `[${string}` | `<${string}` | `(${string})`
            ? SingleSegment
            : never

type NameError<Name extends string> = Name extends `*${string}` | `...${string}` | `${string}...`
  ? SeveralSegments
  : Name extends `${string}?`
    ? SingleSegment
    : never

type SingleSegment = 'variables are written {id}'
type SeveralSegments = 'a variable for several segments is written {rest:.+}'
type DeclaredType = "the type of a variable is a codec: path('/{id}', { id: int })"
type DeclaredQuery = 'declare query parameters with query({ … })'

type TypeName = (typeof typeNames)[number]

/**
 * The error messages for a template with type parameters, of which the compiler knows only the text. The patterns match all templates that
 * have a {@link TemplateError}. Other templates have the type `string`.
 */
export interface GenericTemplate {
  readonly [template: string]: string
  readonly [
    template:
      | SegmentStart<`${`:${Letter}` | '<'}${string}` | Enclosed<'[', ']'> | Enclosed<'(', ')'>>
      | `${string}${'${' | `${Letter}?}`}${string}`
  ]: SingleSegment
  readonly [
    template:
      | `${string}/*`
      | SegmentStart<`*${'/' | '*' | Letter}${string}`>
      | `${string}${'{*' | '{...' | `${Letter}...}`}${string}`
  ]: SeveralSegments
  readonly '*': SeveralSegments
  readonly [template: TypedVariable]: DeclaredType
  readonly [template: `${string}?${Letter}${string}=${string}`]: DeclaredQuery
}

type SegmentStart<Text extends string> = `${'' | `${string}/`}${Text}`

type Enclosed<Start extends string, End extends string> = `${Start}${string}${End}${
  | ''
  | `/${string}`}`

type SegmentsOf<Text extends string> = Text extends `${infer Segment}/${infer Rest}`
  ? Segment | SegmentsOf<Rest>
  : Text

type Letter = Characters<'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'>

type Characters<Text extends string, Before = never> = Text extends `${infer First}${infer Rest}`
  ? Characters<Rest, Before | First>
  : Before

/** A template with `{}` in place of its variables. */
type LiteralText<P extends string> = P extends `${infer Text}{${infer Rest}`
  ? Rest extends `${infer Chunk}}${infer After}`
    ? `${Text}{}${LiteralText<AfterRegex<Chunk, After>>}`
    : P
  : P

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
    const text = template.slice(at + 1, end)
    const inside = /^\s*([\w.-]+)\s*(?::\s*(.*?)\s*)?$/s.exec(text)
    const [, name = '', regex = ''] = inside ?? []
    if (inside === null || name.includes('...') || isTypeName(regex))
      return E.left(`invalid variable "{${text}}": ${variableRemedy(text, name)}`)
    if (from < at) parts.push({ _tag: 'Literal', text: template.slice(from, at) })
    parts.push({
      _tag: 'Variable',
      name,
      regex: regex === '' ? undefined : regex,
    })
    from = end + 1
  }
  if (from < template.length) parts.push({ _tag: 'Literal', text: template.slice(from) })
  const literals = parts.map((part) => (part._tag === 'Literal' ? part.text : '{}')).join('')
  const invalid = literals.split('/').find((segment) => foreignSegment.test(segment))
  if (invalid !== undefined)
    return E.left(`invalid variable "${foreignName(invalid)}": ${segmentRemedy(invalid)}`)
  if (literals.includes('${}')) return E.left('invalid variable "${…}": write {…}')
  return /\?[^/]*=/.test(literals)
    ? E.left('unexpected "?": declare query parameters with query({ … })')
    : E.right(parts)
}

/** The names of types that other frameworks allow in place of a regular expression. */
const typeNames = [
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

const isTypeName = (regex: string): boolean => typeNames.some((name) => name === regex)

const variableRemedy = (text: string, name: string): string => {
  if (text.startsWith('*') || text.endsWith('*') || name.includes('...'))
    return `write {${/\w+/.exec(text)?.[0] ?? 'rest'}:.+} for several segments`
  if (name !== '') return `write {${name}}, and declare its type as a codec, such as int`
  const optional = /^([\w.-]+)\?$/.exec(text)
  return optional === null
    ? 'expected {name} or {name:regex}'
    : `write {${optional[1]}}, and declare another operation for the path without it`
}

/** A segment with a variable or a group of another framework. A segment with a variable of this one starts with a colon. */
const foreignSegment = /^(?::\w|[*[<][^{]*$|\([^{]*\)$)/

const foreignName = (segment: string): string => /^:\w+/.exec(segment)?.[0] ?? segment

const segmentRemedy = (segment: string): string => {
  const name = /\w+(?=\W*$)/.exec(foreignName(segment))?.[0]
  if (segment.startsWith('(')) return `write {name} for a variable, or %28 for a parenthesis`
  return segment.startsWith('*') || segment.includes('...')
    ? `write {${name ?? 'rest'}:.+} for several segments`
    : `write {${name ?? 'name'}}`
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
