/** Defines what the generators of functions share, and generates code fragments for tests, objects and tagged unions. */
import type {
  ObjectSchema,
  Predicate,
  Test,
  Member,
  Schema,
  UnionSchema,
} from '../../schema/schema.ts'
import { isTest } from '../../schema/schema.ts'

/** The purpose of a generated function. The function name starts with the purpose. */
export type Purpose = 'decode' | 'encode' | 'is' | 'fits'

export interface GeneratorScope {
  /** Returns the name of the generated function for a schema and a purpose. The function is generated on the first call. */
  readonly functionOf: (purpose: Purpose, schema: Schema) => string
  /** Returns the name of a constant with the given value. */
  readonly constant: (value: unknown) => string
  /**
   * Returns a function that interprets a schema for a purpose. Generated code calls this function for values that it cannot process
   * itself.
   */
  readonly interpreted: (
    purpose: Exclude<Purpose, 'fits'>,
    schema: Schema,
  ) => (value: unknown) => unknown
}

/** Generates the body of a function for a schema. The generated function has a single parameter, `u`. */
export type GenerateBody = (schema: Schema, scope: GeneratorScope) => string

/** Returns a JavaScript condition that is true if a variable passes a test. */
export const testExpression = (test: Test, variable: string, scope: GeneratorScope): string => {
  switch (test._tag) {
    case 'Anything':
      return 'true'
    case 'TypeOf':
      return `typeof ${variable} === ${JSON.stringify(test.type)}`
    case 'AnyRecord':
      return `(typeof ${variable} === "object" && ${variable} !== null && !isArray(${variable}))`
    case 'AnyArray':
      return `isArray(${variable})`
    case 'OneOf':
      return anyOf(test.values.map((value) => `${variable} === ${literal(value, scope)}`))
    case 'AnyOf':
      return anyOf(test.tests.map((part) => testExpression(part, variable, scope)))
    case 'Holding':
      return `(${testExpression(test.test, variable, scope)} && ${predicate(test.holds, scope)}(${variable}))`
  }
}

const anyOf = (expressions: ReadonlyArray<string>): string =>
  expressions.length === 0 ? 'false' : `(${expressions.join(' || ')})`

/**
 * Returns an expression for a primitive value. Strings, booleans, safe integers and `null` are inlined. Other values become
 * constants.
 */
const literal = (value: unknown, scope: GeneratorScope): string =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isSafeInteger(value)
    ? JSON.stringify(value)
    : scope.constant(value)

/**
 * Returns an expression for a predicate. Built-in predicates are referenced by name, because JavaScript engines can then inline
 * them.
 */
const predicate = (holds: Predicate, scope: GeneratorScope): string => {
  if (holds === Number.isSafeInteger) return 'isSafeInteger'
  return holds === Number.isFinite ? 'isFinite' : scope.constant(holds)
}

/**
 * Whether a test might accept `undefined`. The result can be `true` even if a predicate rejects `undefined`, because predicates
 * are not called.
 */
export const acceptsUndefined = (test: Test): boolean => {
  switch (test._tag) {
    case 'Anything':
      return true
    case 'TypeOf':
      return test.type === 'undefined'
    case 'AnyRecord':
    case 'AnyArray':
      return false
    case 'OneOf':
      return test.values.includes(undefined)
    case 'AnyOf':
      return test.tests.some(acceptsUndefined)
    case 'Holding':
      return acceptsUndefined(test.test)
  }
}

/** Whether plain objects inherit a member of an object. Generated code cannot detect that such a member is missing. */
export const inheritsMember = ({ members }: ObjectSchema): boolean =>
  members.some(({ key }) => key in {})

/** Generates code that executes `statement` unless the variable `u` contains a record. */
export const guardRecord = (statement: string): string =>
  `if (typeof u !== "object" || u === null || isArray(u)) ${statement}`

/** Generates code that returns `u` if all conditions hold and `u` has no undeclared members. */
export const returnUnchanged = (
  conditions: ReadonlyArray<string>,
  members: ReadonlyArray<Member>,
): string => {
  const undeclared = members.map(({ key }) => `k !== ${JSON.stringify(key)} && `).join('')
  return `${conditions.length === 0 ? '' : `if (${conditions.join(' && ')}) `}unchanged: {
  for (const k in u) if (${undeclared}hasOwn(u, k)) break unchanged
  return u
}`
}

/** Generates a condition that is true if a member is present. */
export const isPresent = (key: string, variable: string): string =>
  `(${variable} !== undefined || hasOwn(u, ${JSON.stringify(key)}))`

/**
 * Returns an array with a condition that is true if a decoded member is present. The array is empty if the schema always
 * rejects `undefined`, because the member is then known to be present.
 */
export const isPresentAfterDecoding = (
  { key, schema }: Member,
  variable: string,
): ReadonlyArray<string> =>
  (isTest(schema) ? acceptsUndefined(schema) : !structures.has(schema._tag))
    ? [isPresent(key, variable)]
    : []

const structures: ReadonlySet<string> = new Set(['Object', 'Record', 'List', 'Tuple', 'Set'])

/**
 * Generates code that selects a union member by the tag of the variable `u`. If no member has this tag, the code evaluates
 * `otherwise`. Members with other tags are not evaluated, because their predicates might not support the value.
 */
export const selectByTag = (
  { members }: UnionSchema,
  tag: NonNullable<UnionSchema['tag']>,
  expressionFor: (member: Schema) => string,
  otherwise: string,
  scope: GeneratorScope,
): string => {
  const choices = members.flatMap((member, at) => {
    const test = tag.tests[at]
    return test === undefined
      ? []
      : [`if (${testExpression(test, 'a', scope)}) return ${expressionFor(member)}`]
  })
  return `if (typeof u === "object" && u !== null && !isArray(u)) {
const a = u[${JSON.stringify(tag.key)}]
${choices.join('\n')}
}
return ${otherwise}`
}
