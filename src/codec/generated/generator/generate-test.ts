/** Generates conditions from tests. */
import type { Predicate, Test } from '../schema.ts'
import type { Scope } from './scope.ts'

/** Returns the condition that a variable passes a test. */
export const testExpression = (test: Test, variable: string, scope: Scope): string => {
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
      return anyOf(test.tests.map((one) => testExpression(one, variable, scope)))
    case 'AllOf':
      return test.tests.map((one) => testExpression(one, variable, scope)).join(' && ') || 'true'
    case 'Holding':
      return `(${testExpression(test.test, variable, scope)} && ${predicate(test.holds, scope)}(${variable}))`
  }
}

const anyOf = (expressions: ReadonlyArray<string>): string =>
  expressions.length === 0 ? 'false' : `(${expressions.join(' || ')})`

/** Inlines a primitive value if its JSON text represents it. */
const literal = (value: unknown, scope: Scope): string =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isSafeInteger(value)
    ? JSON.stringify(value)
    : scope.constant(value)

/** Uses built-in predicates by name, so that the JavaScript engine can inline them. */
const predicate = (holds: Predicate, scope: Scope): string => {
  if (holds === Number.isSafeInteger) return 'isSafeInteger'
  return holds === Number.isFinite ? 'isFinite' : scope.constant(holds)
}

/** Whether a test accepts `undefined`, as far as this is known without calling predicates. */
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
    case 'AllOf':
      return test.tests.every(acceptsUndefined)
    case 'Holding':
      return acceptsUndefined(test.test)
  }
}
