/** What functions for objects have in common, as text. */
import type { Member, Schema, UnionSchema } from '../schema.ts'
import { isTest } from '../schema.ts'
import { acceptsUndefined, testExpression } from './generate-test.ts'
import type { Scope } from './scope.ts'

export const guardRecord = (statement: string): string =>
  `if (typeof u !== "object" || u === null || isArray(u)) ${statement}`

/** Returns `u` itself when the conditions hold and it has no other member beside. */
export const returnUnchanged = (
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
export const isPresent = (key: string, variable: string): string =>
  `(${variable} !== undefined || hasOwn(u, ${JSON.stringify(key)}))`

/** The condition that a member is there, where `undefined` could be decoded. */
export const isPresentAfterDecoding = (
  { key, schema }: Member,
  variable: string,
): ReadonlyArray<string> =>
  (isTest(schema) ? acceptsUndefined(schema) : !structures.has(schema._tag))
    ? [isPresent(key, variable)]
    : []

const structures: ReadonlySet<string> = new Set(['Object', 'Record', 'List', 'Tuple', 'Set'])

/**
 * Returns what the member that the tag names makes of `u`; otherwise, what `none` says. The other members are not asked,
 * because a predicate of theirs may not know such values.
 */
export const selectByTag = (
  { members }: UnionSchema,
  tag: NonNullable<UnionSchema['tag']>,
  made: (member: Schema) => string,
  none: string,
  scope: Scope,
): string => {
  const choices = members.flatMap((member, at) => {
    const test = tag.tests[at]
    return test === undefined
      ? []
      : [`if (${testExpression(test, 'a', scope)}) return ${made(member)}`]
  })
  return `if (typeof u === "object" && u !== null && !isArray(u)) {
const a = u[${JSON.stringify(tag.key)}]
${choices.join('\n')}
}
return ${none}`
}
