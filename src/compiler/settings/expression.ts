/**
 * Expressions in values: `${name:default}` stands for the value of a property or an environment variable. This
 * module is the grammar; `resolve.ts` gives the meaning.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/** Text and references, one after another. */
export type ExpressionTemplate = ReadonlyArray<string | PropertyReference>

export interface PropertyReference {
  readonly name: ExpressionTemplate
  /** Stands in when nothing has that name. */
  readonly fallback: O.Option<ExpressionTemplate>
}

/** What has been read of a template whose end has not been seen. */
interface Frame {
  readonly kind: 'text' | 'name' | 'fallback' | 'braces'
  readonly name: ExpressionTemplate
  readonly parts: ExpressionTemplate
  /** What it stands in; nothing around the outermost text. */
  readonly outer: O.Option<Frame>
}

const open = (
  kind: Frame['kind'],
  outer: O.Option<Frame>,
  parts: ExpressionTemplate = [],
): Frame => ({
  kind,
  name: [],
  parts,
  outer,
})

const append = (frame: Frame, ...parts: ExpressionTemplate): Frame => ({
  ...frame,
  parts: [...frame.parts, ...parts],
})

/** What a frame is to the one around it, once its brace is closed. */
const closed: Readonly<Record<Frame['kind'], (frame: Frame) => ExpressionTemplate>> = {
  text: ({ parts }) => [...parts, '}'],
  braces: ({ parts }) => [...parts, '}'],
  name: ({ parts }) => [{ name: parts, fallback: O.none }],
  fallback: ({ name, parts }) => [{ name, fallback: O.some(parts) }],
}

const close = (frame: Frame): Frame =>
  pipe(
    frame.outer,
    O.match(
      () => append(frame, '}'),
      (outer) => append(outer, ...closed[frame.kind](frame)),
    ),
  )

const next = (frame: Frame, token: string): Frame => {
  const brace = token.replace('$${', '${')
  switch (token) {
    case '${':
      return open('name', O.some(frame))
    case '$${':
    case '{':
      return frame.kind === 'text' ? append(frame, brace) : open('braces', O.some(frame), [brace])
    case ':':
      return frame.kind === 'name'
        ? { ...open('fallback', frame.outer), name: frame.parts }
        : append(frame, token)
    case '}':
      return close(frame)
    default:
      return append(frame, token)
  }
}

/**
 * Reads a value; `none` when an expression in it has no end. `$${` is the text `${`. Braces within an expression
 * stand in pairs and are text; braces outside are text in any number.
 *
 * ```text
 * value      = *( expression / char )
 * expression = "${" name [ ":" value ] "}"
 * name       = *( expression / any char but ":" and braces )
 * ```
 */
export const parseExpression = (text: string): O.Option<ExpressionTemplate> =>
  pipe(
    text.match(/\$?\$\{|[{}:$]|[^{}:$]+/g) ?? [],
    (tokens) => tokens.reduce(next, open('text', O.none)),
    O.fromPredicate(({ kind }) => kind === 'text'),
    O.map(({ parts }) => parts),
  )
