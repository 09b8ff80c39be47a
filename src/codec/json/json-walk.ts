/** Searches parsed JSON values. */

/**
 * Whether `holds` returns true for a value or for one of its descendants.
 *
 * Iterative, so that deep values do not overflow the stack. `seen` collects visited objects, for values that may be cyclic.
 */
export const someValue = (
  value: unknown,
  holds: (one: unknown) => boolean,
  seen?: Set<object>,
): boolean => {
  if (typeof value !== 'object' || value === null) return holds(value)
  const left: object[] = [value]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (holds(next)) return true
    if (seen?.has(next) === true) continue
    seen?.add(next)
    // JSON arrays have no holes, and copying them took most of the time
    const members: ReadonlyArray<unknown> =
      seen === undefined && Array.isArray(next) ? next : Object.values(next)
    for (const member of members) {
      if (typeof member === 'object' && member !== null) left.push(member)
      else if (holds(member)) return true
    }
  }
  return false
}

/** Whether an object has a member that could change a prototype when libraries merge objects. */
export const reachesPrototype = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.hasOwn(value, '__proto__')) return true
  if (!Object.hasOwn(value, 'constructor')) return false
  const constructor: unknown = Object.getOwnPropertyDescriptor(value, 'constructor')?.value
  return (
    typeof constructor === 'object' &&
    constructor !== null &&
    Object.hasOwn(constructor, 'prototype')
  )
}
