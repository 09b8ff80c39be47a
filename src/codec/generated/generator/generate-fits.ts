/**
 * Generates a check that a value has no undeclared members and no infinite numbers, at any depth. The types of members are not
 * checked.
 */
import { admitsInfinity } from '../fits.ts'
import type { Schema } from '../schema.ts'
import { isTest } from '../schema.ts'
import type { GenerateBody, Scope } from './scope.ts'

export const fitsBody: GenerateBody = (schema, scope) => {
  if (isTest(schema)) return `return ${leaf(schema, 'u')}`
  switch (schema._tag) {
    case 'Object': {
      const names = schema.members.map(({ key }) => `k !== ${JSON.stringify(key)} && `).join('')
      const members = schema.members.map(({ key, schema: member }) => {
        const name = JSON.stringify(key)
        return `const a = u[${name}]; if (!(${fits(member, 'a', scope)})) return false`
      })
      return `if (${noObject('u')}) return ${primitive('u')}
if (isArray(u)) return false
for (const k in u) if (${names}true) return false
${members.map((text) => `{ ${text} }`).join('\n')}
return true`
    }
    case 'List':
    case 'Set':
      return `if (!isArray(u)) return ${primitive('u')}
for (let n = 0; n < u.length; n++) { const a = u[n]; if (!(${fits(schema.element, 'a', scope)})) return false }
return true`
    case 'Tuple':
      return `if (!isArray(u)) return ${primitive('u')}
return ${[
        `u.length <= ${schema.elements.length}`,
        ...schema.elements.map((element, at) => `(${fits(element, `u[${at}]`, scope)})`),
      ].join(' && ')}`
    case 'Union':
      // a number that one member rejects may pass another member, which only excludes objects
      return `return (typeof u !== "number" || u - u === 0) && (${schema.members
        .map((member) => fits(member, 'u', scope))
        .join(' || ')})`
    case 'Refinement':
    case 'Default':
      return `return ${fits(schema.inner, 'u', scope)}`
    case 'Record':
    case 'Intersection':
    case 'Recursion':
    case 'Attempt':
    case 'Opaque':
      return `return ${primitive('u')}`
  }
}

/** Tests for primitive values except infinite numbers. */
const primitive = (variable: string): string =>
  `(typeof ${variable} === "number" ? ${variable} - ${variable} === 0 : ${noObject(variable)})`

const noObject = (variable: string): string =>
  `(typeof ${variable} !== "object" || ${variable} === null)`

const leaf = (schema: Schema, variable: string): string =>
  isTest(schema) && !admitsInfinity(schema) ? noObject(variable) : primitive(variable)

const fits = (schema: Schema, variable: string, scope: Scope): string =>
  isTest(schema) || isLeaf(schema)
    ? leaf(schema, variable)
    : `${scope.functionOf('fits', schema)}(${variable})`

const isLeaf = ({ _tag }: Schema): boolean =>
  _tag === 'Record' ||
  _tag === 'Intersection' ||
  _tag === 'Recursion' ||
  _tag === 'Attempt' ||
  _tag === 'Opaque'
