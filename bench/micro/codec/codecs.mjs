/**
 * The codecs for espalier and for io-ts, with the copy of io-ts that espalier uses.
 *
 * @import { Operation, Operations } from '../types.mjs'
 */
import * as t from '../../../node_modules/io-ts/lib/index.js'
import { boolean, int, list, number, string } from '../../../dist/src/index.js'
import { format, isValid, parse } from './date.mjs'
import { returning, writing } from './operation.mjs'

/**
 * @param {unknown} value
 * @returns {value is Date}
 */
const isDate = (value) => value instanceof Date && isValid(value)

const date = new t.Type(
  'date',
  isDate,
  (value, context) => {
    if (typeof value !== 'string') return t.failure(value, context)
    const decoded = parse(value)
    return isValid(decoded) ? t.success(decoded) : t.failure(value, context)
  },
  format,
)

/**
 * @param {(members: t.Props) => t.Mixed} object the constructor of object codecs: `t.type` or `t.strict`
 * @returns {{ readonly [name in 'small' | 'order' | 'dated' | 'list']: t.Mixed }}
 */
export const codecsOf = (object) => {
  const order = {
    id: int,
    customer: object({ name: string, email: string }),
    lines: list(object({ sku: string, quantity: int, price: number })),
    notes: string,
    tags: list(string),
  }
  const book = {
    id: int,
    title: string,
    author: string,
    year: int,
    available: boolean,
    tags: list(string),
    price: number,
  }
  return {
    small: object({ id: int, page: int, tags: list(string), trace: string, session: string }),
    order: object(order),
    dated: object({ ...order, placed: date, due: date }),
    list: list(object(book)),
  }
}

/** @type {(run: (value: unknown) => t.Validation<unknown>) => Operation} */
const decoding = (run) => ({
  run,
  normalize: (/** @type {t.Validation<unknown>} */ result) =>
    result._tag === 'Right'
      ? result.right
      : result.left.map(({ context }) => context.map(({ key }) => key).join('/')).toSorted(),
})

/**
 * @typedef {object} Functions
 * @property {(value: unknown) => t.Validation<unknown>} decode
 * @property {(value: unknown) => unknown} encode
 * @property {(value: unknown) => string} write
 */

/**
 * @param {(members: t.Props) => t.Mixed} object
 * @param {(codec: t.Mixed) => Functions} functionsOf
 * @returns {Operations}
 */
export const operationsOf = (object, functionsOf) => {
  const codecs = codecsOf(object)
  const [small, order, dated, list] = [
    functionsOf(codecs.small),
    functionsOf(codecs.order),
    functionsOf(codecs.dated),
    functionsOf(codecs.list),
  ]
  return {
    'decode-small': decoding(small.decode),
    'decode-order': decoding(order.decode),
    'decode-dated': decoding(dated.decode),
    'decode-invalid': decoding(order.decode),
    'decode-list': decoding(list.decode),
    'encode-small': returning(small.encode),
    'encode-order': returning(order.encode),
    'encode-dated': returning(dated.encode),
    'encode-list': returning(list.encode),
    'write-small': writing(small.write),
    'write-order': writing(order.write),
    'write-list': writing(list.write),
  }
}
