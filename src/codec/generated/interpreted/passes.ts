/** Tests by interpretation. */
import { isRecord } from '../runtime.ts'
import type { Test } from '../schema.ts'

/** Whether a value passes a test. */
export const passes = (test: Test, value: unknown): boolean => {
  switch (test._tag) {
    case 'Anything':
      return true
    case 'TypeOf':
      return typeof value === test.type
    case 'AnyRecord':
      return isRecord(value)
    case 'AnyArray':
      return Array.isArray(value)
    case 'OneOf':
      return test.values.some((one) => one === value)
    case 'AnyOf':
      return test.tests.some((one) => passes(one, value))
    case 'AllOf':
      return test.tests.every((one) => passes(one, value))
    case 'Holding':
      return passes(test.test, value) && test.holds(value)
  }
}
