/**
 * Finds the sites that a path belongs to: by one look-up where a template without variables is the path, else down a tree
 * of segments, trying every branch.
 *
 * Why every branch: precedence is a property of whole templates, so the first leaf on the way down need not be the best,
 * and an operation for the method may stand at a site that comes second. Each pair of node and position is tried once, so
 * the work is bounded by the size of the tree times the number of segments.
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
  /** The sites the path belongs to, the best first; none when nothing is there. */
  readonly matches: ReadonlyArray<MatchedPath<Site>>
}

export interface PathMatcher<Site> {
  /** The site whose template is this very path; a slash at the end makes no difference. */
  readonly findExact: (path: string) => Site | undefined
  /** Everything that matches; `undefined` when the path cannot be decoded. */
  readonly match: (path: string) => PathMatch<Site> | undefined
}

const slash = 0x2f

/** Prepares a matcher; each pattern has a key of its own. */
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
      // a hash of a path takes 20 ns, and those with variables are often longer than those without
      if (path.length > longest + 1) return undefined
      // by its code, as `endsWith` takes 10 ns
      const hasSlash = path.length > 2 && path.charCodeAt(path.length - 1) === slash
      return exact.get(hasSlash ? path.slice(0, -1) : path)
    },
    match: (path) => {
      const text = PathText.of(path)
      return text === undefined ? undefined : search(root, text)
    },
  }
}

/** The path of a pattern without variables; `undefined` also where a request that has it as received means another one. */
const plainPath = ({ segments }: Pattern): string | undefined => {
  const texts = segments.map((segment) => (segment._tag === 'Text' ? segment.text : '/'))
  return texts.some((text) => /[%;/]/.test(text)) ? undefined : `/${texts.join('/')}`
}

/** The state of a search for one path. */
interface Search<Site> {
  readonly path: PathText.IndexedPath
  /** What was found so far, in no order. */
  found: ReadonlyArray<MatchedPath<Site> & { readonly rank: number }>
  /** The positions at which nodes that repeat were tried; made when there is one. */
  tried: Map<PathNode<Site>, Set<number>> | undefined
}

const search = <Site>(root: PathNode<Site>, path: PathText.IndexedPath): PathMatch<Site> => {
  const state: Search<Site> = { path, found: [], tried: undefined }
  visit(state, root, PathText.start, [])
  const { found } = state
  return { matches: found.length < 2 ? found : found.toSorted((a, b) => a.rank - b.rank) }
}

/** Tries what is at a node and below it, for what is left of the path. */
const visit = <Site>(
  state: Search<Site>,
  node: PathNode<Site>,
  at: number,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const { path } = state
  if (node.isReachedRepeatedly && isTried(state, node, at)) return
  // a slash at the end, and the empty segment behind it, makes no difference
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

/** By itself, so that the compiler makes one chunk of what {@link visit} does for texts and single segments: 10 ns of 110. */
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

/** One more. Most have few, and a spread takes 15 ns. */
const append = (
  captures: ReadonlyArray<PathCapture>,
  one: PathCapture,
): ReadonlyArray<PathCapture> => {
  const first = captures[0]
  if (first === undefined) return [one]
  return captures.length === 1 ? [first, one] : [...captures, one]
}

/** Whether a node was tried at this position before; from then on it was. */
const isTried = <Site>(state: Search<Site>, node: PathNode<Site>, at: number): boolean => {
  state.tried ??= new Map()
  const positions = state.tried.get(node)
  if (positions?.has(at)) return true
  state.tried.set(node, positions?.add(at) ?? new Set([at]))
  return false
}

/** A site that is found again, as may happen below a branch that spans, keeps what its variables took first. */
const arrive = <Site>(
  state: Search<Site>,
  { value, rank }: RankedPath<Site>,
  captures: ReadonlyArray<PathCapture>,
): void => {
  const found = { value, captures, rank }
  if (state.found.length === 0) state.found = [found]
  else if (state.found.every((other) => other.rank !== rank)) state.found = [...state.found, found]
}

/** Where a pattern that spans may end, the longest first; at the end of a template it takes all there is. */
const ends = (path: PathText.IndexedPath, at: number, last: boolean): ReadonlyArray<number> => {
  const all = PathText.end(path)
  if (last) return path.received.endsWith('/') && all - 1 > at ? [all, all - 1] : [all]
  const found: number[] = []
  for (let end = at; end < all && found.length < maxSpannedSegments; found.push(end))
    end = PathText.next(path, end)
  return found.toReversed()
}

/** What the variables of a branch take of these segments; `undefined` when it does not match them. */
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
 * The groups of a text as received, by name; of one that does not match as received, none. A text that is much longer as received
 * is not matched so, because that could take too long: its groups are found by position.
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

/** Whether one of the segments of a raw text is empty. */
const hasEmpty = (raw: string): boolean =>
  raw === '' || raw.startsWith('/') || raw.endsWith('/') || raw.includes('//')

const whole = (path: PathText.IndexedPath, at: number, end: number): PathCapture => {
  const raw = PathText.raw(path, at, end)
  return new SegmentCapture(
    path.decodedOffsets === undefined ? raw : PathText.text(path, at, end),
    raw,
  )
}
