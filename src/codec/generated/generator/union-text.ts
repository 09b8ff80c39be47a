/** The choice among the members of a union, as text. */
import type { Schema, UnionSchema } from '../schema.ts'
import type { Scope } from './scope.ts'
import { testText } from './generate-test.ts'

/**
 * Returns what the member that the tag names makes of `u`; otherwise, what `none` says. The other members are not asked,
 * because a predicate of theirs may not know such values.
 */
export const byTag = (
  { members }: UnionSchema,
  tag: NonNullable<UnionSchema['tag']>,
  made: (member: Schema) => string,
  none: string,
  scope: Scope,
): string => {
  const choices = members.flatMap((member, at) => {
    const test = tag.tests[at]
    return test === undefined ? [] : [`if (${testText(test, 'a', scope)}) return ${made(member)}`]
  })
  return `if (typeof u === "object" && u !== null && !isArray(u)) {
const a = u[${JSON.stringify(tag.key)}]
${choices.join('\n')}
}
return ${none}`
}
