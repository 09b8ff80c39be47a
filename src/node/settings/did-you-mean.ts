/**
 * Suggests known names for an unknown one: "did you mean".
 *
 * @see https://en.wikipedia.org/wiki/Levenshtein_distance
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/** Returns a cell of a row; infinity outside of the row. */
const at = (row: ReadonlyArray<number>, cell: number): number => row[cell] ?? Infinity

/** Returns the next row: cell `j` is the distance from the text so far to the first `j` characters of `target`. */
const nextRow =
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

/** Returns the Levenshtein distance of two strings, in code units. */
export const editDistance = (a: string, b: string): number =>
  at(a.split('').reduce(nextRow(b), [...Array(b.length + 1).keys()]), b.length)

/** Returns the first known name with the shortest distance to `name`; `none` if more than a third of it differs. */
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
