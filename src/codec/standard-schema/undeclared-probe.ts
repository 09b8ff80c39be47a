/**
 * Finds out whether parsing keeps undeclared members: a member that no schema declares is added to each object, and looked for in
 * the result.
 */
import { isPlain } from './strip-by-json-schema.ts'

const name = 'espalier:undeclared'

/** A value that no schema of data accepts, except for one that accepts anything. */
const undeclared = Symbol(name)

/** Returns a copy of a value in which each object has an undeclared member. */
export const withUndeclared = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withUndeclared)
  if (!isPlain(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, withUndeclared(member)])
  return { ...Object.fromEntries(members), [name]: undeclared }
}

/** Whether a value has an undeclared member that {@link withUndeclared} has added. */
export const hasUndeclared = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasUndeclared)
    : isPlain(value) && (value[name] === undeclared || Object.values(value).some(hasUndeclared))
