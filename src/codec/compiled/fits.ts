/**
 * Checks whether values fit a schema. A value fits if it contains neither undeclared members nor infinite numbers at any depth.
 * The types of members are not checked. `generator/generate-is.ts` generates code for the same check.
 */
import { isRecord } from './runtime.ts'
import type { Schema, Test } from '../schema/schema.ts'
import { isTest } from '../schema/schema.ts'

export const fits = (schema: Schema, value: unknown): boolean => {
  switch (schema._tag) {
    case 'Object': {
      const { members } = schema
      if (!isRecord(value)) return isPrimitive(value)
      let index = 0
      for (const key in value) {
        // fast path: in most values, the members are in the declared order
        const next = members[index++]
        const member = next?.key === key ? next : members.find((candidate) => candidate.key === key)
        if (member === undefined || !fits(member.schema, value[key])) return false
      }
      return true
    }
    case 'List':
    case 'Set':
      return Array.isArray(value)
        ? value.every((element) => fits(schema.element, element))
        : isPrimitive(value)
    case 'Tuple': {
      const { elements } = schema
      if (!Array.isArray(value)) return isPrimitive(value)
      return (
        value.length <= elements.length &&
        elements.every((element, index) => fits(element, value[index]))
      )
    }
    case 'RestTuple': {
      const { elements, rest } = schema
      return Array.isArray(value)
        ? value.every((element, index) => fits(elements[index] ?? rest, element))
        : isPrimitive(value)
    }
    case 'Union':
      // checked first, because a union member that only excludes objects would accept an infinite number
      return (
        (typeof value !== 'number' || Number.isFinite(value)) &&
        schema.members.some((member) => fits(member, value))
      )
    case 'Refinement':
    case 'Default':
    case 'Masked':
      return fits(schema.inner, value)
    case 'Record':
    case 'Intersection':
    case 'Recursion':
    case 'Attempt':
    case 'Opaque':
      return isPrimitive(value)
    default:
      return admitsInfinity(schema)
        ? isPrimitive(value)
        : typeof value !== 'object' || value === null
  }
}

/** Whether a value is neither an object nor an infinite number. */
const isPrimitive = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'object' || value === null

/** Whether a test accepts infinite numbers. */
export const admitsInfinity = (test: Test): boolean => {
  switch (test._tag) {
    case 'Anything':
      return true
    case 'TypeOf':
      return test.type === 'number'
    case 'AnyRecord':
    case 'AnyArray':
    case 'OneOf':
      return false
    case 'AnyOf':
      return test.tests.some(admitsInfinity)
    case 'Holding':
      return (
        test.holds !== Number.isSafeInteger &&
        test.holds !== Number.isFinite &&
        admitsInfinity(test.test)
      )
  }
}

/** The maximum nesting depth of values, and the maximum number of members in their objects. */
export interface Extent {
  /** Maximum nesting depth of arrays and objects. */
  readonly depth: number
  /** Maximum number of members in one object. */
  readonly keys: number
}

/** Returns the maximum extent of the values that fit a schema. The extent is zero if only primitive values can fit the schema. */
export const extentOf = (schema: Schema): Extent => {
  if (isTest(schema)) return noExtent
  switch (schema._tag) {
    case 'Object':
      return enclose(
        schema.members.map((member) => extentOf(member.schema)),
        schema.members.length,
      )
    case 'List':
    case 'Set':
      return enclose([extentOf(schema.element)], 0)
    case 'Tuple':
      return enclose(schema.elements.map(extentOf), 0)
    case 'RestTuple':
      return enclose([...schema.elements, schema.rest].map(extentOf), 0)
    case 'Union':
      return largest(schema.members.map(extentOf))
    case 'Refinement':
    case 'Default':
    case 'Masked':
      return extentOf(schema.inner)
    case 'Record':
    case 'Intersection':
    case 'Recursion':
    case 'Attempt':
    case 'Opaque':
      return noExtent
  }
}

const noExtent: Extent = { depth: 0, keys: 0 }

const largest = (extents: ReadonlyArray<Extent>): Extent => ({
  depth: Math.max(0, ...extents.map(({ depth }) => depth)),
  keys: Math.max(0, ...extents.map(({ keys }) => keys)),
})

const enclose = (inner: ReadonlyArray<Extent>, keys: number): Extent => {
  const maximum = largest(inner)
  return { depth: maximum.depth + 1, keys: Math.max(maximum.keys, keys) }
}
