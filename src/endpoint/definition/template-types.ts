/** The variables in the literal type of a path template, and the error that the compiler reports for it. */
import type { Remedies, typeNames } from './path-template.ts'

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
      : Name extends `${string}?`
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
                ? NameError<Chunk, Name>
                : Chunk extends `${string}:${infer Regex}`
                  ? RegexError<Trim<Regex>>
                  : never

type NameError<Chunk extends string, Name extends string> = Name extends `${string}=${string}`
  ? Remedies['default']
  : Name extends `;${string}`
    ? Remedies['matrix']
    : [Name, Chunk] extends ['', `${string}:${string}`]
      ? Remedies['regex']
      : Remedies['name']

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
      ? Remedies['interpolation']
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
    ? Remedies['brackets']
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
