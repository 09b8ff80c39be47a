/** The patterns of a matcher as a tree by segments: what templates begin with in common is one way from the root. */
import type { Pattern, SegmentPattern } from '../../endpoint/internal/path-pattern.ts'
import { groupName } from '../../endpoint/internal/path-pattern.ts'
import * as TextTable from './substring-map.ts'

export interface PathNode<Site> {
  /** What follows a segment that is this text. */
  readonly literals: TextTable.SubstringMap<PathNode<Site>> | undefined
  /** What follows any one segment that is not empty. */
  readonly single: PathNode<Site> | undefined
  readonly branches: ReadonlyArray<PathBranch<Site>>
  /** What ends here. */
  readonly match: RankedPath<Site> | undefined
  /** Whether a search may come here several times with as much of a path left, and has to go on from here. */
  readonly isReachedRepeatedly: boolean
}

/** A pattern that may end at several positions, or an expression. */
export interface PathBranch<Site> {
  readonly pattern: Exclude<SegmentPattern, { _tag: 'Text' | 'One' }>
  /** The names of its groups. */
  readonly groups: ReadonlyArray<string>
  readonly spans: boolean
  /** Whether nothing follows in any template. */
  readonly last: boolean
  readonly node: PathNode<Site>
}

/** A site and its place in the order of precedence, from 0. */
export interface RankedPath<Site> {
  readonly value: Site
  readonly rank: number
}

/** A pattern, of which the segments from the depth of a node on are left. */
interface Remainder<Site> {
  readonly segments: Pattern['segments']
  readonly match: RankedPath<Site>
}

/** The tree of these patterns, each of which has a key of its own. */
export const buildPathTree = <Site>(patterns: ReadonlyArray<Remainder<Site>>): PathNode<Site> =>
  nodeOf(patterns, 0, false)

const nodeOf = <Site>(
  remainders: ReadonlyArray<Remainder<Site>>,
  depth: number,
  belowSpanning: boolean,
): PathNode<Site> => {
  // most nodes lack one of the two: a map for each was a sixth of what preparing a matcher allocates
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
