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
 * | `/books?page={page}`    | invalid: use `query` instead  |
 *
 * The characters `:`, `*`, `(` and `)` are allowed in a path (RFC 3986, 3.3), and are literal text inside a segment. A segment that consists of
 * syntax of another framework must be percent-encoded, as in `/%2A`, or contain a variable, as in `/({id})`.
 */
import * as E from 'fp-ts/lib/Either.js'

/** The error message for an invalid template, such as `/books/:id`, `/books/[id]`, `/files/*` or `/{id?}`. `never` for other templates. */
export type TemplateError<P extends string> = P extends Suspicious
  ? ErrorIn<P extends `${string}\\${'{' | '}' | '\\'}${string}` ? Unescaped<P> : P>
  : never

/** Templates that can contain an error. Most templates are only compared with this type. */
export type Suspicious =
  | `${string}${'/:' | '/*' | '/[' | '/<' | '/(' | '...' | `{${Foreign | Digit}` | '[}' | '}}' | Unusual}${string}`
  | `${string}${Letter}${'*' | '+'}}${string}`
  | `${':' | '*' | '[' | '<' | '('}${string}`
  | `${string}:${TypeName}}${string}`

/** Characters that variables of other frameworks start with. */
type Foreign = Characters<'}{/:*+#.;&,!|'>

/** Characters that occur in few templates. */
type Unusual = Characters<' !"#$%&\',;=>?@\\^`|~'>

/** The first error in a template. `Text` is the template up to `P`, with `{}` in place of its variables. */
type ErrorIn<P extends string, Text extends string = ''> = P extends `${infer Before}{${infer Rest}`
  ? Before extends `${string}}${string}`
    ? UnexpectedBrace
    : Rest extends `${infer Chunk}}${infer After}`
      ? AfterRegex<Chunk, After> extends infer Next extends string
        ? Next extends '{'
          ? UnclosedBrace
          : [VariableError<Chunk, NameOf<Chunk>>] extends [never]
            ? ErrorIn<Next, `${Text}${Before}{}`>
            : VariableError<Chunk, NameOf<Chunk>>
        : never
      : UnclosedBrace
  : P extends `${string}}${string}`
    ? UnexpectedBrace
    : ErrorInSegments<`${Text}${P}`>

type VariableError<Chunk extends string, Name extends string> = Name extends `${'?' | '&'}${string}`
  ? DeclaredQuery
  : Name extends `${'*' | '+'}${string}` | `${string}${'*' | '+'}` | `${string}...${string}`
    ? SeveralSegments
    : Name extends `${string}?`
      ? OptionalVariable
      : Chunk extends `/:${string}`
        ? OptionalVariable
        : Name extends
              | ''
              | `${string}${' ' | '/' | '{' | '(' | '[' | '<' | Unusual | ')' | ']' | '*' | '+'}${string}`
          ? SingleSegment
          : Chunk extends `${string}:${infer Regex}`
            ? Trim<Regex> extends TypeName
              ? DeclaredType
              : never
            : never

type ErrorInSegments<Text extends string> = Text extends `${infer Segment}/${infer Rest}`
  ? [SegmentError<Segment>] extends [never]
    ? ErrorInSegments<Rest>
    : SegmentError<Segment>
  : SegmentError<Text>

type SegmentError<Segment extends string> = Segment extends `:${Letter | Digit}${string}`
  ? Segment extends `${string}${'*' | '+' | '(.*)' | '(.+)'}`
    ? SeveralSegments
    : Segment extends `${string}?`
      ? OptionalVariable
      : SingleSegment
  : Segment extends `${string}\${}${string}`
    ? SingleSegment
    : Segment extends `${string}?${string}=${string}`
      ? DeclaredQuery
      : Segment extends `${string}{}${string}`
        ? never
        : Segment extends
              | `*${string}`
              | `[${string}...${string}`
              | `<path:${string}`
              | '(.*)'
              | '(.+)'
          ? SeveralSegments
          : Segment extends `[[${string}`
            ? OptionalVariable
            : Segment extends `[${string}` | `<${string}`
              ? SingleSegment
              : Segment extends `(${string})`
                ? `a path has no groups: remove ${Segment}, or write %28`
                : never

type SingleSegment = 'variables are written {id}'
type SeveralSegments = 'a variable for several segments is written {rest:.+}'
type OptionalVariable = 'a variable is required: declare a second path without it'
type DeclaredType = "the type of a variable is a codec: path('/{id}', { id: int })"
type DeclaredQuery = 'declare query parameters with query({ … })'
type UnclosedBrace = 'a brace is not closed: add }'
type UnexpectedBrace = 'a brace is not opened: remove }'

type TypeName = (typeof typeNames)[number]

type Letter = Characters<'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'>
type Digit = Characters<'0123456789'>

type Characters<Text extends string, Before = never> = Text extends `${infer First}${infer Rest}`
  ? Characters<Rest, Before | First>
  : Before

/** A template without the characters after backslashes, which can be braces. */
type Unescaped<P extends string> = P extends `${infer Before}\\${infer _}${infer After}`
  ? `${Before}${Unescaped<After>}`
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
 * The text after a variable. Skips one closing brace for each opening brace in the regular expression of the variable, or returns an opening
 * brace if one of them is not closed.
 */
type AfterRegex<
  Chunk extends string,
  After extends string,
> = Chunk extends `${string}{${infer Inner}`
  ? After extends `${infer Skipped}}${infer Rest}`
    ? AfterRegex<`${Inner}${Skipped}`, Rest>
    : '{'
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
    if (template[at] === '}') return E.left(`unexpected "}" at position ${at}: remove it`)
    const end = closingBrace(template, at)
    if (end < 0) return E.left(`unclosed "{" at position ${at}: add "}"`)
    const text = template.slice(at + 1, end)
    const [, head = '', tail = ''] = /^\s*(.*?)\s*(?::\s*(.*?)\s*)?$/s.exec(text) ?? []
    const remedy = variableRemedy(text, head, tail)
    if (remedy !== undefined) return E.left(`invalid variable "{${text}}": ${remedy}`)
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
  const [invalid] = literals.split('/').flatMap((segment) => segmentError(segment) ?? [])
  return invalid === undefined ? E.right(parts) : E.left(invalid)
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

/** Returns what to write instead of an invalid variable. `head` is the text before the colon, and `tail` the text after it. */
const variableRemedy = (text: string, head: string, tail: string): string | undefined => {
  const name = /[\w-]+/.exec(text)?.[0]
  if (/^[?&]/.test(head)) return declareQuery
  if (/^[*+]|[*+]$|\.{3}/.test(head)) return several(name)
  if (head.endsWith('?') || text.startsWith('/:')) return optional(name)
  if (!/^[\w.-]+$/.test(head))
    return head.startsWith('/') && name !== undefined
      ? `write /{${name}}`
      : 'expected {name} or {name:regex}'
  return isTypeName(tail)
    ? `write {${head}}, and declare its type as a codec, such as int`
    : undefined
}

const declareQuery = 'declare query parameters with query({ … })'

const several = (name = 'rest'): string => `write {${name}:.+} for several segments`

const optional = (name = 'name'): string =>
  `write {${name}}, which is required, and declare a second path without it`

/** Returns the error in a segment with `{}` in place of its variables. */
const segmentError = (segment: string): string | undefined => {
  const [variable, name] = /^(?::(\w+)|[*[<][^{]*$|\([^{]*\)$)/.exec(segment) ?? []
  if (name !== undefined) return `invalid variable ":${name}": ${expressRemedy(segment, name)}`
  if (segment.includes('${}')) return 'invalid variable "${…}": write {…}'
  if (/\?.*=/.test(segment)) return `unexpected "?": ${declareQuery}`
  return variable === undefined
    ? undefined
    : variable.startsWith('(') && !/^\(\.[*+]\)$/.test(variable)
      ? `unexpected group "${variable}": remove it, or write %28`
      : `invalid variable "${variable}": ${bracketRemedy(variable)}`
}

const expressRemedy = (segment: string, name: string): string => {
  if (/(?:[*+]|\(\.[*+]\))$/.test(segment)) return several(name)
  return segment.endsWith('?') ? optional(name) : `write {${name}}`
}

/** Returns what to write instead of a variable in brackets or a wildcard. A name can follow its type, as in `<int:id>`. */
const bracketRemedy = (variable: string): string => {
  const name = /^\W*(?:\w+:)?(\w+)/.exec(variable)?.[1]
  if (/^(?:\*|\[.*\.{3}|<path:|\()/.test(variable))
    return several(/^\*+\W/.test(variable) ? undefined : name)
  return variable.startsWith('[[') ? optional(name) : `write {${name ?? 'name'}}`
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
