/**
 * `JSON.parse` of the same text and `JSON.stringify` of the same value, for scale: nothing is
 * checked.
 *
 * @import { Operations } from '../types.mjs'
 */
import { giving, writing } from './operation.mjs'
import * as texts from './rows.mjs'

/** @type {(value: unknown) => string} */
const write = (value) => JSON.stringify(value)

/** @type {Operations} */
export const operations = {
  'decode-small': giving(() => JSON.parse(texts.small)),
  'decode-order': giving(() => JSON.parse(texts.order)),
  'decode-list': giving(() => JSON.parse(texts.list)),
  'write-small': writing(write),
  'write-order': writing(write),
  'write-list': writing(write),
}
