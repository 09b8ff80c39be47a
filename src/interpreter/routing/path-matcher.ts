/**
 * Matches a path against all path templates. Templates without parameters are found with a single map lookup. All other templates
 * are found by searching a tree of segments.
 *
 * The search tries all branches, because precedence can be determined only by comparing complete templates. In addition, the first
 * match might not support the method of the request. Each node is tried at most once per position. This limits the work to the
 * number of nodes times the number of segments.
 */
import * as Percent from '../../http/percent.ts'
import { maxPathLength } from '../../regex-safety/redos-check.ts'
import type { CanonicalTemplate } from './canonical-path.ts'
import { canonicalCheck } from './canonical-path.ts'
import type { PathBranch, PathNode, RankedPath } from './path-tree.ts'
import * as PathTree from './path-tree.ts'
import type { PathGroup } from '../../compiler/path-groups.ts'
import { maxSpannedSegments } from '../../compiler/path-groups.ts'
import type { Pattern } from '../../endpoint/definition/path-pattern.ts'
import { comparePrecedence } from '../../endpoint/definition/path-pattern.ts'

/**
 * A path whose segments can be located without creating a string for each segment. A position is the index in `received` at which
 * a segment starts, or the index after the last segment.
 */
export interface IndexedPath {
  /** The path as received, without matrix parameters. */
  readonly received: string
  /** The path with decoded segments. */
  readonly decoded: string
  /** Maps each index in `received` to the corresponding index in `decoded`. `undefined` if both strings are equal. */
  readonly decodedOffsets: ReadonlyMap<number, number> | undefined
}

/** Indexes a path that starts with `/`. Returns `undefined` if a segment cannot be decoded. */
export const indexPath = (path: string): IndexedPath | undefined => {
  const received = path.includes(';') ? path.replace(/;[^/]*/g, '') : path
  return received.includes('%')
    ? decodeSegments(received)
    : { received, decoded: received, decodedOffsets: undefined }
}

const decodeSegments = (received: string): IndexedPath | undefined => {
  const decodedOffsets = new Map<number, number>()
  const texts: string[] = []
  let position = firstPosition
  let offset = firstPosition
  for (const segment of received.slice(firstPosition).split('/')) {
    const text = Percent.decode(segment)
    if (text === undefined) return undefined
    texts.push(text)
    decodedOffsets.set(position, offset)
    position += segment.length + 1
    offset += text.length + 1
  }
  return {
    received,
    decoded: `/${texts.join('/')}`,
    decodedOffsets: decodedOffsets.set(position, offset),
  }
}

/** The position of the first segment. */
export const firstPosition = 1

/** Returns the position after the last segment. */
export const endPosition = ({ received }: IndexedPath): number => received.length + 1

/** Returns the position after the segment at `position`. `position` must not be the end position. */
export const nextPosition = ({ received }: IndexedPath, position: number): number => {
  const end = received.indexOf('/', position)
  return (end < 0 ? received.length : end) + 1
}

/** Converts a position in the path as received to an index in the decoded path. */
export const decodedOffset = ({ decodedOffsets }: IndexedPath, position: number): number =>
  decodedOffsets === undefined ? position : (decodedOffsets.get(position) ?? position)

/** Returns the segments between two positions, as received. */
export const rawSegments = ({ received }: IndexedPath, from: number, to: number): string =>
  received.slice(from, to - 1)

/** Returns the decoded segments between two positions, joined by `/`. `%2F` is decoded to `/`. */
export const decodedSegments = (path: IndexedPath, from: number, to: number): string =>
  path.decoded.slice(decodedOffset(path, from), decodedOffset(path, to) - 1)

/** The value of a path parameter. */
export interface PathCapture {
  /** The decoded segments, joined by `/`. */
  readonly text: string
  /** The segments as received, joined by `/`. */
  readonly raw: string
  /** The decoded segments of a parameter that spans multiple segments. */
  readonly segments: ReadonlyArray<string>
  readonly rawSegments: ReadonlyArray<string>
}

/** A path parameter value that consists of one or more complete segments. */
export class SegmentCapture implements PathCapture {
  readonly text: string
  readonly raw: string

  constructor(text: string, raw: string) {
    this.text = text
    this.raw = raw
  }

  get segments(): ReadonlyArray<string> {
    return this.rawSegments.map((raw) => Percent.decode(raw) ?? raw)
  }

  get rawSegments(): ReadonlyArray<string> {
    return this.raw.split('/')
  }
}

/** A path parameter value matched by a group in a regular expression. Both `/` and an escaped slash separate segments. */
export class GroupCapture implements PathCapture {
  readonly text: string
  readonly raw: string

  constructor(text: string, raw: string) {
    this.text = text
    this.raw = raw
  }

  get segments(): ReadonlyArray<string> {
    return this.text.split('/')
  }

  get rawSegments(): ReadonlyArray<string> {
    return this.raw.split('/')
  }
}

/** The value that is stored for a matching template, and the values of the path parameters in template order. */
export interface MatchedPath<Value> {
  readonly value: Value
  readonly captures: ReadonlyArray<PathCapture>
}

/** The result of matching a path against all templates. */
export interface PathMatch<Value> {
  /** The matches, starting with the best match. Empty if no template matches. */
  readonly matches: ReadonlyArray<MatchedPath<Value>>
}

/** Finds the templates that match a path. */
export interface PathMatcher<Value> {
  /**
   * Returns the value of the template that is equal to the path, ignoring a trailing slash. Returns `undefined` if no template is
   * equal to the path.
   */
  readonly findExact: (path: string) => Value | undefined
  /** Returns all matches, or `undefined` if the path cannot be decoded. */
  readonly match: (path: string) => PathMatch<Value> | undefined
  /** Returns the template with the highest precedence that matches a path. */
  readonly templateOf: (path: string) => string | undefined
}

/** A template of a matcher. */
interface MatcherTemplate<Value> extends CanonicalTemplate {
  readonly pattern: Pattern
  readonly template: string
  readonly value: Value
}

/**
 * Creates a matcher. Each pattern must have a unique key. If `isCanonical` is `true`, a path that is not the canonical spelling of a
 * template matches neither this template nor those of lower precedence.
 */
export const pathMatcher = <Value>(
  templates: ReadonlyArray<MatcherTemplate<Value>>,
  isCanonical = false,
): PathMatcher<Value> => {
  const ranked = templates.toSorted(
    (a, b) =>
      comparePrecedence(a.pattern.precedence, b.pattern.precedence) ||
      (a.template < b.template ? -1 : 1),
  )
  const root = PathTree.buildPathTree(
    ranked.map(({ pattern, value }, rank) => ({
      segments: pattern.segments,
      match: { value, rank },
    })),
  )
  const exact = new Map<string, Value>()
  for (const { pattern, value } of ranked) {
    const path = plainPath(pattern)
    if (path !== undefined) exact.set(path, value)
  }
  return {
    findExact: (path) =>
      exact.get(path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path),
    match: (path) => {
      const indexed = indexPath(path)
      if (indexed === undefined) return undefined
      const matches = search(root, indexed)
      // only paths with escapes or matrix parameters have several spellings
      return {
        matches:
          isCanonical && path !== indexed.decoded
            ? matches.slice(0, canonicalCount(ranked, matches, path, indexed))
            : matches,
      }
    },
    templateOf: (path) => {
      const indexed = indexPath(path)
      const [best] = indexed === undefined ? [] : search(root, indexed)
      return best && ranked[best.rank]?.template
    },
  }
}

/** Creates a matcher of path groups. `valueOf` creates the value for the operations of a group with the same method. */
export const groupMatcher = <P, Value>(
  groups: ReadonlyArray<PathGroup<P>>,
  valueOf: (operations: ReadonlyArray<P>) => Value,
  isCanonical: boolean,
): PathMatcher<ReadonlyMap<string, Value>> =>
  pathMatcher(
    groups.map(({ methods, ...path }) => ({
      ...path,
      value: new Map(Array.from(methods, ([method, operations]) => [method, valueOf(operations)])),
    })),
    isCanonical,
  )

/** Returns the number of matches, starting with the best one, whose templates are spelled canonically. */
const canonicalCount = <Value>(
  ranked: ReadonlyArray<CanonicalTemplate>,
  matches: ReadonlyArray<RankedMatch<Value>>,
  path: string,
  { received }: IndexedPath,
): number => {
  const isCanonical = canonicalCheck(path, received)
  const index = matches.findIndex(({ rank, captures }) => {
    const template = ranked[rank]
    return template === undefined || !isCanonical(template, captures)
  })
  return index < 0 ? matches.length : index
}

/**
 * Returns the path matched by a pattern without parameters. Returns `undefined` if the pattern has parameters, or if the path
 * differs from its decoded form.
 */
const plainPath = ({ segments }: Pattern): string | undefined => {
  const texts = segments.map((segment) => (segment._tag === 'Text' ? segment.text : '/'))
  return texts.some((text) => /[%;/]/.test(text)) ? undefined : `/${texts.join('/')}`
}

interface RankedMatch<Value> extends MatchedPath<Value> {
  readonly rank: number
}

/** The state of a search for one path. */
interface Search<Value> {
  readonly path: IndexedPath
  /** The matches found so far, in no particular order. */
  found: ReadonlyArray<RankedMatch<Value>>
  /**
   * For each node whose `isReachedRepeatedly` is `true`, the positions at which the node has been tried. Created on first use.
   */
  tried: Map<PathNode<Value>, Set<number>> | undefined
}

const search = <Value>(
  root: PathNode<Value>,
  path: IndexedPath,
): ReadonlyArray<RankedMatch<Value>> => {
  const state: Search<Value> = { path, found: [], tried: undefined }
  visit(state, root, firstPosition, [])
  const { found } = state
  return found.length < 2 ? found : found.toSorted((a, b) => a.rank - b.rank)
}

/** Matches the rest of the path against a node and its descendants. */
const visit = <Value>(
  state: Search<Value>,
  node: PathNode<Value>,
  at: number,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { path } = state
  if (node.isReachedRepeatedly && isTried(state, node, at)) return
  // a trailing slash and the empty segment after it are ignored
  if (node.match !== undefined && at >= path.received.length) addMatch(state, node.match, captures)
  if (at === endPosition(path)) return
  const next = nextPosition(path, at)
  const literal = node.literals?.get(
    path.decoded.slice(decodedOffset(path, at), decodedOffset(path, next) - 1),
  )
  if (literal !== undefined) visit(state, literal, next, captures)
  if (node.single !== undefined && next - at > 1)
    visit(state, node.single, next, [...captures, captureSegments(path, at, next)])
  for (const branch of node.branches)
    for (const end of branch.spans ? spanEnds(path, at, branch.last) : [nextPosition(path, at)]) {
      const captured = matchBranch(branch, path, at, end)
      if (captured !== undefined) visit(state, branch.node, end, [...captures, ...captured])
    }
}

/** Returns whether a node has already been tried at a position. If not, marks the node as tried at this position. */
const isTried = <Value>(state: Search<Value>, node: PathNode<Value>, at: number): boolean => {
  state.tried ??= new Map()
  const positions = state.tried.get(node)
  if (positions?.has(at)) return true
  state.tried.set(node, positions?.add(at) ?? new Set([at]))
  return false
}

/** Adds a match. If a template matches in several ways, only the first captures are kept. */
const addMatch = <Value>(
  state: Search<Value>,
  { value, rank }: RankedPath<Value>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const match = { value, captures, rank }
  if (state.found.length === 0) state.found = [match]
  else if (state.found.every((other) => other.rank !== rank)) state.found = [...state.found, match]
}

/**
 * Returns the positions at which a pattern that spans multiple segments can end, starting with the longest span. The last pattern in
 * a template matches the rest of the path.
 */
const spanEnds = (path: IndexedPath, at: number, last: boolean): ReadonlyArray<number> => {
  const pathEnd = endPosition(path)
  if (last)
    return path.received.endsWith('/') && pathEnd - 1 > at ? [pathEnd, pathEnd - 1] : [pathEnd]
  const positions: number[] = []
  for (let end = at; end < pathEnd && positions.length < maxSpannedSegments; positions.push(end))
    end = nextPosition(path, end)
  return positions.toReversed()
}

/**
 * Matches a range of segments against the pattern of a branch. Returns the captures, or `undefined` if the pattern does not
 * match.
 */
const matchBranch = <Value>(
  { pattern, groups }: PathBranch<Value>,
  path: IndexedPath,
  at: number,
  end: number,
): ReadonlyArray<PathCapture> | undefined => {
  const span = captureSegments(path, at, end)
  if (pattern._tag === 'Rest') return hasEmptySegment(span.raw) ? undefined : [span]
  if (span.text.length > maxPathLength) return undefined
  const textByGroup = pattern.expression.exec(span.text)?.groups
  if (textByGroup === undefined) return undefined
  const rawOf = span.raw === span.text ? undefined : rawGroups(pattern.expression, span)
  return groups.map((name) => {
    const text = textByGroup[name] ?? ''
    return text === span.text ? span : new GroupCapture(text, rawOf?.(name) ?? text)
  })
}

/**
 * Returns a function that finds the raw text of a named group in a regular expression.
 *
 * The expression is matched against the raw text. If it does not match, the function returns `undefined`. If the raw text is longer
 * than `maxPathLength`, matching it could take too long. In that case, the groups are located by their positions in the decoded
 * text.
 */
const rawGroups = (
  expression: RegExp,
  { text, raw }: PathCapture,
): ((name: string) => string | undefined) => {
  if (raw.length <= maxPathLength) {
    const groups = expression.exec(raw)?.groups
    return (name) => groups?.[name]
  }
  const indices = new RegExp(expression.source, `${expression.flags}d`).exec(text)?.indices?.groups
  return (name) => {
    const range = indices?.[name]
    return range === undefined ? undefined : Percent.slice(raw, range[0], range[1])
  }
}

/** Whether a raw path contains an empty segment. */
const hasEmptySegment = (raw: string): boolean =>
  raw === '' || raw.startsWith('/') || raw.endsWith('/') || raw.includes('//')

const captureSegments = (path: IndexedPath, at: number, end: number): PathCapture => {
  const raw = rawSegments(path, at, end)
  return new SegmentCapture(
    path.decodedOffsets === undefined ? raw : decodedSegments(path, at, end),
    raw,
  )
}
