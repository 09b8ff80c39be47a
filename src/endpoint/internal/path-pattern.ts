/**
 * What a template asks of the segments of a path. A pattern is worked out once, when a tree is compiled; `matcher.ts` tries
 * them.
 */
import * as Percent from '../../http/percent.ts'
import type { Literal, Template, Variable } from './path-template.ts'

/** What one or more segments of a path have to be. */
export type SegmentPattern =
  | { readonly _tag: 'Text'; readonly text: string }
  /** One segment that is not empty. */
  | { readonly _tag: 'One' }
  /** One or more segments that are not empty. */
  | { readonly _tag: 'Rest' }
  /** A text by an expression that holds one group for each variable; it spans segments when the expression is the template's own. */
  | {
      readonly _tag: 'Expression'
      readonly source: string
      readonly expression: RegExp
      readonly groups: number
      readonly spans: boolean
    }

export interface Pattern {
  readonly segments: ReadonlyArray<SegmentPattern>
  /** The names of its variables, in order. */
  readonly names: ReadonlyArray<string>
  /** The same for templates that match the same paths. */
  readonly key: string
  readonly precedence: Precedence
}

/**
 * Of several templates that match a path, the one that is greater in the first of these that differs comes first; but where
 * the literals are equal, a template without variables, which is this very path, comes before all others.
 */
export interface Precedence {
  readonly literals: number
  readonly variables: number
  readonly expressions: number
}

/** The pattern of a template; `spanning` are the variables whose codec takes several segments. */
export const compilePattern = (template: Template, spanning: ReadonlySet<string>): Pattern => {
  const segments = splitSegments(template).map((parts) => segmentPattern(parts, spanning))
  const variables = template.filter((part) => part._tag === 'Variable')
  const literals = template.filter((part) => part._tag === 'Literal')
  return {
    segments,
    names: variables.map(({ name }) => name),
    key: segments.map(segmentKey).join('/'),
    precedence: {
      literals: literals.reduce((sum, { text }) => sum + decodeLiteral(text).length, 0),
      variables: variables.length,
      expressions: variables.filter(({ regex }) => regex !== undefined).length,
    },
  }
}

/** Negative when `a` comes before `b`. */
export const comparePrecedence = (a: Precedence, b: Precedence): number =>
  b.literals - a.literals ||
  Number(a.variables > 0) - Number(b.variables > 0) ||
  b.variables - a.variables ||
  b.expressions - a.expressions

/** A part of a segment. */
export type Part = Literal | Variable

/** The characters that a literal stands for; a percent sign that begins no escape means itself. */
const decodeLiteral = (text: string): string => Percent.decode(text) ?? text

/** The parts between slashes. Empty segments, which only the ends of a template can have, are left out. */
export const splitSegments = (template: Template): ReadonlyArray<ReadonlyArray<Part>> => {
  const segments: Part[][] = []
  let last: Part[] | undefined
  const append = (part: Part): void => {
    if (last === undefined) segments.push((last = [part]))
    else last.push(part)
  }
  template.forEach((part) => {
    if (part._tag === 'Variable') return append(part)
    part.text.split('/').forEach((text, index) => {
      if (index > 0) last = undefined
      if (text !== '') append({ _tag: 'Literal', text })
    })
  })
  return segments
}

const segmentPattern = (
  parts: ReadonlyArray<Part>,
  spanning: ReadonlySet<string>,
): SegmentPattern => {
  const only = parts.length === 1 ? parts[0] : undefined
  if (only?._tag === 'Literal') return { _tag: 'Text', text: decodeLiteral(only.text) }
  if (only?._tag === 'Variable' && only.regex === undefined)
    return spanning.has(only.name) ? { _tag: 'Rest' } : { _tag: 'One' }
  const source = expressionSource(parts)
  return {
    _tag: 'Expression',
    source,
    expression: new RegExp(`^${source}$`, 'u'),
    groups: parts.filter(({ _tag }) => _tag === 'Variable').length,
    spans: spansSegments(parts),
  }
}

/** The expressions of segments in which a variable shares its place with something else. */
export const compositeExpressions = (template: Template): ReadonlyArray<string> =>
  splitSegments(template)
    .filter((parts) => parts.length > 1)
    .map(expressionSource)

/** Groups have names by position, so that groups of the template's own do not shift them. */
const expressionSource = (parts: ReadonlyArray<Part>): string => {
  // in a text of one segment a slash was escaped, and belongs to the value
  const anything = spansSegments(parts) ? '[^/]+?' : '[^]+?'
  return parts
    .map((part, index) => {
      if (part._tag === 'Literal')
        return decodeLiteral(part.text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      const position = parts.slice(0, index).filter(({ _tag }) => _tag === 'Variable').length
      return `(?<${groupName(position)}>${part.regex ?? anything})`
    })
    .join('')
}

const spansSegments = (parts: ReadonlyArray<Part>): boolean =>
  parts.some((part) => part._tag === 'Variable' && part.regex !== undefined)

/** The name of the group of a segment's nth variable. */
export const groupName = (position: number): string => `espalier${position}`

const segmentKey = (segment: SegmentPattern): string => {
  switch (segment._tag) {
    case 'Text':
      return segment.text.replaceAll(/[{}\\/]/g, '\\$&')
    case 'One':
      return '{}'
    case 'Rest':
      return '{+}'
    case 'Expression':
      return `{${segment.source}}`
  }
}
