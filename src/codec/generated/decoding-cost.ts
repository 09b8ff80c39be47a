/** Estimates the cost of decoding a value, which determines how large values are divided into steps (`large-values.ts`). */
import { isRecord } from './runtime.ts'
import type { Schema, SchemaWithDefinitions } from './schema.ts'
import { isLeaf, isTest } from './schema.ts'

/**
 * Subtracts the cost of decoding a value from `rest` and returns the difference. The estimate ends early if the difference is
 * negative, so it takes at most as long as `rest` allows.
 *
 * The unit is the cost of a test such as `typeof`. A union costs as much as all its members together, because each of them might
 * have to be tried.
 */
export type SpendCost = (value: unknown, rest: number, large: LargeValues) => number

/**
 * Collects values that are certainly large, so that they are not estimated again when an enclosing value has been divided.
 * Otherwise, estimating a value at depth 99 would take 99 times as long.
 */
export interface LargeValues {
  /** The cost above which a value is large. */
  readonly threshold: number
  readonly values: Set<unknown>
}

/** Adds a value whose cost is at least `rest` if `left` is negative. Returns `left`. */
const noteLarge = (value: unknown, rest: number, left: number, large: LargeValues): number => {
  if (left < 0 && rest >= large.threshold) large.values.add(value)
  return left
}

/** The cost of a leaf whose codec has to be called. For example, a date takes 1 to 5 µs. */
const leafCost = 16

/** Functions that estimate costs. */
export interface DecodingCost {
  /** Returns the function that estimates the cost for a value of a schema. */
  readonly spendOf: (schema: Schema) => SpendCost
  /** Returns the cost for every value of a schema. Returns `undefined` if the cost depends on the value. */
  readonly fixedCost: (schema: Schema) => number | undefined
}

/** Creates the functions that estimate costs. They are computed once for each schema. */
export const decodingCost = (definitions: SchemaWithDefinitions['definitions']): DecodingCost => {
  const fixedCost = memoize(fixedCostOf)
  const spendOf = memoize((schema: Schema): SpendCost => {
    const fixed = fixedCost(schema)
    if (fixed !== undefined) return (_, rest) => rest - fixed
    switch (schema._tag) {
      case 'Object':
        return spendParts(
          schema.members.map(({ key, schema: of }) => [key, of]),
          isRecord,
        )
      case 'Tuple':
        return spendParts([...schema.elements.entries()], isTuple)
      case 'Record': {
        const spend = spendOf(schema.codomain)
        return (value, rest, large) => {
          let left = rest - 1
          if (isRecord(value))
            for (const key in value) {
              left = spend(value[key], left, large)
              if (left < 0) break
            }
          return noteLarge(value, rest, left, large)
        }
      }
      case 'List':
      case 'Set': {
        const spend = spendElements(schema.element)
        return (value, rest, large) => (Array.isArray(value) ? spend(value, rest, large) : rest - 1)
      }
      case 'Union':
      case 'Intersection': {
        const { fixed: total, variable } = divideParts([...schema.members.entries()])
        return (value, rest, large) => {
          let left = rest - total
          for (let at = 0; at < variable.length && left >= 0; at++)
            left = variable[at]?.spend(value, left, large) ?? left
          return left
        }
      }
      case 'Refinement':
      case 'Default':
      case 'Attempt':
        return spendOf(schema.inner)
      case 'Opaque':
        return schema.decodes === undefined ? spendLeaf : spendOf(schema.decodes)
      case 'Recursion': {
        const definition = definitions[schema.definition]
        if (definition === undefined) return spendLeaf
        let spend: SpendCost | undefined
        return (value, rest, large) =>
          rest < 0 ? rest : (spend ??= spendOf(definition))(value, rest - 1, large)
      }
      default:
        return spendLeaf
    }
  })
  /** Divides the parts of a schema into those of fixed cost, whose total cost is returned, and the others. */
  const divideParts = <K>(parts: ReadonlyArray<readonly [key: K, schema: Schema]>) => ({
    fixed: parts.reduce((total, [, part]) => total + (fixedCost(part) ?? 0), 1),
    variable: parts.flatMap(([key, part]) =>
      fixedCost(part) === undefined ? [{ key, spend: spendOf(part) }] : [],
    ),
  })
  /** Returns the function for a value with parts, which `hasParts` recognizes. */
  const spendParts = (
    parts: ReadonlyArray<readonly [key: PropertyKey, schema: Schema]>,
    hasParts: (value: unknown) => value is Readonly<Record<PropertyKey, unknown>>,
  ): SpendCost => {
    const { fixed, variable } = divideParts(parts)
    return (value, rest, large) => {
      let left = rest - fixed
      if (hasParts(value))
        for (let at = 0; at < variable.length && left >= 0; at++) {
          const part = variable[at]
          if (part !== undefined) left = part.spend(value[part.key], left, large)
        }
      return noteLarge(value, rest, left, large)
    }
  }
  const spendElements = (element: Schema) => {
    const fixed = fixedCost(element)
    if (fixed !== undefined)
      return (values: ReadonlyArray<unknown>, rest: number) => rest - 1 - fixed * values.length
    const spend = spendOf(element)
    return (values: ReadonlyArray<unknown>, rest: number, large: LargeValues) => {
      let left = rest - 1
      for (let at = 0; at < values.length && left >= 0; at++) left = spend(values[at], left, large)
      return noteLarge(values, rest, left, large)
    }
  }
  return { spendOf, fixedCost }
}

const isTuple = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  Array.isArray(value)

const spendLeaf: SpendCost = (_, rest) => rest - leafCost

const memoize = <A>(compute: (schema: Schema) => A): ((schema: Schema) => A) => {
  const results = new Map<Schema, { readonly result: A }>()
  return (schema) => {
    const known = results.get(schema)
    if (known !== undefined) return known.result
    const result = compute(schema)
    results.set(schema, { result })
    return result
  }
}

const fixedCostOf = (schema: Schema): number | undefined => {
  if (isTest(schema)) return 1
  if (isLeaf(schema)) return leafCost
  switch (schema._tag) {
    case 'Object':
      return totalCost(schema.members.map((member) => member.schema))
    case 'Tuple':
      return totalCost(schema.elements)
    case 'Union':
    case 'Intersection':
      return totalCost(schema.members)
    case 'Refinement':
    case 'Default':
    case 'Attempt':
      return fixedCostOf(schema.inner)
    case 'Opaque':
      return schema.decodes && fixedCostOf(schema.decodes)
    default:
      return undefined
  }
}

/** Returns the sum of the fixed costs of all parts, plus one for the enclosing value. */
const totalCost = (parts: ReadonlyArray<Schema>): number | undefined => {
  let total = 1
  for (const part of parts) {
    const cost = fixedCostOf(part)
    if (cost === undefined) return undefined
    total += cost
  }
  return total
}
