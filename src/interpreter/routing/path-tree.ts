/** The patterns of a matcher as a prefix tree of segments. */
import type { Pattern, SegmentPattern } from '../../endpoint/internal/path-pattern.ts'
import { groupName } from '../../endpoint/internal/path-pattern.ts'
import * as TextTable from './substring-map.ts'

export interface PathNode<Site> {
  /** The child for each literal segment. */
  readonly literals: TextTable.SubstringMap<PathNode<Site>> | undefined
  /** The child for any segment that is not empty. */
  readonly single: PathNode<Site> | undefined
  readonly branches: ReadonlyArray<PathBranch<Site>>
  /** The template that ends at this node. */
  readonly match: RankedPath<Site> | undefined
  /** Whether a search can reach this node several times at the same position, and has children to search. */
  readonly isReachedRepeatedly: boolean
}

/** A child for a pattern that spans segments, or for a regular expression. */
export interface PathBranch<Site> {
  readonly pattern: Exclude<SegmentPattern, { _tag: 'Text' | 'One' }>
  readonly groups: ReadonlyArray<string>
  readonly spans: boolean
  /** Whether all templates end here. */
  readonly last: boolean
  readonly node: PathNode<Site>
}

/** A value and its rank in the order of precedence, from 0. */
export interface RankedPath<Site> {
  readonly value: Site
  readonly rank: number
}

/** A pattern whose segments from the depth of a node on remain. */
interface Remainder<Site> {
  readonly segments: Pattern['segments']
  readonly match: RankedPath<Site>
}

/** Builds the tree of patterns with unique keys. */
export const buildPathTree = <Site>(patterns: ReadonlyArray<Remainder<Site>>): PathNode<Site> =>
  nodeOf(patterns, 0, false)

const nodeOf = <Site>(
  remainders: ReadonlyArray<Remainder<Site>>,
  depth: number,
  belowSpanning: boolean,
): PathNode<Site> => {
  // created on use: a map per node was a sixth of the memory that building a matcher allocates
  let texts: Map<string, Remainder<Site>[]> | undefined
  const ones: Remainder<Site>[] = []
  let others: Map<string, readonly [PathBranch<Site>['pattern'], Remainder<Site>[]]> | undefined
  let site: RankedPath<Site> | undefined
  for (const remainder of remainders) {
    const first = remainder.segments[depth]
    if (first === undefined) site ??= remainder.match
    else if (first._tag === 'Text') append((texts ??= new Map()), first.text, remainder)
    else if (first._tag === 'One') ones.push(remainder)
    else {
      const key = first._tag === 'Expression' ? first.source : first._tag
      others ??= new Map()
      const known = others.get(key)
      if (known === undefined) others.set(key, [first, [remainder]])
      else known[1].push(remainder)
    }
  }
  const below = depth + 1
  return {
    literals:
      texts === undefined
        ? undefined
        : TextTable.substringMap(
            Array.from(texts, ([text, found]): readonly [string, PathNode<Site>] => [
              text,
              nodeOf(found, below, belowSpanning),
            ]),
          ),
    single: ones.length === 0 ? undefined : nodeOf(ones, below, belowSpanning),
    branches:
      others === undefined
        ? none
        : Array.from(others.values(), ([pattern, found]) =>
            branch(pattern, found, below, belowSpanning),
          ),
    match: site,
    isReachedRepeatedly: belowSpanning && !remainders.every(endsAt(depth)),
  }
}

const none: ReadonlyArray<never> = []

const branch = <Site>(
  pattern: PathBranch<Site>['pattern'],
  remainders: ReadonlyArray<Remainder<Site>>,
  depth: number,
  belowSpanning: boolean,
): PathBranch<Site> => {
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
  <Site>({ segments }: Remainder<Site>): boolean =>
    segments.length === depth

const append = <A>(lists: Map<string, A[]>, key: string, value: A): void => {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [value])
  else known.push(value)
}
