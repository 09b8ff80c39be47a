/** Code fragments for objects and tagged unions. */
import type { Member, Schema, UnionSchema } from '../schema.ts'
import { isTest } from '../schema.ts'
import { acceptsUndefined, testExpression } from './generate-test.ts'
import type { Scope } from './scope.ts'

export const guardRecord = (statement: string): string =>
  `if (typeof u !== "object" || u === null || isArray(u)) ${statement}`

/** Returns `u` if the conditions hold and it has no undeclared members. */
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

/** Returns the condition that a member is present. */
export const isPresent = (key: string, variable: string): string =>
  `(${variable} !== undefined || hasOwn(u, ${JSON.stringify(key)}))`

/** Returns the condition that a member is present, if `undefined` can be decoded. */
export const isPresentAfterDecoding = (
  { key, schema }: Member,
  variable: string,
): ReadonlyArray<string> =>
  (isTest(schema) ? acceptsUndefined(schema) : !structures.has(schema._tag))
    ? [isPresent(key, variable)]
    : []

const structures: ReadonlySet<string> = new Set(['Object', 'Record', 'List', 'Tuple', 'Set'])

/**
 * Selects a union member by the tag of `u`, and otherwise evaluates `none`. Other members are not evaluated, because their
 * predicates may not support the value.
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
