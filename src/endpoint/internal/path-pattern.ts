/**
 * Path patterns: templates compiled to conditions on path segments. Compiled once per template; the router matches
 * them.
 */
import * as Percent from '../../http/percent.ts'
import type { Literal, Template, Variable } from './path-template.ts'

/** The condition on one or more path segments. */
export type SegmentPattern =
  | { readonly _tag: 'Text'; readonly text: string }
  /** One non-empty segment. */
  | { readonly _tag: 'One' }
  /** One or more non-empty segments. */
  | { readonly _tag: 'Rest' }
  /**
   * A regular expression with one group per variable. It spans segments if the template itself contains an expression.
   */
  | {
      readonly _tag: 'Expression'
      readonly source: string
      readonly expression: RegExp
      readonly groups: number
      readonly spans: boolean
    }

/** A compiled template. */
export interface Pattern {
  readonly segments: ReadonlyArray<SegmentPattern>
  /** Names of the variables, in order. */
  readonly names: ReadonlyArray<string>
  /** A key that is equal for templates that match the same paths. */
  readonly key: string
  readonly precedence: Precedence
}

/**
 * Precedence among templates that match a path: the first member that differs decides, and the greater number wins.
 * With equal literals, a template without variables comes first.
 */
export interface Precedence {
  readonly literals: number
  readonly variables: number
  readonly expressions: number
}

/** Compiles a template. `spanning` are the variables whose codec reads several segments. */
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

/** Compares two templates; negative if `a` precedes `b`. */
export const comparePrecedence = (a: Precedence, b: Precedence): number =>
  b.literals - a.literals ||
  Number(a.variables > 0) - Number(b.variables > 0) ||
  b.variables - a.variables ||
  b.expressions - a.expressions

/** A literal or a variable within one segment. */
export type Part = Literal | Variable

/** Decodes the percent-escapes of a literal. A percent sign without a valid escape stays as is. */
const decodeLiteral = (text: string): string => Percent.decode(text) ?? text

/** Splits a template at slashes. Empty segments, which occur only at its ends, are omitted. */
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

/** Returns the expressions of segments that combine a variable with other parts. */
export const compositeExpressions = (template: Template): ReadonlyArray<string> =>
  splitSegments(template)
    .filter((parts) => parts.length > 1)
    .map(expressionSource)

/**
 * Returns the expression of a segment. Its groups are named by position, so that capturing groups in the template do
 * not shift them.
 */
const expressionSource = (parts: ReadonlyArray<Part>): string => {
  // within one segment, a slash was percent-encoded and belongs to the value
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

/** Returns the group name of a segment's variable by position. */
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
