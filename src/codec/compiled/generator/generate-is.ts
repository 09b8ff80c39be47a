/** Generates type guards, which check whether a value has the decoded type, and the code for the check in `fits.ts`. */
import type { ObjectSchema, Schema } from '../../schema/schema.ts'
import { isTest } from '../../schema/schema.ts'
import { isExpression } from './generate-encode.ts'
import { inheritsMember, isPresent, guardRecord, selectByTag, testExpression } from './fragments.ts'
import type { GenerateBody, GeneratorScope } from './scope.ts'
import { admitsInfinity } from '../fits.ts'

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
    case 'Tuple':
      return `return ${[
        `isArray(u) && u.length === ${schema.elements.length}`,
        ...schema.elements.map((element, at) => isExpression(element, `u[${at}]`, scope)),
      ].join(' && ')}`
    case 'RestTuple': {
      const { elements, rest } = schema
      return `return ${[
        `isArray(u) && u.length >= ${elements.length}`,
        ...elements.map((element, at) => isExpression(element, `u[${at}]`, scope)),
        `u.every((a, n) => n < ${elements.length} || ${isExpression(rest, 'a', scope)})`,
      ].join(' && ')}`
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

export const fitsBody: GenerateBody = (schema, scope) => {
  if (isTest(schema)) return `return ${leafTest(schema, 'u')}`
  switch (schema._tag) {
    case 'Object': {
      const names = schema.members.map(({ key }) => `k !== ${JSON.stringify(key)} && `).join('')
      const members = schema.members.map(({ key, schema: member }) => {
        const name = JSON.stringify(key)
        return `const a = u[${name}]; if (!(${fitsExpression(member, 'a', scope)})) return false`
      })
      return `if (${nonObjectTest('u')}) return ${primitiveTest('u')}
if (isArray(u)) return false
for (const k in u) if (${names}true) return false
${members.map((text) => `{ ${text} }`).join('\n')}
return true`
    }
    case 'List':
    case 'Set':
      return `if (!isArray(u)) return ${primitiveTest('u')}
for (let n = 0; n < u.length; n++) { const a = u[n]; if (!(${fitsExpression(schema.element, 'a', scope)})) return false }
return true`
    case 'Tuple':
      return `if (!isArray(u)) return ${primitiveTest('u')}
return ${[
        `u.length <= ${schema.elements.length}`,
        ...schema.elements.map((element, at) => `(${fitsExpression(element, `u[${at}]`, scope)})`),
      ].join(' && ')}`
    case 'RestTuple': {
      const { elements, rest } = schema
      return `if (!isArray(u)) return ${primitiveTest('u')}
return ${[
        ...elements.map((element, at) => `(${fitsExpression(element, `u[${at}]`, scope)})`),
        `u.every((a, n) => n < ${elements.length} || ${fitsExpression(rest, 'a', scope)})`,
      ].join(' && ')}`
    }
    case 'Union':
      // checked first, because a union member that only excludes objects would accept an infinite number
      return `return (typeof u !== "number" || u - u === 0) && (${schema.members
        .map((member) => fitsExpression(member, 'u', scope))
        .join(' || ')})`
    case 'Refinement':
    case 'Default':
    case 'Masked':
      return `return ${fitsExpression(schema.inner, 'u', scope)}`
    case 'Record':
    case 'Intersection':
    case 'Recursion':
    case 'Attempt':
    case 'Opaque':
      return `return ${primitiveTest('u')}`
  }
}

/** Returns a condition that is true if a variable contains neither an object nor an infinite number. */
const primitiveTest = (variable: string): string =>
  `(typeof ${variable} === "number" ? ${variable} - ${variable} === 0 : ${nonObjectTest(variable)})`

const nonObjectTest = (variable: string): string =>
  `(typeof ${variable} !== "object" || ${variable} === null)`

const leafTest = (schema: Schema, variable: string): string =>
  isTest(schema) && !admitsInfinity(schema) ? nonObjectTest(variable) : primitiveTest(variable)

const fitsExpression = (schema: Schema, variable: string, scope: GeneratorScope): string =>
  isTest(schema) || isLeaf(schema)
    ? leafTest(schema, variable)
    : `${scope.functionOf('fits', schema)}(${variable})`

const isLeaf = ({ _tag }: Schema): boolean =>
  _tag === 'Record' ||
  _tag === 'Intersection' ||
  _tag === 'Recursion' ||
  _tag === 'Attempt' ||
  _tag === 'Opaque'
