/**
 * Matches a path against all path templates: by one map lookup for templates without parameters, otherwise by searching a tree of
 * segments.
 *
 * The search tries all branches. Precedence is a property of complete templates, so the first match need not be the best, and only
 * a later match may support the method. Each pair of node and position is tried once, which limits the work to the number of nodes
 * times the number of segments.
 */
import * as PathText from '../../http/indexed-path.ts'
import { maxPathLength } from '../../regex-safety/redos-check.ts'
import * as Percent from '../../http/percent.ts'
import type { PathCapture } from './path-captures.ts'
import { GroupCapture, SegmentCapture } from './path-captures.ts'
import type { PathBranch, PathNode, RankedPath } from './path-tree.ts'
import * as PathTree from './path-tree.ts'
import { maxSpannedSegments } from '../../compiler/path-groups.ts'
import type { Pattern } from '../../endpoint/internal/path-pattern.ts'
import { comparePrecedence } from '../../endpoint/internal/path-pattern.ts'
import * as TextTable from './substring-map.ts'

export type { PathCapture } from './path-captures.ts'

export interface MatchedPath<Site> {
  readonly value: Site
  readonly captures: ReadonlyArray<PathCapture>
}

export interface PathMatch<Site> {
  /** The matches, the best one first; empty if there is none. */
  readonly matches: ReadonlyArray<MatchedPath<Site>>
}

export interface PathMatcher<Site> {
  /** Returns the value of the template that equals the path. A trailing slash is ignored. */
  readonly findExact: (path: string) => Site | undefined
  /** Returns all matches, or `undefined` if the path cannot be decoded. */
  readonly match: (path: string) => PathMatch<Site> | undefined
}

const slash = 0x2f

/** Creates a matcher. The keys of the patterns must be unique. */
export const pathMatcher = <Site>(
  sites: ReadonlyArray<{
    readonly pattern: Pattern
    readonly template: string
    readonly value: Site
  }>,
): PathMatcher<Site> => {
  const ranked = sites.toSorted(
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
  const exact = new Map<string, Site>()
  for (const { pattern, value } of ranked) {
    const path = plainPath(pattern)
    if (path !== undefined) exact.set(path, value)
  }
  const longest = [...exact.keys()].reduce((most, { length }) => Math.max(most, length), 0)
  return {
    findExact: (path) => {
      // hashing a path takes 20 ns, and paths with parameters are often longer than those without
      if (path.length > longest + 1) return undefined
      // `endsWith` takes 10 ns
      const hasSlash = path.length > 2 && path.charCodeAt(path.length - 1) === slash
      return exact.get(hasSlash ? path.slice(0, -1) : path)
    },
    match: (path) => {
      const text = PathText.of(path)
      return text === undefined ? undefined : search(root, text)
    },
  }
}

/** Returns the path of a pattern without parameters. Returns `undefined` if a request with that raw path has another decoded path. */
const plainPath = ({ segments }: Pattern): string | undefined => {
  const texts = segments.map((segment) => (segment._tag === 'Text' ? segment.text : '/'))
  return texts.some((text) => /[%;/]/.test(text)) ? undefined : `/${texts.join('/')}`
}

/** The state of a search for one path. */
interface Search<Site> {
  readonly path: PathText.IndexedPath
  /** The matches so far, unordered. */
  found: ReadonlyArray<MatchedPath<Site> & { readonly rank: number }>
  /** The positions at which nodes with `isReachedRepeatedly` were tried. Created on first use. */
  tried: Map<PathNode<Site>, Set<number>> | undefined
}

const search = <Site>(root: PathNode<Site>, path: PathText.IndexedPath): PathMatch<Site> => {
  const state: Search<Site> = { path, found: [], tried: undefined }
  visit(state, root, PathText.start, [])
  const { found } = state
  return { matches: found.length < 2 ? found : found.toSorted((a, b) => a.rank - b.rank) }
}

/** Searches a node and its descendants for the rest of the path. */
const visit = <Site>(
  state: Search<Site>,
  node: PathNode<Site>,
  at: number,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { path } = state
  if (node.isReachedRepeatedly && isTried(state, node, at)) return
  // a trailing slash, and the empty segment after it, is ignored
  if (node.match !== undefined && at >= path.received.length) arrive(state, node.match, captures)
  if (at === PathText.end(path)) return
  const next = PathText.next(path, at)
  if (node.literals !== undefined) {
    const literal = TextTable.findSubstring(
      node.literals,
      path.decoded,
      PathText.decodedOffset(path, at),
      PathText.decodedOffset(path, next) - 1,
    )
    if (literal !== undefined) visit(state, literal, next, captures)
  }
  if (node.single !== undefined && next - at > 1)
    visit(state, node.single, next, append(captures, whole(path, at, next)))
  if (node.branches.length > 0) visitOthers(state, node, at, captures)
}

/** A function of its own, so that V8 inlines the frequent part of {@link visit}: saves 10 of 110 ns. */
const visitOthers = <Site>(
  state: Search<Site>,
  { branches: others }: PathNode<Site>,
  at: number,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { path } = state
  for (const branch of others)
    for (const end of branch.spans ? ends(path, at, branch.last) : [PathText.next(path, at)]) {
      const taken = take(branch, path, at, end)
      if (taken !== undefined) visit(state, branch.node, end, [...captures, ...taken])
    }
}

/** Appends a capture. Most lists are short, and spreading one takes 15 ns. */
const append = (
  captures: ReadonlyArray<PathCapture>,
  one: PathCapture,
): ReadonlyArray<PathCapture> => {
  const first = captures[0]
  if (first === undefined) return [one]
  return captures.length === 1 ? [first, one] : [...captures, one]
}

/** Returns whether a node was tried at a position, and marks it as tried. */
const isTried = <Site>(state: Search<Site>, node: PathNode<Site>, at: number): boolean => {
  state.tried ??= new Map()
  const positions = state.tried.get(node)
  if (positions?.has(at)) return true
  state.tried.set(node, positions?.add(at) ?? new Set([at]))
  return false
}

/** Adds a match. A template that matches in several ways keeps its first captures. */
const arrive = <Site>(
  state: Search<Site>,
  { value, rank }: RankedPath<Site>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const found = { value, captures, rank }
  if (state.found.length === 0) state.found = [found]
  else if (state.found.every((other) => other.rank !== rank)) state.found = [...state.found, found]
}

/** Returns the positions at which a spanning pattern may end, the longest first. At the end of a template it takes the whole rest. */
const ends = (path: PathText.IndexedPath, at: number, last: boolean): ReadonlyArray<number> => {
  const all = PathText.end(path)
  if (last) return path.received.endsWith('/') && all - 1 > at ? [all, all - 1] : [all]
  const found: number[] = []
  for (let end = at; end < all && found.length < maxSpannedSegments; found.push(end))
    end = PathText.next(path, end)
  return found.toReversed()
}

/** Returns the captures of a branch for a range of segments; `undefined` if it does not match them. */
const take = <Site>(
  { pattern, groups }: PathBranch<Site>,
  path: PathText.IndexedPath,
  at: number,
  end: number,
): ReadonlyArray<PathCapture> | undefined => {
  const all = whole(path, at, end)
  if (pattern._tag === 'Rest') return hasEmpty(all.raw) ? undefined : [all]
  if (all.text.length > maxPathLength) return undefined
  const texts = pattern.expression.exec(all.text)?.groups
  if (texts === undefined) return undefined
  const rawOf = all.raw === all.text ? undefined : rawGroups(pattern.expression, all)
  return groups.map((name) => {
    const text = texts[name] ?? ''
    return text === all.text ? all : new GroupCapture(text, rawOf?.(name) ?? text)
  })
}

/**
 * Returns the raw text of the groups of an expression, by name.
 *
 * The expression is matched against the raw text; if that does not match, there are no groups. A raw text above `maxPathLength`
 * could take too long to match, so its groups are located by position.
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

/** Whether a raw text has an empty segment. */
const hasEmpty = (raw: string): boolean =>
  raw === '' || raw.startsWith('/') || raw.endsWith('/') || raw.includes('//')

const whole = (path: PathText.IndexedPath, at: number, end: number): PathCapture => {
  const raw = PathText.raw(path, at, end)
  return new SegmentCapture(
    path.decodedOffsets === undefined ? raw : PathText.text(path, at, end),
    raw,
  )
}
