/** Compares JSON values, and describes their differences for people. */
import { isDeepStrictEqual } from 'node:util'

/** A difference between a committed value and the generated value at a JSON pointer. */
export interface Difference {
  /** The JSON pointer (RFC 6901) of the value. Indexes are those of the committed array, or of the generated one if added. */
  readonly pointer: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly committed?: unknown
  readonly generated?: unknown
}

/**
 * Returns the differences between two JSON values. The order of members is ignored. The elements of arrays are compared by index,
 * after the elements at their start and end that are equal.
 */
export const differences = (
  committed: unknown,
  generated: unknown,
  pointer = '',
): ReadonlyArray<Difference> => {
  if (Object.is(committed, generated)) return []
  if (Array.isArray(committed) && Array.isArray(generated))
    return differentElements(committed, generated, pointer)
  if (isObject(committed) && isObject(generated))
    return differentMembers(committed, generated, pointer)
  return [{ pointer, kind: 'changed', committed, generated }]
}

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const differentMembers = (
  committed: JsonObject,
  generated: JsonObject,
  pointer: string,
): ReadonlyArray<Difference> =>
  [...new Set([...Object.keys(committed), ...Object.keys(generated)])].flatMap((name) =>
    differenceAt(
      `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      Object.hasOwn(committed, name) ? [committed[name]] : [],
      Object.hasOwn(generated, name) ? [generated[name]] : [],
    ),
  )

/** Compares two values that may be missing. */
const differenceAt = (
  pointer: string,
  committed: ReadonlyArray<unknown>,
  generated: ReadonlyArray<unknown>,
): ReadonlyArray<Difference> => {
  if (committed.length === 0) return [{ pointer, kind: 'added', generated: generated[0] }]
  if (generated.length === 0) return [{ pointer, kind: 'removed', committed: committed[0] }]
  return differences(committed[0], generated[0], pointer)
}

const differentElements = (
  committed: ReadonlyArray<unknown>,
  generated: ReadonlyArray<unknown>,
  pointer: string,
): ReadonlyArray<Difference> => {
  const shortest = Math.min(committed.length, generated.length)
  const start = countEqual(shortest, (at) => [committed[at], generated[at]])
  const end = countEqual(shortest - start, (at) => [committed.at(-1 - at), generated.at(-1 - at)])
  const before = committed.slice(start, committed.length - end)
  const after = generated.slice(start, generated.length - end)
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) =>
    differenceAt(`${pointer}/${start + at}`, before.slice(at, at + 1), after.slice(at, at + 1)),
  ).flat()
}

/** Counts the leading pairs that are equal. */
const countEqual = (limit: number, pairAt: (at: number) => readonly [unknown, unknown]): number => {
  const indexes = Array.from({ length: limit }, (_, at) => at)
  return indexes.find((at) => !isDeepStrictEqual(...pairAt(at))) ?? limit
}

/** The number of differences that are listed. */
const maxDifferences = 20

/** The number of characters of a value that are printed. */
const maxValueLength = 120

const signs = { added: '+', removed: '-', changed: '~' } as const

/** Formats differences, each with its JSON pointer and the values. Lists at most 20 differences, and truncates long values. */
export const formatDifferences = (all: ReadonlyArray<Difference>): string =>
  [
    ...all.slice(0, maxDifferences).map(formatDifference),
    ...(all.length > maxDifferences ? [`… and ${all.length - maxDifferences} more`] : []),
  ].join('\n')

const formatDifference = ({ pointer, kind, committed, generated }: Difference): string =>
  [
    `${signs[kind]} ${pointer === '' ? '(the document)' : pointer}`,
    ...(kind === 'added' ? [] : [`    committed: ${formatValue(committed)}`]),
    ...(kind === 'removed' ? [] : [`    generated: ${formatValue(generated)}`]),
  ].join('\n')

const formatValue = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}
