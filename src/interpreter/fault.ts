/** Puts the errors of io-ts into words: where, and what was expected. The value that was refused is not repeated. */
import type * as t from 'io-ts'
import type { Fault } from '../http/failure.ts'
import * as JsonPointer from '../http/json-pointer.ts'

/** No more errors than this are looked at: a large body against a union can have hundreds of thousands. */
const mostSeen = 1000

/** A place in a value, and what was expected there. */
interface Seen {
  readonly path: ReadonlyArray<string>
  readonly expected: ReadonlyArray<string>
  readonly missing: boolean
}

/** The faults of a parameter: one, whatever its structure. */
export const ofParameter = (place: Pick<Fault, 'in' | 'name'>, errors: t.Errors): Fault => {
  const seen = gather(errors)
  // an optional parameter that is there has to be what it is declared as; that it may be missing helps nobody
  const expected = [...new Set(seen.flatMap((one) => one.expected))]
    .filter((name) => name !== 'undefined')
    .join(' or ')
  return {
    ...place,
    detail: seen.every(({ missing }) => missing)
      ? `is required: ${expected}`
      : `has to be: ${expected}`,
  }
}

/** The faults of a body, one for each place. */
export const ofBody = (errors: t.Errors): ReadonlyArray<Fault> =>
  gather(errors).map(({ path, expected, missing }) => ({
    in: 'body',
    pointer: JsonPointer.format(path),
    detail: `${missing ? 'is required' : 'has to be'}: ${expected.join(' or ')}`,
  }))

const gather = (errors: t.Errors): ReadonlyArray<Seen> => {
  const byPlace = new Map<string, Seen>()
  for (const error of errors.slice(0, mostSeen)) {
    const path = pathOf(error.context)
    const key = JSON.stringify(path)
    const expected = error.message ?? error.context.at(-1)?.type.name ?? ''
    const before = byPlace.get(key)?.expected ?? []
    byPlace.set(key, {
      path,
      expected: before.includes(expected) ? before : [...before, expected],
      missing: error.value === undefined,
    })
  }
  return [...byPlace.values()]
}

/** The keys on the way to an error, without the positions that io-ts notes for members of unions and intersections. */
const pathOf = (context: t.Context): ReadonlyArray<string> =>
  context.flatMap(({ key }, index) => {
    const parent = context[index - 1]
    return parent === undefined || hasMembers(parent.type) ? [] : [key]
  })

const hasMembers = (type: t.ContextEntry['type']): boolean =>
  '_tag' in type && (type._tag === 'UnionType' || type._tag === 'IntersectionType')
