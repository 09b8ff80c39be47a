/**
 * Generates the check whether values fit a schema. A value fits if it contains neither undeclared members nor infinite numbers at any
 * depth. The types of members are not checked.
 */
import type { JsonBounds } from '../../json/json-guard.ts'
import type { Schema, Test } from '../../schema/schema.ts'
import { isTest, partsOf } from '../../schema/schema.ts'
import type { GenerateBody, GeneratorScope } from './fragments.ts'

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
    case 'Tuple': {
      const { elements, rest } = schema
      return `if (!isArray(u)) return ${primitiveTest('u')}
return ${[
        ...elements.map((element, at) => `(${fitsExpression(element, `u[${at}]`, scope)})`),
        rest === undefined
          ? `u.length <= ${elements.length}`
          : `u.every((a, n) => n < ${elements.length} || ${fitsExpression(rest, 'a', scope)})`,
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

/** Whether a test accepts infinite numbers. */
const admitsInfinity = (test: Test): boolean => {
  switch (test._tag) {
    case 'Anything':
      return true
    case 'TypeOf':
      return test.type === 'number'
    case 'AnyRecord':
    case 'AnyArray':
    case 'OneOf':
      return false
    case 'AnyOf':
      return test.tests.some(admitsInfinity)
    case 'Holding':
      return (
        test.holds !== Number.isSafeInteger &&
        test.holds !== Number.isFinite &&
        admitsInfinity(test.test)
      )
  }
}

/** Returns the maximum extent of the values that fit a schema. The extent is zero if only primitive values can fit the schema. */
export const extentOf = (schema: Schema): JsonBounds => {
  if (isTest(schema)) return noExtent
  const inner = (): JsonBounds => {
    const extents = partsOf(schema).map(extentOf)
    return {
      depth: Math.max(0, ...extents.map(({ depth }) => depth)),
      keys: Math.max(0, ...extents.map(({ keys }) => keys)),
    }
  }
  switch (schema._tag) {
    case 'Object':
    case 'List':
    case 'Set':
    case 'Tuple': {
      const { depth, keys } = inner()
      const ownKeys = schema._tag === 'Object' ? schema.members.length : 0
      return { depth: depth + 1, keys: Math.max(keys, ownKeys) }
    }
    case 'Union':
    case 'Refinement':
    case 'Default':
    case 'Masked':
      return inner()
    case 'Record':
    case 'Intersection':
    case 'Recursion':
    case 'Attempt':
    case 'Opaque':
      return noExtent
  }
}

const noExtent: JsonBounds = { depth: 0, keys: 0 }
