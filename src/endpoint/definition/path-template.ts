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

/** The error message for an invalid template, such as `/books/:id`, `/books/[id]`, `/files/*` or `/{id?}`. `never` for other templates. */
export type TemplateError<P extends string> = P extends Suspicious
  ? ErrorIn<WithoutEscapes<P>>
  : never

/** Templates that can contain an error. Most templates are only compared with this type. */
export type Suspicious =
  | `${string}${'/:' | '-:' | '.:' | '/*' | '/[' | '[/' | '/(' | '(/' | '...' | `{${Foreign | Digit}` | '}]' | '}}' | Unusual}${string}`
  | `${string}${Letter}${'*' | '+'}}${string}`
  | `${':' | '*' | '[' | '('}${string}`
  | `${string}:${TypeName}${'}' | '?}' | ':'}${string}`

/** Characters that variables of other frameworks start with. */
type Foreign = Characters<'}{/:*+#.;&,!|[('>

/** Characters that occur in few templates. */
type Unusual = Characters<' !"#$%&\',;<=>?@\\^`|~'>

/** The first error in a template. `Text` is the template up to `P`, with `{}` in place of its variables. */
type ErrorIn<P extends string, Text extends string = ''> = P extends `${infer Before}{${infer Rest}`
  ? Before extends `${string}}${string}`
    ? Unopened<Before>
    : Rest extends `${infer Chunk}}${infer After}`
      ? AfterRegex<Chunk, After> extends infer Next extends string
        ? Next extends '{'
          ? Remedies['unclosed']
          : [VariableError<Chunk, NameOf<Chunk>>] extends [never]
            ? ErrorIn<Next, `${Text}${Before}{}`>
            : VariableError<Chunk, NameOf<Chunk>>
        : never
      : Remedies['unclosed']
  : P extends `${string}}${string}`
    ? Unopened<P>
    : `${Text}${P}` extends `${string}${'(/' | '[/' | '(.:'}${string}`
      ? Remedies['parts']
      : `${Text}${P}` extends `${string}(?${string}`
        ? Remedies['regex']
        : ErrorInSegments<`${Text}${P}`>

type VariableError<Chunk extends string, Name extends string> = Name extends `${'?' | '&'}${string}`
  ? Remedies['query']
  : Name extends `${'[' | '('}${string}` | `${string}${'<' | '\\'}${string}`
    ? Remedies['regex']
    : Name extends `${'*' | '+'}${string}` | `${string}${'*' | '+'}` | `${string}...${string}`
      ? Remedies['several']
      : Name extends `${string}?` | `${string}=${string}`
        ? Remedies['optional']
        : Chunk extends `/:${string}`
          ? Remedies['optionalSegment']
          : Name extends '$'
            ? Remedies['end']
            : Name extends `/${string}`
              ? Remedies['slash']
              : Name extends
                    | ''
                    | `${string}${' ' | '{' | '/' | '(' | '[' | Unusual | ')' | ']' | '*' | '+'}${string}`
                ? Remedies['name']
                : Chunk extends `${string}:${infer Regex}`
                  ? RegexError<Trim<Regex>>
                  : never

type RegexError<Regex extends string> = Regex extends `${TypeName}?`
  ? Remedies['optional']
  : Regex extends TypeName | `${TypeName}:${string}`
    ? Remedies['codec']
    : never

/** The error at a closing brace. In `{id:[}]}`, the first one closes the variable. */
type Unopened<Before extends string> = Before extends `${string}]${string}}${string}`
  ? Remedies['escape']
  : Remedies['unopened']

type ErrorInSegments<Text extends string> = Text extends `${infer Segment}/${infer Rest}`
  ? [SegmentError<Segment>] extends [never]
    ? ErrorInSegments<Rest>
    : SegmentError<Segment>
  : SegmentError<Text>

type SegmentError<Segment extends string> =
  Segment extends `${'' | `${string}${'-' | '.'}`}:${Letter | Digit}${string}`
    ? Segment extends `${string}${'*' | '+' | '(.*)' | '(.+)'}`
      ? Remedies['several']
      : Segment extends `${string}?`
        ? Remedies['optional']
        : Segment extends `${string}:${string}(${string}`
          ? Remedies['regex']
          : Remedies['single']
    : Segment extends `${string}\${}${string}`
      ? Remedies['single']
      : Segment extends `${string}?${string}=${string}`
        ? Remedies['query']
        : Segment extends `${string}{}${string}`
          ? never
          : Segment extends `*${infer Rest}`
            ? Rest extends `${'.' | '-'}${string}`
              ? Remedies['single']
              : Remedies['several']
            : Segment extends `[${string}` | `<${string}`
              ? BracketError<Segment>
              : Segment extends `(${infer Group})`
                ? GroupError<Group>
                : never

type BracketError<Segment extends string> = Segment extends
  | `${'[' | '[['}...${string}`
  | `<path:${string}`
  | `<${string}..>${string}`
  ? Remedies['several']
  : Segment extends `[[${string}`
    ? Remedies['optional']
    : Segment extends `[${string}=${string}` | `<${string}:${string}`
      ? Remedies['codec']
      : Remedies['single']

type GroupError<Group extends string> = Group extends '.*' | '.+'
  ? Remedies['several']
  : Group extends `${string}|${string}`
    ? Remedies['alternatives']
    : Group extends `${string}${'\\' | '[' | '*' | '+'}${string}`
      ? Remedies['regex']
      : Remedies['group']

/** What to write in place of the syntax of another framework. The compiler and configuration errors state the same remedies. */
const remedies = {
  single: 'variables are written {id}',
  name: 'variables are written {id}: a name consists of letters, digits, -, _ and .',
  regex: 'regular expressions are written {id:\\d+}',
  several: 'a variable for several segments is written {rest:.+}',
  optional: 'variables are always required: write {id}, and declare a second path without it',
  optionalSegment:
    'variables are always required: write /{id}, and declare a second path without it',
  slash: 'the slash is written before the variable: /{id}',
  codec: "the type of a variable is a codec: path('/{id}', { id: int })",
  query: 'declare query parameters with query({ … })',
  end: 'a path is always compared to its end: remove {$}',
  parts: 'a path has no optional parts: declare two paths',
  alternatives: 'alternatives are written {name:a|b}, or as several paths',
  group: 'a path has no groups: remove (…), or write %28 and %29',
  unclosed: 'a brace is not closed: add }',
  unopened: 'a brace is not opened: remove }',
  escape: 'a brace in a regular expression is written \\}',
} as const

type Remedies = typeof remedies

type TypeName = (typeof typeNames)[number]

type Letter = Characters<'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'>
type Digit = Characters<'0123456789'>

type Characters<Text extends string, Before = never> = Text extends `${infer First}${infer Rest}`
  ? Characters<Rest, Before | First>
  : Before

// A condition within that of `TemplateError` would make the compiler intersect `Suspicious` with itself: 130,000 types, 5 s of CPU time.
type WithoutEscapes<P extends string> = P extends `${string}\\${'{' | '}' | '\\'}${string}`
  ? Unescaped<P>
  : P

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
    if (template[at] === '}')
      return invalid('}', template.slice(from, at).includes(']') ? 'escape' : 'unopened')
    const end = closingBrace(template, at)
    if (end < 0) return invalid(template.slice(at), 'unclosed')
    const text = template.slice(at + 1, end)
    const [, head = '', tail = ''] = /^\s*(.*?)\s*(?::\s*(.*?)\s*)?$/s.exec(text) ?? []
    const [, remedy] =
      variableRules.find(([syntax]) => syntax.test(head)) ??
      regexRules.find(([syntax]) => syntax.test(tail)) ??
      []
    if (text.startsWith('/:')) return invalid(`{${text}}`, 'optionalSegment')
    if (remedy !== undefined) return invalid(`{${text}}`, remedy)
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
      .flatMap((segment) =>
        rejected(segment, segment.includes('{}') ? segmentRules : literalSegmentRules),
      ),
  ]
  return error ?? E.right(parts)
}

const invalid = (syntax: string, remedy: keyof Remedies): E.Either<string, never> =>
  E.left(`unexpected "${syntax}": ${remedies[remedy]}`)

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

/** Syntax of other frameworks, and the remedy. The first rule that applies is used, as in {@link TemplateError}. */
type Rules = ReadonlyArray<readonly [syntax: RegExp, remedy: keyof Remedies]>

/** The rules for the text before the colon of a variable. */
const variableRules: Rules = [
  [/^[?&]/, 'query'],
  [/^[[(]|[<\\]/, 'regex'],
  [/^[*+]|[*+]$|\.{3}/, 'several'],
  [/\?$|=/, 'optional'],
  [/^\$$/, 'end'],
  [/^\//, 'slash'],
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
  [/\$\{\}/, 'single'],
  [/\?.*=.*/, 'query'],
]

/** The rules for a segment without variables. */
const literalSegmentRules: Rules = [
  ...segmentRules,
  [/^\*(?=[.-])/, 'single'],
  [/^\*.*/, 'several'],
  [/^\[{1,2}\.{3}[^\]]*\]*|^<path:[^>]*>?|^<[^>]*\.\.>/, 'several'],
  [/^\[\[[^\]]*\]*/, 'optional'],
  [/^\[[^\]]*=[^\]]*\]?|^<[^>]*:[^>]*>?/, 'codec'],
  [/^\[[^\]]*\]?|^<[^>]*>?/, 'single'],
  [/^\(\.[*+]\)$/, 'several'],
  [/^\(.*\|.*\)$/, 'alternatives'],
  [/^\(.*[\\[*+].*\)$/, 'regex'],
  [/^\(.*\)$/, 'group'],
]

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
