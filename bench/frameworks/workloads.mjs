/**
 * The workloads of the framework comparison: a timed request, its expected response, and further exchanges that are checked
 * but not timed. The checks make sure that no server is fast because it omits work.
 */
import { books } from './books.mjs'

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} target path and query
 * @property {Readonly<Record<string, string>>} headers
 * @property {string} [body]
 */

/**
 * The expected response. Undefined members are not compared.
 *
 * @typedef {object} ExpectedResponse
 * @property {number} status
 * @property {string} [mediaType] without parameters
 * @property {string} [text] the complete body
 * @property {unknown} [json] the parsed body
 * @property {string} [mentions] a substring of the body
 */

/** @typedef {{ readonly request: Request, readonly expected: ExpectedResponse }} Exchange */

/**
 * @typedef {object} Workload
 * @property {string} name the value of `--only` that selects the workload
 * @property {string} title the first cell of the table row
 * @property {Exchange} timed
 * @property {readonly Exchange[]} checked
 */

/** @type {(target: string, headers?: Readonly<Record<string, string>>) => Request} */
const get = (target, headers = {}) => ({ method: 'GET', target, headers })

/** @type {(target: string, value: unknown) => Request} */
const post = (target, value) => ({
  method: 'POST',
  target,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

/** @type {(value: unknown) => ExpectedResponse} */
const json = (value) => ({ status: 200, mediaType: 'application/json', json: value })

/** About 1 KB as JSON. */
const order = {
  id: 48151623,
  customer: { name: 'Ada Lovelace', email: 'ada@analytical-engine.example' },
  lines: Array.from({ length: 8 }, (_, n) => ({
    sku: `BK-1843-${n}`,
    quantity: n + 1,
    price: 12.25 + n,
  })),
  notes:
    'Please deliver on a weekday between nine and noon. The bell is out of order: call the number ' +
    'on the label, or leave the parcel with the neighbour on the second floor and a note in the ' +
    'letter box. The books are presents, so the invoice goes to the address on file and must not ' +
    'be put into the parcel; wrap the third and the seventh volume together, the others each by ' +
    'itself. Should a volume be out of print, send the others and keep the order open until the ' +
    'next printing.',
  tags: ['gift', 'weekday', 'fragile', 'invoice-apart'],
}

/**
 * A request for the last of `size` item routes. If it succeeds, all of them exist.
 *
 * @type {(size: number) => Exchange}
 */
export const lastItem = (size) => ({
  request: get(`/r${size - 1}/items/7`),
  expected: json({ id: 7, page: 1, tags: [] }), // defaults
})

/** @type {Workload} */
export const synchronous = {
  name: 'json',
  title: 'JSON',
  timed: { request: get('/json'), expected: json({ message: 'Hello, World!' }) },
  checked: [],
}

/** @type {Workload} */
export const asynchronous = {
  name: 'asynchronous',
  title: 'JSON, asynchronous handler',
  timed: { ...synchronous.timed, request: get('/json-async') },
  checked: [],
}

/** @type {Workload} */
export const parameters = {
  name: 'parameters',
  title: 'typed parameters among 200 routes',
  timed: {
    request: get('/r137/items/42?page=3&tag=a&tag=b', { 'x-trace': 't-1', cookie: 'sid=s-1' }),
    expected: json({ id: 42, page: 3, tags: ['a', 'b'], trace: 't-1', session: 's-1' }),
  },
  checked: [
    lastItem(200),
    {
      request: get('/r0/items/7?tag=a%20b&page=2', { cookie: 'theme=dark; sid=s-2' }),
      expected: json({ id: 7, page: 2, tags: ['a b'], session: 's-2' }), // a single value decodes to a list
    },
    { request: get('/r200/items/7'), expected: { status: 404 } },
  ],
}

/** @type {readonly Workload[]} */
export const workloads = [
  {
    name: 'plaintext',
    title: 'plaintext',
    timed: {
      request: get('/plaintext'),
      expected: { status: 200, mediaType: 'text/plain', text: 'Hello, World!' },
    },
    checked: [],
  },
  synchronous,
  asynchronous,
  parameters,
  {
    name: 'body',
    title: 'validated 1 KB body',
    timed: { request: post('/orders', order), expected: json(order) },
    checked: [
      { request: post('/orders', { ...order, cost: 7 }), expected: json(order) }, // undeclared members are stripped
      {
        request: post('/orders', { ...order, lines: [{ sku: 'a', quantity: 'two', price: 1 }] }),
        expected: { status: 400 },
      },
      { request: post('/orders', { ...order, customer: {} }), expected: { status: 400 } },
    ],
  },
  {
    name: 'list',
    title: '1,000-element list out',
    timed: { request: get('/books'), expected: json(books) },
    checked: [],
  },
  {
    name: 'not-found',
    title: '404',
    timed: { request: get('/nothing/here'), expected: { status: 404 } },
    checked: [],
  },
  {
    name: 'bad-request',
    title: '400',
    timed: {
      request: get('/r137/items/1?page=abc'),
      expected: { status: 400, mentions: 'page' },
    },
    checked: [],
  },
]

/**
 * An invalid body with about the same size as the valid one.
 *
 * @type {Workload}
 */
export const invalidBody = {
  name: 'invalid-body',
  title: '400 for a 1 KB body',
  timed: {
    request: post('/orders', {
      ...order,
      lines: order.lines.map((line, n) => (n === 7 ? { ...line, quantity: 'two' } : line)),
    }),
    expected: { status: 400 },
  },
  checked: [],
}
