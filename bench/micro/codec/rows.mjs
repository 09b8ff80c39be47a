/**
 * The operations of the codec suite, with inputs that are the same for all libraries.
 *
 * @import { Row } from '../types.mjs'
 */
import { books } from '../../frameworks/books.mjs'
import { parameters, workloads } from '../../frameworks/workloads.mjs'

/** Number of separately parsed copies of an input, so that consecutive operations use different objects. */
const copies = 64

/** An object of five members. */
export const small = JSON.stringify(parameters.timed.expected.json)

/** About 1 KB. */
export const order = workloads.find(({ name }) => name === 'body')?.timed.request.body ?? ''

const [placed, due] = ['2026-03-14T09:26:53.589Z', '2026-03-20T12:00:00.000Z']

/** The order with two dates and two undeclared members, one of them nested. */
const dated = JSON.stringify({
  ...JSON.parse(order),
  customer: { ...JSON.parse(order).customer, telephone: '1843' },
  placed,
  due,
  cost: 7,
})

/** The decoded order with dates. */
const withDates = () => ({ ...JSON.parse(order), placed: new Date(placed), due: new Date(due) })

/** The order with two invalid members. */
const invalid = JSON.stringify({
  ...JSON.parse(order),
  customer: { name: 'Ada Lovelace' },
  lines: JSON.parse(order).lines.map((/** @type {object} */ line, /** @type {number} */ n) =>
    n === 3 ? { ...line, quantity: 'two' } : line,
  ),
})

const invalidPaths = ['/customer/email', '/lines/3/quantity']

export const list = JSON.stringify(books)

/**
 * Creates the inputs on first use, because not every library supports every operation.
 *
 * @type {(make: () => unknown) => () => readonly unknown[]}
 */
const lazyCopies = (make) => {
  /** @type {readonly unknown[] | undefined} */
  let inputs
  return () => (inputs ??= Array.from({ length: copies }, make))
}

/** @type {(name: string, title: string, make: () => unknown, expected?: unknown) => Row} */
const row = (name, title, make, expected = make()) => ({
  name,
  title,
  inputs: lazyCopies(make),
  expected: () => expected,
})

/** @type {(text: string) => () => unknown} */
const parsed = (text) => () => JSON.parse(text)

/** @type {readonly Row[]} */
export const rows = [
  row('decode-small', 'decode, small object', parsed(small)),
  row('decode-order', 'decode, 1 KB order', parsed(order)),
  row(
    'decode-dated',
    'decode, order with dates, undeclared members stripped',
    parsed(dated),
    withDates(),
  ),
  row('decode-invalid', 'decode, invalid order, all errors', parsed(invalid), invalidPaths),
  row('decode-list', 'decode, list of 1,000', parsed(list)),
  row('encode-small', 'encode, small object', parsed(small)),
  row('encode-order', 'encode, 1 KB order', parsed(order)),
  row('encode-dated', 'encode, order with dates', withDates, {
    ...JSON.parse(order),
    placed,
    due,
  }),
  row('encode-list', 'encode, list of 1,000', parsed(list)),
  row('write-small', 'JSON text, small object', parsed(small)),
  row('write-order', 'JSON text, 1 KB order', parsed(order)),
  row('write-list', 'JSON text, list of 1,000', parsed(list)),
]
