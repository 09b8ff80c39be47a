/** Generates functions that encode values. */
import { prepareRebuild } from '../runtime.ts'
import type {
  ObjectSchema,
  RecordSchema,
  Schema,
  TupleSchema,
  UnionSchema,
} from '../../schema/schema.ts'
import { hidesAny, isTest, encodesByIdentity } from '../../schema/schema.ts'
import {
  inheritsMember,
  returnUnchanged,
  isPresent,
  guardRecord,
  testExpression,
  selectByTag,
} from './fragments.ts'
import type { GenerateBody, GeneratorScope } from './fragments.ts'

export const encodeBody: GenerateBody = (schema, scope) => {
  if (isTest(schema) || encodesByIdentity(schema)) return 'return u'
  const otherwise = `${scope.constant(scope.interpreted('encode', schema))}(u)`
  switch (schema._tag) {
    case 'Object':
      return objectBody(schema, otherwise, scope)
    case 'Record':
      return recordBody(schema, otherwise, scope)
    case 'List':
      return `if (!isArray(u)) return ${otherwise}
let r = u
for (let n = 0; n < u.length; n++) {
  const a = u[n]
  if (a === undefined && !(n in u)) continue
  const b = ${encodeExpression(schema.element, 'a', scope)}
  if (b === a) continue
  if (r === u) r = u.slice()
  r[n] = b
}
return r`
    case 'Set':
      return `if (!isSet(u)) return ${otherwise}
const r = []
for (const a of u) r.push(${encodeExpression(schema.element, 'a', scope)})
return r`
    case 'Tuple':
      return tupleBody(schema, otherwise, scope)
    case 'Union':
      return unionBody(schema, otherwise, scope)
    case 'Intersection':
      if (schema.encodedBy !== undefined)
        return `return ${scope.constant(schema.encodedBy)}.encode(u)`
      return `return ${scope.constant(schema.merge)}(u, [${schema.members.map((member) => encodeExpression(member, 'u', scope)).join(', ')}])`
    case 'Refinement':
    case 'Default':
      return `return ${encodeExpression(schema.inner, 'u', scope)}`
    case 'Recursion':
      return `return ${encodeExpression(schema, 'u', scope)}`
    case 'Masked':
      return `return ${scope.constant(schema.mask)}(${encodeExpression(schema.inner, 'u', scope)})`
    case 'Opaque':
      return `return ${schema.encodes === undefined ? `${scope.constant(schema.codec)}.encode(u)` : encodeExpression(schema.encodes, 'u', scope)}`
    case 'Attempt':
      return `return ${otherwise}`
  }
}

/** Returns an expression that encodes the value of a variable. */
export const encodeExpression = (schema: Schema, variable: string, scope: GeneratorScope): string =>
  encodesByIdentity(schema) ? variable : `${scope.functionOf('encode', schema)}(${variable})`

/** Generates an encoder for objects. The encoder skips members whose values are always encoded unchanged. */
const objectBody = (schema: ObjectSchema, otherwise: string, scope: GeneratorScope): string => {
  if (inheritsMember(schema)) return `return ${otherwise}`
  const members = schema.members.filter(({ hidden }) => !hidden)
  const rebuild = scope.constant(
    prepareRebuild(
      members,
      true,
      members.map((member) => member.required && !encodesByIdentity(member.schema)),
      scope.interpreted('encode', schema),
    ),
  )
  const parts = members.map((member, at) => {
    const { key, required } = member
    const name = JSON.stringify(key)
    if (encodesByIdentity(member.schema))
      return { text: '', before: `u[${name}]`, after: `u[${name}]`, same: [] }
    const result = encodeExpression(member.schema, `a${at}`, scope)
    return {
      text: `const a${at} = u[${name}]
const b${at} = ${required ? result : `a${at} === undefined ? undefined : ${result}`}
`,
      before: `a${at}`,
      after: `b${at}`,
      same: [`b${at} === a${at}`, ...(required ? [isPresent(key, `a${at}`)] : [])],
    }
  })
  // io-ts copies a class instance to a plain object unless all member codecs encode by identity
  const copies =
    schema.merged !== undefined ||
    hidesAny(schema) ||
    members.some((member) => !encodesByIdentity(member.schema))
  const declared = scope.constant(new Set(members.map(({ key }) => key)))
  return `${guardRecord(`return ${otherwise}`)}
if (getPrototypeOf(u) !== objectPrototype) return ${copies ? otherwise : `hasOnly(u, ${declared}) ? u : ${otherwise}`}
${parts.map(({ text }) => text).join('')}${returnUnchanged(
    parts.flatMap(({ same }) => same),
    members,
  )}
return ${rebuild}(u, [${parts.map(({ before }) => before).join(', ')}], [${parts.map(({ after }) => after).join(', ')}])`
}

/** Generates an encoder for records. As in io-ts, the encoder returns a new object if the member codec can change values. */
const recordBody = (
  { domain, codomain }: RecordSchema,
  otherwise: string,
  scope: GeneratorScope,
): string =>
  isTest(domain)
    ? `${guardRecord(`return ${otherwise}`)}
if (getPrototypeOf(u) !== objectPrototype) return ${otherwise}
const r = {}
let same = ${encodesByIdentity(codomain)}
for (const k of keysOf(u)) {
  if (k === "__proto__" || !(${testExpression(domain, 'k', scope)})) { same = false; continue }
  const a = u[k]
  r[k] = ${encodeExpression(codomain, 'a', scope)}
}
return same ? u : r`
    : `return ${otherwise}`

const tupleBody = (
  { elements, rest }: TupleSchema,
  otherwise: string,
  scope: GeneratorScope,
): string => {
  const results = elements.map((element, at) => encodeExpression(element, `u[${at}]`, scope))
  return `if (!isArray(u) || u.length ${rest === undefined ? '!==' : '<'} ${elements.length}) return ${otherwise}
const r = [${results.join(', ')}]
${rest === undefined ? '' : `for (let n = ${elements.length}; n < u.length; n++) { const a = u[n]; r.push(${encodeExpression(rest, 'a', scope)}) }`}
return r`
}

const unionBody = (schema: UnionSchema, otherwise: string, scope: GeneratorScope): string => {
  const { members, tag } = schema
  const expressionFor = (member: Schema): string => encodeExpression(member, 'u', scope)
  if (tag !== undefined) return selectByTag(schema, tag, expressionFor, otherwise, scope)
  return `${members
    .map((member) => `if (${isExpression(member, 'u', scope)}) return ${expressionFor(member)}`)
    .join('\n')}
return ${otherwise}`
}

/** Returns code for an expression that tests whether a variable contains a value of the decoded type of a schema. */
export const isExpression = (schema: Schema, variable: string, scope: GeneratorScope): string =>
  isTest(schema)
    ? testExpression(schema, variable, scope)
    : `${scope.functionOf('is', schema)}(${variable})`
