/** What functions for objects have in common, as text. */
import type { Member } from '../schema.ts'
import { isTest } from '../schema.ts'
import { acceptsUndefined } from './generate-test.ts'

export const unlessRecord = (statement: string): string =>
  `if (typeof u !== "object" || u === null || isArray(u)) ${statement}`

/** Returns `u` itself when the conditions hold and it has no other member beside. */
export const beside = (
  conditions: ReadonlyArray<string>,
  members: ReadonlyArray<Member>,
): string => {
  const undeclared = members.map(({ key }) => `k !== ${JSON.stringify(key)} && `).join('')
  return `${conditions.length === 0 ? '' : `if (${conditions.join(' && ')}) `}unchanged: {
  for (const k in u) if (${undeclared}hasOwn(u, k)) break unchanged
  return u
}`
}

/** The condition that a member is there. */
export const exists = (key: string, variable: string): string =>
  `(${variable} !== undefined || hasOwn(u, ${JSON.stringify(key)}))`

/** The condition that a member is there, where `undefined` could be decoded. */
export const existsDecoded = ({ key, schema }: Member, variable: string): ReadonlyArray<string> =>
  (isTest(schema) ? acceptsUndefined(schema) : !structures.has(schema._tag))
    ? [exists(key, variable)]
    : []

const structures: ReadonlySet<string> = new Set(['Object', 'Record', 'List', 'Tuple', 'Set'])
