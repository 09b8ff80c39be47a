/**
 * ajv, configured to strip undeclared members. It does not transform values. By default it stops at the first error.
 *
 * @import { Operations } from '../types.mjs'
 */
import { Ajv } from 'ajv'
import { testing } from './operation.mjs'
import * as schemas from './schemas.mjs'

const ajv = new Ajv({ removeAdditional: true })
const order = new Ajv({ removeAdditional: true, allErrors: true }).compile(schemas.order)

/** @type {Operations} */
export const operations = {
  'decode-small': testing(ajv.compile(schemas.small)),
  'decode-order': testing(ajv.compile(schemas.order)),
  'decode-invalid': {
    run: (value) => (order(value) ? [] : order.errors),
    normalize: (/** @type {NonNullable<typeof order.errors>} */ errors) =>
      errors
        .map(({ instancePath, params }) =>
          [instancePath, params['missingProperty']].filter((part) => part !== undefined).join('/'),
        )
        .toSorted(),
  },
  'decode-list': testing(ajv.compile(schemas.list)),
}
