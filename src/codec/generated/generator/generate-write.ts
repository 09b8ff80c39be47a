/**
 * Generates JSON serializers, which encode and serialize a value without creating the encoded object.
 *
 * They handle plain objects whose members have the declared order and types. Objects in another order are encoded and passed
 * to `JSON.stringify`. For all other values, the function throws `fallback`, and the whole value is passed to
 * `JSON.stringify`.
 */
import type { ListSchema, Member, ObjectSchema, Schema, Test } from '../schema.ts'
import { isTest, encodesByIdentity, visibleSchema } from '../schema.ts'
import { encoded, isText } from './generate-encode.ts'
import type { GenerateBody, Scope } from './scope.ts'
import { acceptsUndefined } from './generate-test.ts'

export const writeBody: GenerateBody = (schema, scope) => {
  if (isTest(schema)) return `return ${leaf(schema, 'u')}`
  switch (schema._tag) {
    case 'Object':
      return objectBody(schema, scope)
    case 'List':
      return listBody(schema, scope)
    case 'Union':
      return unionBody(schema.members, scope)
    case 'Refinement':
    case 'Default':
      return `return ${written(schema.inner, 'u', scope)}`
    case 'Recursion':
      return `return ${written(schema, 'u', scope)}`
    case 'Record':
    case 'Tuple':
    case 'Set':
    case 'Intersection':
    case 'Attempt':
    case 'Opaque':
      return `return stringify(${encoded(schema, 'u', scope)})`
  }
}

/**
 * Returns an expression for the JSON text of a variable. It is `undefined` for values without JSON text, unless {@link
 * isCertain}.
 */
const written = (schema: Schema, variable: string, scope: Scope): string =>
  isTest(schema) ? leaf(schema, variable) : `${scope.functionOf('write', schema)}(${variable})`

/** Whether the function always returns a text or throws `fallback`. */
const isCertain = (schema: Schema): boolean =>
  isTest(schema)
    ? scalars.has(typeOf(schema) ?? '') && !acceptsUndefined(schema)
    : schema._tag === 'Object'

const scalars = new Set(['string', 'number', 'boolean'])

/** Writes values of the expected type inline, and others with a general function. */
const leaf = (test: Test, variable: string): string => {
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

/** Returns the JSON type of the accepted values, if it is a single scalar type. */
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

/** The order of keys is checked before anything is written. */
const objectBody = (schema: ObjectSchema, scope: Scope): string => {
  const { members } = visibleSchema(schema)
  const keys = scope.constant(members.map(({ key }) => key))
  const encode = `return JSON.stringify(${scope.functionOf('encode', schema)}(u))`
  const first = members.findIndex(({ required, schema: member }) => required && isCertain(member))
  const texts = members.map((member, at) => memberText(member, at, first, scope))
  return `if (typeof u !== "object" || u === null || isArray(u) || u.toJSON !== undefined) throw fallback
if (!isPlain(u)) ${encode}
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
 * Appends a member to `s`. After the first member that is always present, the comma is constant. io-ts appends a member that
 * is missing but encodes to a value, so such a value uses the fallback.
 */
const memberText = (
  { key, schema, required }: Member,
  at: number,
  first: number,
  scope: Scope,
): string => {
  const name = JSON.stringify(key)
  const colon = JSON.stringify(`${name}:`)
  const after = first >= 0 && at > first
  const comma = after ? '"," + ' : at === 0 ? '' : 'comma + '
  const then = after ? '' : '; comma = ","'
  const text = written(schema, `a${at}`, scope)
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
 * Writes short lists of scalars inline: eight strings take 0.2 of the time of `JSON.stringify`. Lists of objects are not
 * written inline: a thousand take 1.5 times as long, because large strings are concatenated repeatedly.
 */
const listBody = (schema: ListSchema, scope: Scope): string => {
  const { element } = schema
  const whole = `return stringify(${encoded(schema, 'u', scope)})`
  return isTest(element) && isCertain(element)
    ? `if (!isArray(u) || u.length > 16 || u.toJSON !== undefined) ${whole}
let s = "[", comma = ""
for (let n = 0; n < u.length; n++) { const a = u[n]; s += comma + ${leaf(element, 'a')}; comma = "," }
return s + "]"`
    : whole
}

const unionBody = (members: ReadonlyArray<Schema>, scope: Scope): string => {
  const choices = members.map(
    (member) => `if (${isText(member, 'u', scope)}) return ${written(member, 'u', scope)}`,
  )
  return `${choices.join('\n')}
throw fallback`
}
