/**
 * ajv, set up to drop undeclared members. It does not transform. It stops at the first error unless
 * it is asked for all of them.
 *
 * @import { Operations } from '../types.mjs'
 */
import { Ajv } from 'ajv'
import { testing } from './operation.mjs'
import * as schemas from './schemas.mjs'

const one = new Ajv({ removeAdditional: true })
const order = new Ajv({ removeAdditional: true, allErrors: true }).compile(schemas.order)

/** @type {Operations} */
export const operations = {
  'decode-small': testing(one.compile(schemas.small)),
  'decode-order': testing(one.compile(schemas.order)),
  'decode-invalid': {
    run: (value) => (order(value) ? [] : order.errors),
    outcome: (/** @type {NonNullable<typeof order.errors>} */ errors) =>
      errors
        .map(({ instancePath, params }) =>
          [instancePath, params['missingProperty']].filter((part) => part !== undefined).join('/'),
        )
        .toSorted(),
  },
  'decode-list': testing(one.compile(schemas.list)),
}
