/**
 * Whether a value has no member that is not declared and no number beyond those that there are, at any depth: what it is itself
 * is not asked.
 */
import { admitsInfinity } from '../admits-infinity.ts'
import { isRecord } from '../runtime.ts'
import type { Predicate, Schema } from '../schema.ts'
import { isTest } from '../schema.ts'

const isNoObject: Predicate = (value) => typeof value !== 'object' || value === null

/** What is no object, nor a number that only `Infinity` stands for. */
const isPrimitive: Predicate = (value) =>
  typeof value === 'number' ? Number.isFinite(value) : isNoObject(value)

/** A part that may have any members takes only values that have none. */
export const fitting = (schema: Schema): Predicate => {
  if (isTest(schema)) return admitsInfinity(schema) ? isPrimitive : isNoObject
  switch (schema._tag) {
    case 'Object': {
      const members = schema.members.map(({ key, schema: member }) => ({
        key,
        fits: fitting(member),
      }))
      const byKey = new Map(members.map((member) => [member.key, member]))
      return (value) => {
        if (!isRecord(value)) return isPrimitive(value)
        let at = 0
        for (const key in value) {
          // most values have their members in the order of declaration
          const next = members[at++]
          const member = next?.key === key ? next : byKey.get(key)
          if (member?.fits(value[key]) !== true) return false
        }
        return true
      }
    }
    case 'List':
    case 'Set': {
      const element = fitting(schema.element)
      return (value) => (Array.isArray(value) ? value.every(element) : isPrimitive(value))
    }
    case 'Tuple': {
      const elements = schema.elements.map(fitting)
      return (value) =>
        Array.isArray(value)
          ? value.every((one, position) => elements[position]?.(one) === true)
          : isPrimitive(value)
    }
    case 'Union': {
      const members = schema.members.map(fitting)
      // what one refuses as a number, another takes for no object
      return (value) =>
        (typeof value !== 'number' || Number.isFinite(value)) && members.some((fits) => fits(value))
    }
    case 'Refinement':
    case 'Default':
      return fitting(schema.inner)
    case 'Record':
    case 'Intersection':
    case 'Recursion':
    case 'Opaque':
      return isPrimitive
  }
}
