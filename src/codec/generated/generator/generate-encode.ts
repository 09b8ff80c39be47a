/** Generates encoders: functions that return the encoded value. */
import { prepareRebuild } from '../runtime.ts'
import type { ObjectSchema, RecordSchema, Schema, TupleSchema, UnionSchema } from '../schema.ts'
import { hidesAny, isTest, encodesByIdentity, visibleSchema } from '../schema.ts'
import { returnUnchanged, isPresent, guardRecord } from './fragments.ts'
import type { GenerateBody, Scope } from './scope.ts'
import { testExpression } from './generate-test.ts'
import { selectByTag } from './fragments.ts'

export const encodeBody: GenerateBody = (schema, scope) => {
  if (isTest(schema) || encodesByIdentity(schema)) return 'return u'
  const codec = scope.constant(schema.codec)
  switch (schema._tag) {
    case 'Object':
      return objectBody(schema, scope)
    case 'Record':
      return recordBody(schema, scope)
    case 'List':
      return `if (!isArray(u)) return ${codec}.encode(u)
let r = u
for (let n = 0; n < u.length; n++) {
  const a = u[n]
  if (a === undefined && !(n in u)) continue
  const b = ${encoded(schema.element, 'a', scope)}
  if (b === a) continue
  if (r === u) r = u.slice()
  r[n] = b
}
return r`
    case 'Set':
      return `if (!(u instanceof Set)) return ${codec}.encode(u)
const r = []
for (const a of u) r.push(${encoded(schema.element, 'a', scope)})
return r`
    case 'Tuple':
      return tupleBody(schema, scope)
    case 'Union':
      return unionBody(schema, scope)
    case 'Intersection':
      return `const parts = [${schema.members.map((member) => encoded(member, 'u', scope)).join(', ')}]
return canMergeParts(parts) ? ${scope.constant(schema.merge)}(u, parts) : ${codec}.encode(u)`
    case 'Refinement':
    case 'Default':
      return `return ${encoded(schema.inner, 'u', scope)}`
    case 'Recursion':
      return `return ${encoded(schema, 'u', scope)}`
    case 'Attempt':
    case 'Opaque':
      return `return ${codec}.encode(u)`
  }
}

/** Returns an expression for the encoded value of a variable. */
export const encoded = (schema: Schema, variable: string, scope: Scope): string =>
  encodesByIdentity(schema) ? variable : `${scope.functionOf('encode', schema)}(${variable})`

/** Skips members that are encoded unchanged. */
const objectBody = (schema: ObjectSchema, scope: Scope): string => {
  const { members, codec } = visibleSchema(schema)
  const rebuild = scope.constant(
    prepareRebuild(
      members,
      true,
      members.map((member) => member.required && !encodesByIdentity(member.schema)),
      (value) => codec.encode(value),
    ),
  )
  const otherwise = `return ${scope.constant(codec)}.encode(u)`
  const parts = members.map((member, at) => {
    const { key, required } = member
    const name = JSON.stringify(key)
    if (encodesByIdentity(member.schema))
      return { text: '', before: `u[${name}]`, after: `u[${name}]`, same: [] }
    const result = encoded(member.schema, `a${at}`, scope)
    return {
      text: `const a${at} = u[${name}]
const b${at} = ${required ? result : `a${at} === undefined ? undefined : ${result}`}
`,
      before: `a${at}`,
      after: `b${at}`,
      same: [`b${at} === a${at}`, ...(required ? [isPresent(key, `a${at}`)] : [])],
    }
  })
  // io-ts copies a class instance to a plain object if at least one member is encoded
  const copies =
    schema.merged !== undefined ||
    hidesAny(schema) ||
    members.some((member) => !encodesByIdentity(member.schema))
  const declared = scope.constant(new Set(members.map(({ key }) => key)))
  return `${guardRecord(otherwise)}
if (!isPlain(u)) ${copies ? otherwise : `return hasOnly(u, ${declared}) ? u : ${scope.constant(codec)}.encode(u)`}
${parts.map(({ text }) => text).join('')}${returnUnchanged(
    parts.flatMap(({ same }) => same),
    members,
  )}
return ${rebuild}(u, [${parts.map(({ before }) => before).join(', ')}], [${parts.map(({ after }) => after).join(', ')}])`
}

/** io-ts creates a new object if members are encoded. */
const recordBody = ({ domain, codomain, codec }: RecordSchema, scope: Scope): string =>
  `${guardRecord(`return ${scope.constant(codec)}.encode(u)`)}
if (!isPlain(u)) return ${scope.constant(codec)}.encode(u)
const r = {}
let same = ${encodesByIdentity(codomain)}
for (const k of keysOf(u)) {
  if (k === "__proto__" || !(${testExpression(domain, 'k', scope)})) { same = false; continue }
  const a = u[k]
  r[k] = ${encoded(codomain, 'a', scope)}
}
return same ? u : r`

const tupleBody = ({ elements, codec }: TupleSchema, scope: Scope): string => {
  const results = elements.map((element, at) => encoded(element, `u[${at}]`, scope))
  return `if (!isArray(u) || u.length !== ${elements.length}) return ${scope.constant(codec)}.encode(u)
return [${results.join(', ')}]`
}

const unionBody = (schema: UnionSchema, scope: Scope): string => {
  const { members, tag } = schema
  const none = `${scope.constant(schema.codec)}.encode(u)`
  const made = (member: Schema): string => encoded(member, 'u', scope)
  if (tag !== undefined) return selectByTag(schema, tag, made, none, scope)
  return `${members
    .map((member) => `if (${isText(member, 'u', scope)}) return ${made(member)}`)
    .join('\n')}
return ${none}`
}

/** Returns a condition that tests whether the value of a variable belongs to a schema. */
export const isText = (schema: Schema, variable: string, scope: Scope): string =>
  isTest(schema)
    ? testExpression(schema, variable, scope)
    : `${scope.functionOf('is', schema)}(${variable})`
