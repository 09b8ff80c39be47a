/**
 * Memoizes recursive codecs with unions or intersections.
 *
 * Each member of a union such as `T = { child: T, a: string } | { child: T, b: string }` validates the child, and each member
 * of the union in the child validates its child: 2^99 times at a depth of 99. The same applies to intersections. With
 * memoization, each object is validated once for each recursive codec.
 */
import type { SchemaWithDefinitions, Schema } from './schema.ts'
import { isTest } from './schema.ts'

/** Returns the cached result for an object if it is still valid, and otherwise calls `run`. */
export type RecursionMemo<A> = (
  codec: unknown,
  value: unknown,
  run: () => A,
  isValid?: (known: A) => boolean,
) => A

/** Creates the cache for one call of a function. */
export const recursionMemo = <A>(): RecursionMemo<A> => {
  const known = new Map<unknown, Map<object, { readonly result: A }>>()
  return (codec, value, run, isValid = () => true) => {
    if (typeof value !== 'object' || value === null) return run()
    const results = known.get(codec) ?? new Map<object, { readonly result: A }>()
    known.set(codec, results)
    const before = results.get(value)
    if (before !== undefined && isValid(before.result)) return before.result
    const result = run()
    results.set(value, { result })
    return result
  }
}

/** Whether several members of a union or intersection contain a recursive codec of the same object or array. */
export const isBranching = (definitions: SchemaWithDefinitions['definitions']): boolean =>
  definitions.some(hasBranches)

const hasBranches = (schema: Schema): boolean => {
  const inner = partsOf(schema)
  const isChoice =
    schema._tag === 'Intersection' || (schema._tag === 'Union' && schema.tag === undefined)
  const recurring = isChoice ? inner.filter(recurs).map(kindOf) : []
  const countOf = (kind: Kind): number =>
    recurring.filter((one) => one === kind || one === 'any').length
  return countOf('object') > 1 || countOf('array') > 1 || inner.some(hasBranches)
}

/** Whether a schema contains a recursive codec. */
const recurs = (schema: Schema): boolean =>
  schema._tag === 'Recursion' || partsOf(schema).some(recurs)

type Kind = 'object' | 'array' | 'any'

/** Returns the kind of values that a schema accepts. */
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

const partsOf = (schema: Schema): ReadonlyArray<Schema> => {
  if (isTest(schema)) return []
  switch (schema._tag) {
    case 'Object':
      return schema.members.map((member) => member.schema)
    case 'Record':
      return [schema.codomain]
    case 'List':
    case 'Set':
      return [schema.element]
    case 'Tuple':
      return schema.elements
    case 'Union':
    case 'Intersection':
      return schema.members
    case 'Refinement':
    case 'Default':
    case 'Attempt':
      return [schema.inner]
    case 'Opaque':
      return schema.decodes === undefined ? [] : [schema.decodes]
    case 'Recursion':
      return []
  }
}
