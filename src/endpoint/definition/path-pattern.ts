/**
 * Path patterns: path templates compiled to conditions on path segments. Each template is compiled once, and the router
 * matches request paths against the resulting pattern.
 */
import * as Percent from '../../http/percent.ts'
import type { Literal, Template, Variable } from './path-template.ts'

/** A condition that one or more path segments must meet. */
export type SegmentPattern =
  | { readonly _tag: 'Text'; readonly text: string }
  /** Matches one non-empty segment. */
  | { readonly _tag: 'One' }
  /** Matches one or more non-empty segments. */
  | { readonly _tag: 'Rest' }
  /**
   * A regular expression with one group for each variable. If a variable declares its own regular expression, the
   * pattern can match multiple path segments.
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
  /** Names of the variables, in the order in which they appear in the template. */
  readonly names: ReadonlyArray<string>
  /** Key of the template. Templates that match the same paths have the same key. */
  readonly key: string
  readonly precedence: Precedence
}

/**
 * Numbers that determine which template takes precedence if multiple templates match a path. The numbers are compared in
 * the order below, and the greater number takes precedence. If `literals` is equal, a template without variables takes
 * precedence.
 */
export interface Precedence {
  readonly literals: number
  readonly variables: number
  readonly expressions: number
}

/** Compiles a path template to a pattern. `spanning` contains the names of the variables whose codecs read several segments. */
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

/** Compares the precedence of two templates. Returns a negative number if `a` takes precedence over `b`. */
export const comparePrecedence = (a: Precedence, b: Precedence): number =>
  b.literals - a.literals ||
  Number(a.variables > 0) - Number(b.variables > 0) ||
  b.variables - a.variables ||
  b.expressions - a.expressions

/** A literal or a variable in one path segment. */
export type PatternSegment = Literal | Variable

/** Decodes the percent-encoded characters in a literal. If the encoding is malformed, the literal is returned unchanged. */
export const decodeLiteral = (text: string): string => Percent.decode(text) ?? text

/** Splits a template at slashes. Empty segments, which occur only at the start and the end of a template, are omitted. */
export const splitSegments = (template: Template): ReadonlyArray<ReadonlyArray<PatternSegment>> => {
  const segments: PatternSegment[][] = []
  let last: PatternSegment[] | undefined
  const append = (part: PatternSegment): void => {
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
  parts: ReadonlyArray<PatternSegment>,
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

/** Returns the regular expressions for segments that combine a variable with literal text or other variables. */
export const compositeExpressions = (template: Template): ReadonlyArray<string> =>
  splitSegments(template)
    .filter((parts) => parts.length > 1)
    .map(expressionSource)

/**
 * Returns the source text of the regular expression for a segment. The groups for variables are named, because
 * capturing groups in the template would shift the numbers of unnamed groups.
 */
const expressionSource = (parts: ReadonlyArray<PatternSegment>): string => {
  // a slash within one segment was percent-encoded and is part of the value
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

const spansSegments = (parts: ReadonlyArray<PatternSegment>): boolean =>
  parts.some((part) => part._tag === 'Variable' && part.regex !== undefined)

/** Returns the name of the regular expression group for the variable at the given position in a segment. */
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
