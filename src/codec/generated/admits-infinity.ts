/**
 * Whether a test lets `Infinity` through, which is what `JSON.parse` makes of a number beyond those that there are. Written
 * again, it would be `null`.
 */
import type { Test } from './schema.ts'

export const admitsInfinity = (test: Test): boolean => {
  switch (test._tag) {
    case 'Anything':
      return true
    case 'TypeOf':
      return test.type === 'number'
    case 'AnyRecord':
    case 'AnyArray':
    case 'OneOf':
      return false
    case 'AnyOf':
      return test.tests.some(admitsInfinity)
    case 'AllOf':
      return test.tests.every(admitsInfinity)
    case 'Holding':
      return (
        test.holds !== Number.isSafeInteger &&
        test.holds !== Number.isFinite &&
        admitsInfinity(test.test)
      )
  }
}
