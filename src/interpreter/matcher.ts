/**
 * Finds the sites that a path belongs to: by one look-up where a template without variables is the path, else down a tree
 * of segments, trying every branch.
 *
 * Why every branch: precedence is a property of whole templates, so the first leaf on the way down need not be the best,
 * and an operation for the method may stand at a site that comes second. Each pair of node and position is tried once, so
 * the work is bounded by the size of the tree times the number of segments.
 */
import type { Segment } from '../http/path.ts'
import * as Path from '../http/path.ts'
import type { Pattern, SegmentPattern } from './pattern.ts'
import { compare, groupName } from './pattern.ts'

/** The text that a variable took. */
export interface Capture {
  /** Decoded; segments joined by `/`. */
  readonly text: string
  /** As received. */
  readonly raw: string
  /** Decoded segments, for a variable that spans several. */
  readonly segments: ReadonlyArray<string>
  readonly rawSegments: ReadonlyArray<string>
}

export interface Found<Site> {
  readonly site: Site
  readonly captures: ReadonlyArray<Capture>
}

export interface Match<Site> {
  /** The sites the path belongs to, the best first; none when nothing is there. */
  readonly found: ReadonlyArray<Found<Site>>
  readonly segments: ReadonlyArray<Segment>
}

export interface Matcher<Site> {
  /** The site whose template is this very path; a slash at the end makes no difference. */
  readonly exactly: (path: string) => Site | undefined
  /** Everything that matches; `undefined` when the path cannot be decoded. */
  readonly match: (path: string) => Match<Site> | undefined
}

/** Longer texts are not tried against expressions. Octets are at least as many, so this bounds both. */
const longestTried = 1024
/** Segments that an expression in the middle of a template may span. */
const widestSpan = 64

interface Node<Site> {
  readonly texts: Map<string, Node<Site>>
  readonly others: Array<{
    readonly pattern: Exclude<SegmentPattern, { _tag: 'Text' }>
    readonly key: string
    readonly node: Node<Site>
  }>
  /** A site's rank among all. */
  site: { readonly value: Site; readonly rank: number } | undefined
}

const emptyNode = <Site>(): Node<Site> => ({ texts: new Map(), others: [], site: undefined })

/** Prepares a matcher; each pattern has a key of its own. */
export const matcher = <Site>(
  sites: ReadonlyArray<{
    readonly pattern: Pattern
    readonly template: string
    readonly value: Site
  }>,
): Matcher<Site> => {
  const root = emptyNode<Site>()
  const exact = new Map<string, Site>()
  const ranked = sites.toSorted(
    (a, b) =>
      compare(a.pattern.precedence, b.pattern.precedence) || (a.template < b.template ? -1 : 1),
  )
  for (const [rank, { pattern, value }] of ranked.entries()) {
    pattern.segments.reduce(child, root).site = { value, rank }
    const path = plainPath(pattern)
    if (path !== undefined) exact.set(path, value)
  }
  return {
    exactly: (path) => exact.get(path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path),
    match: (path) => {
      const segments = Path.split(path)
      return segments === undefined ? undefined : { segments, found: search(root, segments) }
    },
  }
}

/** The path of a pattern without variables; `undefined` also where a request that has it as received means another one. */
const plainPath = ({ segments }: Pattern): string | undefined => {
  const texts = segments.map((segment) => (segment._tag === 'Text' ? segment.text : '/'))
  return texts.some((text) => /[%;/]/.test(text)) ? undefined : `/${texts.join('/')}`
}

const child = <Site>(node: Node<Site>, pattern: SegmentPattern): Node<Site> => {
  if (pattern._tag === 'Text') {
    const known = node.texts.get(pattern.text) ?? emptyNode<Site>()
    node.texts.set(pattern.text, known)
    return known
  }
  const key = pattern._tag === 'Expression' ? pattern.source : pattern._tag
  const known = node.others.find((other) => other.key === key)
  if (known !== undefined) return known.node
  const added = emptyNode<Site>()
  node.others.push({ pattern, key, node: added })
  return added
}

const search = <Site>(
  root: Node<Site>,
  segments: ReadonlyArray<Segment>,
): ReadonlyArray<Found<Site>> => {
  const leaves = new Map<number, Found<Site>>()
  const tried = new Map<Node<Site>, Set<number>>()
  const visit = (node: Node<Site>, at: number, captures: ReadonlyArray<Capture>): void => {
    const positions = tried.get(node) ?? new Set()
    if (positions.has(at)) return
    tried.set(node, positions.add(at))
    if (node.site !== undefined && isEnd(segments, at) && !leaves.has(node.site.rank))
      leaves.set(node.site.rank, { site: node.site.value, captures })
    const segment = segments[at]
    if (segment === undefined) return
    const literal = node.texts.get(segment.text)
    if (literal !== undefined) visit(literal, at + 1, captures)
    for (const { pattern, node: next } of node.others)
      for (const end of ends(pattern, segments, at, isLeaf(next))) {
        const taken = take(pattern, segments.slice(at, end))
        if (taken !== undefined) visit(next, end, [...captures, ...taken])
      }
  }
  visit(root, 0, [])
  return [...leaves].toSorted(([a], [b]) => a - b).map(([, found]) => found)
}

/** A slash at the end of a path, the empty last segment, makes no difference. */
const isEnd = (segments: ReadonlyArray<Segment>, at: number): boolean =>
  at === segments.length || (at === segments.length - 1 && segments[at]?.raw === '')

const isLeaf = <Site>(node: Node<Site>): boolean =>
  node.texts.size === 0 && node.others.length === 0

/** Where a pattern that begins at a position may end, the longest first; at the end of a template it takes all there is. */
const ends = (
  pattern: Exclude<SegmentPattern, { _tag: 'Text' }>,
  segments: ReadonlyArray<Segment>,
  at: number,
  last: boolean,
): ReadonlyArray<number> => {
  if (pattern._tag === 'One' || (pattern._tag === 'Expression' && !pattern.spans)) return [at + 1]
  const all = segments.length
  if (last) return segments[all - 1]?.raw === '' && all - 1 > at ? [all, all - 1] : [all]
  return Array.from(
    { length: Math.min(all - at, widestSpan) },
    (_, width) => at + width + 1,
  ).toReversed()
}

/** What a pattern's variables take of these segments; `undefined` when it does not match them. */
const take = (
  pattern: Exclude<SegmentPattern, { _tag: 'Text' }>,
  segments: ReadonlyArray<Segment>,
): ReadonlyArray<Capture> | undefined => {
  const whole = capture(segments)
  if (pattern._tag !== 'Expression')
    return segments.some(({ raw }) => raw === '') ? undefined : [whole]
  if (whole.text.length > longestTried) return undefined
  const groups = pattern.expression.exec(whole.text)?.groups
  if (groups === undefined) return undefined
  const raws = pattern.expression.exec(whole.raw)?.groups
  return Array.from({ length: pattern.groups }, (_, position) => {
    const text = groups[groupName(position)] ?? ''
    const raw = raws?.[groupName(position)] ?? text
    return text === whole.text
      ? whole
      : { text, raw, segments: text.split('/'), rawSegments: raw.split('/') }
  })
}

const capture = (segments: ReadonlyArray<Segment>): Capture => {
  const [only] = segments
  if (segments.length === 1 && only !== undefined)
    return { text: only.text, raw: only.raw, segments: [only.text], rawSegments: [only.raw] }
  const texts = segments.map(({ text }) => text)
  const raws = segments.map(({ raw }) => raw)
  return { text: texts.join('/'), raw: raws.join('/'), segments: texts, rawSegments: raws }
}
