/** A prefix tree of path patterns, with one level per segment, and the hash map in which nodes look up literal segments. */
import type { Pattern, SegmentPattern } from '../../endpoint/internal/path-pattern.ts'
import { groupName } from '../../endpoint/internal/path-pattern.ts'

/** A hash map that can look up part of a string without creating a substring. */
export interface SubstringMap<A> {
  /** The hash buckets. Their number is a power of two, and the lowest bits of the hash select a bucket. */
  readonly buckets: ReadonlyArray<Entry<A> | undefined>
  /** The length of the longest key. */
  readonly maxLength: number
}

interface Entry<A> {
  readonly text: string
  readonly value: A
  readonly next: Entry<A> | undefined
}

/** Creates a map from a list of entries. All keys must be unique. */
export const substringMap = <A>(
  entries: ReadonlyArray<readonly [text: string, value: A]>,
): SubstringMap<A> => {
  const size = 2 ** Math.ceil(Math.log2(Math.max(entries.length, 1)))
  const buckets = Array.from({ length: size }, (): Entry<A> | undefined => undefined)
  for (const [text, value] of entries) {
    const index = bucketIndex(buckets, text, 0, text.length)
    buckets[index] = { text, value, next: buckets[index] }
  }
  return {
    buckets,
    maxLength: entries.reduce((maximum, [text]) => Math.max(maximum, text.length), 0),
  }
}

/** Returns the value for the substring of `text` from index `from` up to, but not including, index `to`. */
export const findSubstring = <A>(
  { buckets, maxLength }: SubstringMap<A>,
  text: string,
  from: number,
  to: number,
): A | undefined => {
  if (to - from > maxLength) return undefined
  let entry = buckets[bucketIndex(buckets, text, from, to)]
  while (entry !== undefined && !isAt(entry.text, text, from, to)) entry = entry.next
  return entry?.value
}

const bucketIndex = (
  buckets: ReadonlyArray<unknown>,
  text: string,
  from: number,
  to: number,
): number => (buckets.length === 1 ? 0 : hash(text, from, to) & (buckets.length - 1))

const hash = (text: string, from: number, to: number): number => {
  let sum = 0
  for (let i = from; i < to; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0
  return sum
}

const isAt = (key: string, text: string, from: number, to: number): boolean => {
  if (key.length !== to - from) return false
  for (let i = 0; i < key.length; i++)
    if (key.charCodeAt(i) !== text.charCodeAt(from + i)) return false
  return true
}

/** A node in the tree. It represents all templates that start with the same segments. */
export interface PathNode<Value> {
  /** The child for each literal segment. */
  readonly literals: SubstringMap<PathNode<Value>> | undefined
  /** The child for any non-empty segment. */
  readonly single: PathNode<Value> | undefined
  readonly branches: ReadonlyArray<PathBranch<Value>>
  /** The template that ends at this node. */
  readonly match: RankedPath<Value> | undefined
  /** Whether a search can reach this node multiple times at the same position. Always `false` if the node has no children. */
  readonly isReachedRepeatedly: boolean
}

/** A child whose pattern spans multiple segments or is a regular expression. */
export interface PathBranch<Value> {
  readonly pattern: Exclude<SegmentPattern, { _tag: 'Text' | 'One' }>
  readonly groups: ReadonlyArray<string>
  readonly spans: boolean
  /** Whether `pattern` is the last pattern of every template in this branch. */
  readonly last: boolean
  readonly node: PathNode<Value>
}

/** The value of a template and its rank. The template with the highest precedence has rank 0. */
export interface RankedPath<Value> {
  readonly value: Value
  readonly rank: number
}

/** A pattern that is being added to the tree. Its segments up to the depth of the current node have already been added. */
interface Remainder<Value> {
  readonly segments: Pattern['segments']
  readonly match: RankedPath<Value>
}

/** Builds a tree from patterns. Each pattern must have a unique key. */
export const buildPathTree = <Value>(patterns: ReadonlyArray<Remainder<Value>>): PathNode<Value> =>
  nodeOf(patterns, 0, false)

const nodeOf = <Value>(
  remainders: ReadonlyArray<Remainder<Value>>,
  depth: number,
  belowSpanning: boolean,
): PathNode<Value> => {
  // created on first use, because a map per node took a sixth of the memory needed to build a matcher
  let literals: Map<string, Remainder<Value>[]> | undefined
  const singles: Remainder<Value>[] = []
  let branches: Map<string, readonly [PathBranch<Value>['pattern'], Remainder<Value>[]]> | undefined
  let match: RankedPath<Value> | undefined
  for (const remainder of remainders) {
    const first = remainder.segments[depth]
    if (first === undefined) match ??= remainder.match
    else if (first._tag === 'Text') append((literals ??= new Map()), first.text, remainder)
    else if (first._tag === 'One') singles.push(remainder)
    else {
      const key = first._tag === 'Expression' ? first.source : first._tag
      branches ??= new Map()
      const existing = branches.get(key)
      if (existing === undefined) branches.set(key, [first, [remainder]])
      else existing[1].push(remainder)
    }
  }
  const childDepth = depth + 1
  return {
    literals:
      literals === undefined
        ? undefined
        : substringMap(
            Array.from(literals, ([text, children]): readonly [string, PathNode<Value>] => [
              text,
              nodeOf(children, childDepth, belowSpanning),
            ]),
          ),
    single: singles.length === 0 ? undefined : nodeOf(singles, childDepth, belowSpanning),
    branches:
      branches === undefined
        ? none
        : Array.from(branches.values(), ([pattern, children]) =>
            branch(pattern, children, childDepth, belowSpanning),
          ),
    match,
    isReachedRepeatedly: belowSpanning && !remainders.every(endsAt(depth)),
  }
}

const none: ReadonlyArray<never> = []

const branch = <Value>(
  pattern: PathBranch<Value>['pattern'],
  remainders: ReadonlyArray<Remainder<Value>>,
  depth: number,
  belowSpanning: boolean,
): PathBranch<Value> => {
  const spans = pattern._tag === 'Rest' || pattern.spans
  const groups = pattern._tag === 'Rest' ? 0 : pattern.groups
  return {
    pattern,
    groups: Array.from({ length: groups }, (_, position) => groupName(position)),
    spans,
    last: remainders.every(endsAt(depth)),
    node: nodeOf(remainders, depth, belowSpanning || spans),
  }
}

const endsAt =
  (depth: number) =>
  <Value>({ segments }: Remainder<Value>): boolean =>
    segments.length === depth

const append = <A>(lists: Map<string, A[]>, key: string, value: A): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
