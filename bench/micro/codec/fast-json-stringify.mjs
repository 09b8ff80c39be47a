/**
 * fast-json-stringify, which only serializes.
 *
 * @import { Operations } from '../types.mjs'
 */
import compile from 'fast-json-stringify'
import { writing } from './operation.mjs'
import * as schemas from './schemas.mjs'

/** @type {Operations} */
export const operations = {
  'write-small': writing(compile(schemas.small)),
  'write-order': writing(compile(schemas.order)),
  'write-list': writing(compile(schemas.list)),
}
