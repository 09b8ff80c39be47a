/**
 * Memoizes the results of recursive codecs that contain unions or intersections.
 *
 * In a union such as `T = { child: T, a: string } | { child: T, b: string }`, both members validate the child. Because this
 * repeats at every level, a value at depth 99 would be validated 2^99 times. The same applies to intersections. With
 * memoization, each object is validated only once for each recursive codec.
 */
import type { Schema } from '../schema/schema.ts'
import { partsOf } from '../schema/schema.ts'

/**
 * Returns the cached result for an object. Calls `run` if no result is cached, or if `isValid` returns `false` for the cached
 * result.
 */
export type RecursionMemo<A> = (
  codec: unknown,
  value: unknown,
  run: () => A,
  isValid?: (cached: A) => boolean,
) => A

/** Creates a cache for a single call to a codec function. */
export const recursionMemo = <A>(): RecursionMemo<A> => {
  const cache = new Map<unknown, Map<object, { readonly result: A }>>()
  return (codec, value, run, isValid = () => true) => {
    if (typeof value !== 'object' || value === null) return run()
    const results = cache.get(codec) ?? new Map<object, { readonly result: A }>()
    cache.set(codec, results)
    const cached = results.get(value)
    if (cached !== undefined && isValid(cached.result)) return cached.result
    const result = run()
    results.set(value, { result })
    return result
  }
}

/** The maximum number of recursive schemas that are inspected, because a definition can return a new codec on each call. */
const maxDefinitions = 64

/**
 * Whether a recursive schema contains an intersection or untagged union in which several members are recursive and can describe the
 * same object or array.
 */
export const isBranching = (schema: Schema): boolean => {
  const targets = new Set<() => Schema>()
  const add = (part: Schema): void => {
    if (part._tag === 'Recursion') targets.add(part.target)
    else partsOf(part).forEach(add)
  }
  add(schema)
  // the loop also visits targets that are added during the iteration
  for (const target of targets) {
    if (targets.size > maxDefinitions) return true
    const definition = target()
    if (hasBranches(definition)) return true
    add(definition)
  }
  return false
}

const hasBranches = (schema: Schema): boolean => {
  const inner = partsOf(schema)
  const isChoice =
    schema._tag === 'Intersection' || (schema._tag === 'Union' && schema.tag === undefined)
  const recurring = isChoice ? inner.filter(recurs).map(kindOf) : []
  const countOf = (kind: Kind): number =>
    recurring.filter((candidate) => candidate === kind || candidate === 'any').length
  return countOf('object') > 1 || countOf('array') > 1 || inner.some(hasBranches)
}

/** Whether a schema contains a recursive codec. */
const recurs = (schema: Schema): boolean =>
  schema._tag === 'Recursion' || partsOf(schema).some(recurs)

type Kind = 'object' | 'array' | 'any'

/** Returns the kind of values that a schema accepts: objects, arrays, or possibly both. */
const kindOf = (schema: Schema): Kind => {
  switch (schema._tag) {
    case 'Object':
    case 'Record':
      return 'object'
    case 'List':
    case 'Set':
    case 'Tuple':
      return 'array'
    default:
      return 'any'
  }
}
