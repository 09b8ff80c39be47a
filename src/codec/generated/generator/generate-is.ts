/** Generates type guards: functions that test whether a value belongs to the decoded type. */
import type { ObjectSchema, Schema } from '../schema.ts'
import { isTest } from '../schema.ts'
import { isText } from './generate-encode.ts'
import { isPresent, guardRecord } from './fragments.ts'
import type { GenerateBody, Scope } from './scope.ts'
import { testExpression } from './generate-test.ts'
import { selectByTag } from './fragments.ts'

export const isBody: GenerateBody = (schema, scope) => {
  if (isTest(schema)) return `return ${testExpression(schema, 'u', scope)}`
  switch (schema._tag) {
    case 'Object':
      return objectBody(schema, scope)
    case 'Record':
      return `${guardRecord(`return ${scope.constant(schema.codec)}.is(u)`)}
for (const k of keysOf(u)) if (${testExpression(schema.domain, 'k', scope)} && !${of(schema.codomain, 'u[k]', scope)}) return false
return true`
    case 'List':
      return `return isArray(u) && u.every((a) => ${isText(schema.element, 'a', scope)})`
    case 'Set':
      return `if (!(u instanceof Set)) return false
for (const a of u) if (!${of(schema.element, 'a', scope)}) return false
return true`
    case 'Tuple':
      return `return ${[
        `isArray(u) && u.length === ${schema.elements.length}`,
        ...schema.elements.map((element, at) => isText(element, `u[${at}]`, scope)),
      ].join(' && ')}`
    case 'Union':
      return schema.tag === undefined
        ? `return ${schema.members.map((member) => isText(member, 'u', scope)).join(' || ')}`
        : selectByTag(schema, schema.tag, (member) => isText(member, 'u', scope), 'false', scope)
    case 'Intersection':
      return `return ${schema.members.map((member) => isText(member, 'u', scope)).join(' && ')}`
    case 'Refinement':
      return `return ${isText(schema.inner, 'u', scope)} && ${scope.constant(schema.holds)}(u)`
    case 'Default':
      return `return ${isText(schema.inner, 'u', scope)}`
    case 'Recursion':
      return `return ${isText(schema, 'u', scope)}`
    case 'Attempt':
    case 'Opaque':
      return `return ${scope.constant(schema.codec)}.is(u)`
  }
}

const of = (schema: Schema, variable: string, scope: Scope): string =>
  `(${isText(schema, variable, scope)})`

const objectBody = ({ members }: ObjectSchema, scope: Scope): string => {
  const conditions = members.map((member, at) => {
    const test = isText(member.schema, `a${at}`, scope)
    const holds = member.required
      ? `${isPresent(member.key, `a${at}`)} && (${test})`
      : `(a${at} === undefined || ${test})`
    return `const a${at} = u[${JSON.stringify(member.key)}]
if (!(${holds})) return false`
  })
  return `${guardRecord('return false')}
${conditions.join('\n')}
return true`
}
