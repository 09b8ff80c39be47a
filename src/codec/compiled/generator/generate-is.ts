/** Generates type guards, which check whether a value has the decoded type. */
import type { ObjectSchema, Schema } from '../../schema/schema.ts'
import { isTest } from '../../schema/schema.ts'
import { isExpression } from './generate-encode.ts'
import { inheritsMember, isPresent, guardRecord, selectByTag, testExpression } from './fragments.ts'
import type { GenerateBody, GeneratorScope } from './fragments.ts'

export const isBody: GenerateBody = (schema, scope) => {
  if (isTest(schema)) return `return ${testExpression(schema, 'u', scope)}`
  switch (schema._tag) {
    case 'Object':
      return inheritsMember(schema) ? interpretedBody(schema, scope) : objectBody(schema, scope)
    case 'Record':
      if (!isTest(schema.domain)) return interpretedBody(schema, scope)
      return `${guardRecord(interpretedBody(schema, scope))}
for (const k of keysOf(u)) if (${testExpression(schema.domain, 'k', scope)} && !${negatable(schema.codomain, 'u[k]', scope)}) return false
return true`
    case 'List':
      return `return isArray(u) && u.every((a) => ${isExpression(schema.element, 'a', scope)})`
    case 'Set':
      return `if (!isSet(u)) return false
for (const a of u) if (!${negatable(schema.element, 'a', scope)}) return false
return true`
    case 'Tuple': {
      const { elements, rest } = schema
      const conditions = [
        `isArray(u) && u.length ${rest === undefined ? '===' : '>='} ${elements.length}`,
        ...elements.map((element, at) => isExpression(element, `u[${at}]`, scope)),
      ]
      return `if (!(${conditions.join(' && ')})) return false
${rest === undefined ? '' : `for (let n = ${elements.length}; n < u.length; n++) if (!${negatable(rest, 'u[n]', scope)}) return false`}
return true`
    }
    case 'Union':
      return schema.tag === undefined
        ? `return ${schema.members.map((member) => isExpression(member, 'u', scope)).join(' || ')}`
        : selectByTag(
            schema,
            schema.tag,
            (member) => isExpression(member, 'u', scope),
            'false',
            scope,
          )
    case 'Intersection':
      return `return ${schema.members.map((member) => isExpression(member, 'u', scope)).join(' && ')}`
    case 'Refinement':
      return `return ${isExpression(schema.inner, 'u', scope)} && ${scope.constant(schema.holds)}(u)`
    case 'Default':
    case 'Masked':
      return `return ${isExpression(schema.inner, 'u', scope)}`
    case 'Recursion':
      return `return ${isExpression(schema, 'u', scope)}`
    case 'Opaque':
      return `return ${scope.constant(schema.codec)}.is(u)`
    case 'Attempt':
      return interpretedBody(schema, scope)
  }
}

const interpretedBody: GenerateBody = (schema, scope) =>
  `return ${scope.constant(scope.interpreted('is', schema))}(u)`

const negatable = (schema: Schema, variable: string, scope: GeneratorScope): string =>
  `(${isExpression(schema, variable, scope)})`

const objectBody = ({ members }: ObjectSchema, scope: GeneratorScope): string => {
  const conditions = members.map((member, at) => {
    const test = isExpression(member.schema, `a${at}`, scope)
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
