/** A prefix tree of path patterns, with one level per segment. */
import type { Pattern, SegmentPattern } from '../../endpoint/definition/path-pattern.ts'
import { groupName } from '../../endpoint/definition/path-pattern.ts'

/** A node in the tree. It represents all templates that start with the same segments. */
export interface PathNode<Value> {
  /** The child for each literal segment. */
  readonly literals: ReadonlyMap<string, PathNode<Value>> | undefined
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
        : new Map(
            Array.from(literals, ([text, children]) => [
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
