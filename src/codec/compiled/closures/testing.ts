/** Tests as functions. */
import type { Predicate, Test } from '../schema.ts'
import { isRecord } from '../runtime.ts'

export const testing = (test: Test): Predicate => {
  switch (test._tag) {
    case 'Anything':
      return () => true
    case 'TypeOf': {
      const { type } = test
      return (value) => typeof value === type
    }
    case 'AnyRecord':
      return isRecord
    case 'AnyArray':
      return Array.isArray
    case 'OneOf': {
      const { values } = test
      return (value) => values.some((one) => one === value)
    }
    case 'AnyOf': {
      const tests = test.tests.map(testing)
      return (value) => tests.some((holds) => holds(value))
    }
    case 'AllOf': {
      const tests = test.tests.map(testing)
      return (value) => tests.every((holds) => holds(value))
    }
    case 'Holding': {
      const { holds } = test
      const inner = testing(test.test)
      return (value) => inner(value) && holds(value)
    }
  }
}
