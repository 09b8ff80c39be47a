/**
 * "Did you mean": the known name nearest to one that nobody knows.
 *
 * @see https://en.wikipedia.org/wiki/Levenshtein_distance
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/** A cell of a row; outside of the row everything is infinitely far away. */
const at = (row: ReadonlyArray<number>, cell: number): number => row[cell] ?? Infinity

/** The row below: cell `j` is the distance from the text so far to the first `j` characters of `target`. */
const below =
  (target: string) =>
  (above: ReadonlyArray<number>, character: string): ReadonlyArray<number> =>
    target
      .split('')
      .reduce<ReadonlyArray<number>>(
        (row, other, j) => [
          ...row,
          Math.min(
            at(above, j + 1) + 1,
            at(row, j) + 1,
            at(above, j) + (other === character ? 0 : 1),
          ),
        ],
        [at(above, 0) + 1],
      )

/** How many code units have to be inserted, removed or replaced to make one text the other. */
export const editDistance = (a: string, b: string): number =>
  at(a.split('').reduce(below(b), [...Array(b.length + 1).keys()]), b.length)

/** The known name nearest to `name`, the earlier of two equally near; `none` when more than a third of it would change. */
export const nearestName =
  (known: ReadonlyArray<string>) =>
  (name: string): O.Option<string> =>
    pipe(
      known
        .map((candidate) => ({ candidate, changes: editDistance(name, candidate) }))
        .toSorted((a, b) => a.changes - b.changes)
        .at(0),
      O.fromNullable,
      O.filter(({ candidate, changes }) => changes * 3 <= Math.max(name.length, candidate.length)),
      O.map(({ candidate }) => candidate),
    )
