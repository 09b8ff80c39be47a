/** Generates decoders. A decoder returns the decoded value, or `rejected` if the value is invalid. */
import { arrangedSet } from '../interpret-decode.ts'
import { prepareRebuild } from '../runtime.ts'
import type {
  ObjectSchema,
  RecordSchema,
  Schema,
  TupleSchema,
  UnionSchema,
} from '../../schema/schema.ts'
import { isTest } from '../../schema/schema.ts'
import {
  inheritsMember,
  returnUnchanged,
  isPresentAfterDecoding,
  guardRecord,
  testExpression,
  selectByTag,
} from './fragments.ts'
import type { GenerateBody, GeneratorScope } from './fragments.ts'

export const decodeBody: GenerateBody = (schema, scope) => {
  if (isTest(schema)) return `return ${testExpression(schema, 'u', scope)} ? u : rejected`
  switch (schema._tag) {
    case 'Object':
      return objectBody(schema, scope)
    case 'Record':
      return recordBody(schema, scope)
    case 'List':
    case 'Set':
      return `if (!isArray(u)) return rejected
let r = u
for (let n = 0; n < u.length; n++) ${elementStatements(schema.element, 'n', scope)}
return ${schema._tag === 'List' ? 'r' : `${scope.constant(arrangedSet(schema))}(r)`}`
    case 'Tuple':
      return tupleBody(schema, scope)
    case 'Union':
      return unionBody(schema, scope)
    case 'Intersection':
      return `${schema.members
        .map(
          (member, at) =>
            `const r${at} = ${decodeExpression(member, 'u', scope)}\nif (r${at} === rejected) return rejected`,
        )
        .join('\n')}
return ${scope.constant(schema.merge)}(u, [${schema.members.map((_, at) => `r${at}`).join(', ')}])`
    case 'Refinement':
      return `const r = ${decodeExpression(schema.inner, 'u', scope)}
return r !== rejected && ${scope.constant(schema.holds)}(r) ? r : rejected`
    case 'Default':
      return `return u === undefined ? ${scope.constant(schema.defaultValue)} : ${decodeExpression(schema.inner, 'u', scope)}`
    case 'Recursion':
      return `return ${decodeExpression(schema, 'u', scope)}`
    case 'Masked':
      return `return ${decodeExpression(schema.inner, 'u', scope)}`
    case 'Attempt':
    case 'Opaque':
      return `return ${scope.constant(scope.interpreted('decode', schema))}(u)`
  }
}

/** Returns an expression that decodes the value of a variable. */
const decodeExpression = (schema: Schema, variable: string, scope: GeneratorScope): string =>
  isTest(schema)
    ? `(${testExpression(schema, variable, scope)} ? ${variable} : rejected)`
    : `${scope.functionOf('decode', schema)}(${variable})`

/**
 * Generates a decoder for objects. Members that are only tested are processed before members that are decoded, because tests
 * are faster.
 */
const objectBody = (schema: ObjectSchema, scope: GeneratorScope): string => {
  const { members, undeclared } = schema
  const hidden = members.flatMap((member) => (member.hidden ? [member.key] : []))
  const interpreted = scope.interpreted('decode', schema)
  const otherwise = scope.constant(interpreted)
  if (inheritsMember(schema)) return `return ${otherwise}(u)`
  const added = members.map(({ required }) => required)
  const rebuild = scope.constant(prepareRebuild(members, undeclared.areDropped, added, interpreted))
  const parts = members.map(({ key, schema: member, required }, at) => {
    const from = `const a${at} = u[${JSON.stringify(key)}]`
    if (isTest(member)) {
      const test = testExpression(member, `a${at}`, scope)
      const absent = required ? '' : `a${at} !== undefined && `
      const text = test === 'true' ? from : `${from}\nif (${absent}!(${test})) return rejected`
      return { at, text, after: `a${at}`, changed: false }
    }
    const result = decodeExpression(member, `a${at}`, scope)
    const text = required
      ? `${from}\nconst b${at} = ${result}\nif (b${at} === rejected) return rejected`
      : `${from}
let b${at} = ${result}
if (b${at} === rejected) { if (a${at} !== undefined) return rejected; b${at} = undefined }`
    return { at, text, after: `b${at}`, changed: true }
  })
  const same = [
    ...parts.filter(({ changed }) => changed).map(({ at }) => `b${at} === a${at}`),
    ...members.flatMap((member, at) =>
      member.required ? isPresentAfterDecoding(member, `a${at}`) : [],
    ),
  ]
  return `${guardRecord('return rejected')}
if (getPrototypeOf(u) !== objectPrototype) return ${otherwise}(u)
${
  hidden.length === 0
    ? ''
    : `u = without(u, ${scope.constant(hidden)})
`
}${parts
    .toSorted((a, b) => Number(a.changed) - Number(b.changed))
    .map(({ text }) => text)
    .join('\n')}
${returnUnchanged(same, members)}
return ${rebuild}(u, [${members.map((_, at) => `a${at}`).join(', ')}], [${parts.map(({ after }) => after).join(', ')}])`
}

const recordBody = (schema: RecordSchema, scope: GeneratorScope): string => {
  const { domain, codomain, undeclared } = schema
  const otherwise = `return ${scope.constant(scope.interpreted('decode', schema))}(u)`
  if (!isTest(domain)) return otherwise
  return `${guardRecord(otherwise)}
if (getPrototypeOf(u) !== objectPrototype) ${otherwise}
const r = {}
let same = true
for (const k of keysOf(u)) {
  if (k === "__proto__" || !(${testExpression(domain, 'k', scope)})) { ${undeclared.areDropped ? 'same = false; continue' : otherwise} }
  const a = u[k]
  const b = ${decodeExpression(codomain, 'a', scope)}
  if (b === rejected) return rejected
  if (b !== a) same = false
  r[k] = b
}
return same ? u : r`
}

const tupleBody = (schema: TupleSchema, scope: GeneratorScope): string => {
  const { elements, rest } = schema
  return `if (!isArray(u) || u.length ${rest === undefined ? '!==' : '<'} ${elements.length}) return ${scope.constant(scope.interpreted('decode', schema))}(u)
let r = u
${elements.map((element, at) => elementStatements(element, at, scope)).join('\n')}
${rest === undefined ? '' : `for (let n = ${elements.length}; n < u.length; n++) ${elementStatements(rest, 'n', scope)}`}
return r`
}

const unionBody = (schema: UnionSchema, scope: GeneratorScope): string => {
  const { members, tag } = schema
  if (tag !== undefined)
    return selectByTag(
      schema,
      tag,
      (member) => decodeExpression(member, 'u', scope),
      'rejected',
      scope,
    )
  return `let r
${members.map((member) => `if ((r = ${decodeExpression(member, 'u', scope)}) !== rejected) return r`).join('\n')}
return rejected`
}

/** Generates code that decodes an element of the array `u`. If the element changes, it is set in `r`, which is then a copy of `u`. */
const elementStatements = (element: Schema, index: number | 'n', scope: GeneratorScope): string =>
  isTest(element)
    ? `{ const a = u[${index}]; if (!(${testExpression(element, 'a', scope)})) return rejected }`
    : `{
  const a = u[${index}]
  const b = ${decodeExpression(element, 'a', scope)}
  if (b === rejected) return rejected
  if (b !== a) { if (r === u) r = u.slice(); r[${index}] = b }
}`
