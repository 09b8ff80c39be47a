/**
 * `JSON.parse` and `JSON.stringify` without validation, for comparison.
 *
 * @import { Operations } from '../types.mjs'
 */
import { returning, writing } from './operation.mjs'
import * as texts from './rows.mjs'

/** @type {(value: unknown) => string} */
const write = (value) => JSON.stringify(value)

/** @type {Operations} */
export const operations = {
  'decode-small': returning(() => JSON.parse(texts.small)),
  'decode-order': returning(() => JSON.parse(texts.order)),
  'decode-list': returning(() => JSON.parse(texts.list)),
  'write-small': writing(write),
  'write-order': writing(write),
  'write-list': writing(write),
}
