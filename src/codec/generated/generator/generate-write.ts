/**
 * Generates JSON serializers. A serializer encodes a value and converts it to JSON without creating the encoded object.
 *
 * Serializers support plain objects whose members have the declared order and types. If an object is a class instance or has a
 * different member order, it is encoded and passed to `JSON.stringify`. For all other values, the serializer throws `fallback`.
 * The whole value is then encoded and passed to `JSON.stringify`.
 */
import type { ListSchema, Member, ObjectSchema, Schema, Test } from '../schema.ts'
import { isTest, encodesByIdentity, visibleSchema } from '../schema.ts'
import { encodeExpression, isExpression } from './generate-encode.ts'
import type { GenerateBody, GeneratorScope } from './scope.ts'
import { acceptsUndefined } from './fragments.ts'

export const writeBody: GenerateBody = (schema, scope) => {
  if (isTest(schema)) return `return ${leafExpression(schema, 'u')}`
  switch (schema._tag) {
    case 'Object':
      return objectBody(schema, scope)
    case 'List':
      return listBody(schema, scope)
    case 'Union':
      return unionBody(schema.members, scope)
    case 'Refinement':
    case 'Default':
      return `return ${writeExpression(schema.inner, 'u', scope)}`
    case 'Recursion':
      return `return ${writeExpression(schema, 'u', scope)}`
    case 'Record':
    case 'Tuple':
    case 'Set':
    case 'Intersection':
    case 'Attempt':
    case 'Opaque':
      return `return stringify(${encodeExpression(schema, 'u', scope)})`
  }
}

/**
 * Returns an expression that serializes the value of a variable as JSON. The result of the expression can be `undefined`,
 * unless {@link isCertain} returns `true` for the schema.
 */
const writeExpression = (schema: Schema, variable: string, scope: GeneratorScope): string =>
  isTest(schema)
    ? leafExpression(schema, variable)
    : `${scope.functionOf('write', schema)}(${variable})`

/**
 * Whether the serializer for a schema never returns `undefined`. Such a serializer either returns text or throws `fallback`.
 */
const isCertain = (schema: Schema): boolean =>
  isTest(schema)
    ? scalars.has(typeOf(schema) ?? '') && !acceptsUndefined(schema)
    : schema._tag === 'Object'

const scalars = new Set(['string', 'number', 'boolean'])

/**
 * Returns an expression that serializes values of the expected type inline. All other values are passed to a general function.
 */
const leafExpression = (test: Test, variable: string): string => {
  switch (typeOf(test)) {
    case 'string':
      return `(typeof ${variable} === "string" ? quote(${variable}) : stringifyScalar(${variable}))`
    case 'number':
      return `(typeof ${variable} === "number" && ${variable} - ${variable} === 0 ? "" + ${variable} : stringifyScalar(${variable}))`
    case 'boolean':
      return `(${variable} === true ? "true" : ${variable} === false ? "false" : stringifyScalar(${variable}))`
    default:
      return `stringify(${variable})`
  }
}

/**
 * Returns the type of the values that a test accepts, disregarding `undefined`. Returns `undefined` if the values might have
 * several types.
 */
const typeOf = (test: Test): string | undefined => {
  switch (test._tag) {
    case 'TypeOf':
      return test.type
    case 'Holding':
      return typeOf(test.test)
    case 'OneOf':
      return test.values.every((value) => typeof value === 'string') ? 'string' : undefined
    case 'AnyOf': {
      const types = new Set(test.tests.map(typeOf).filter((type) => type !== 'undefined'))
      return types.size === 1 ? [...types][0] : undefined
    }
    default:
      return undefined
  }
}

/** Generates a serializer for objects. The serializer checks the order of the keys before it serializes any member. */
const objectBody = (schema: ObjectSchema, scope: GeneratorScope): string => {
  const { members } = visibleSchema(schema)
  const keys = scope.constant(members.map(({ key }) => key))
  const encode = `return JSON.stringify(${scope.functionOf('encode', schema)}(u))`
  const first = members.findIndex(({ required, schema: member }) => required && isCertain(member))
  const texts = members.map((member, at) => memberText(member, at, first, scope))
  return `if (typeof u !== "object" || u === null || isArray(u) || u.toJSON !== undefined) throw fallback
if (getPrototypeOf(u) !== objectPrototype) ${encode}
let at = 0
for (const k in u) {
  if (k === ${keys}[at]) at++
  else if ((at = nextPosition(${keys}, k, at)) < 0) ${encode}
}
let s = "{", comma = ""
${texts.join('\n')}
return s + "}"`
}

/**
 * Generates code that appends a member to `s`. If an earlier member is always present, a comma is always written before the
 * member. Otherwise, the variable `comma` contains the comma, if any.
 *
 * A codec can encode a missing member as a value. io-ts appends such a member at the end of the object. The serializer does not
 * support this order, and therefore throws `fallback`.
 */
const memberText = (
  { key, schema, required }: Member,
  at: number,
  first: number,
  scope: GeneratorScope,
): string => {
  const name = JSON.stringify(key)
  const colon = JSON.stringify(`${name}:`)
  const after = first >= 0 && at > first
  const comma = after ? '"," + ' : at === 0 ? '' : 'comma + '
  const then = after ? '' : '; comma = ","'
  const text = writeExpression(schema, `a${at}`, scope)
  const from = `const a${at} = u[${name}]`
  if (required && isCertain(schema)) return `${from}\ns += ${comma}${colon} + ${text}${then}`
  const skips = !required || encodesByIdentity(schema)
  const missing = skips ? '' : `if (a${at} === undefined && !hasOwn(u, ${name})) throw fallback\n`
  return `${from}
${skips ? `if (a${at} !== undefined) ` : ''}{
const w = ${text}
if (w !== undefined) { ${missing}s += ${comma}${colon} + w${then} }
}`
}

/**
 * Generates a serializer for lists.
 *
 * Short lists of scalars are serialized inline. For eight strings, this takes 0.2 times as long as `JSON.stringify`. Lists of
 * objects are not serialized inline. For a thousand objects, this would take 1.5 times as long, because large strings would be
 * concatenated repeatedly.
 */
const listBody = (schema: ListSchema, scope: GeneratorScope): string => {
  const { element } = schema
  const whole = `return stringify(${encodeExpression(schema, 'u', scope)})`
  return isTest(element) && isCertain(element)
    ? `if (!isArray(u) || u.length > 16 || u.toJSON !== undefined) ${whole}
let s = "[", comma = ""
for (let n = 0; n < u.length; n++) { const a = u[n]; s += comma + ${leafExpression(element, 'a')}; comma = "," }
return s + "]"`
    : whole
}

const unionBody = (members: ReadonlyArray<Schema>, scope: GeneratorScope): string => {
  const choices = members.map(
    (member) =>
      `if (${isExpression(member, 'u', scope)}) return ${writeExpression(member, 'u', scope)}`,
  )
  return `${choices.join('\n')}
throw fallback`
}
