/**
 * Whether a value has no undeclared member and no infinite number, at any depth. The types of members are not checked.
 * `source/fits-text.ts` generates the same function.
 */
import { admitsInfinity } from './admits-infinity.ts'
import { isRecord } from './runtime.ts'
import type { Schema } from './schema.ts'

export const fits = (schema: Schema, value: unknown): boolean => {
  switch (schema._tag) {
    case 'Object': {
      const { members } = schema
      if (!isRecord(value)) return isPrimitive(value)
      let index = 0
      for (const key in value) {
        // most values have their members in the declared order
        const next = members[index++]
        const member = next?.key === key ? next : members.find((one) => one.key === key)
        if (member === undefined || !fits(member.schema, value[key])) return false
      }
      return true
    }
    case 'List':
    case 'Set':
      return Array.isArray(value)
        ? value.every((one) => fits(schema.element, one))
        : isPrimitive(value)
    case 'Tuple': {
      const { elements } = schema
      if (!Array.isArray(value)) return isPrimitive(value)
      return (
        value.length <= elements.length &&
        elements.every((element, index) => fits(element, value[index]))
      )
    }
    case 'Union':
      // a number that one member rejects may look like no object to another
      return (
        (typeof value !== 'number' || Number.isFinite(value)) &&
        schema.members.some((member) => fits(member, value))
      )
    case 'Refinement':
    case 'Default':
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

/** Neither an object nor an infinite number. A schema that accepts any members fits primitive values only. */
const isPrimitive = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'object' || value === null
