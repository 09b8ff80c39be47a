/**
 * What is asked of every server, as data: the request that is timed, the answer it must get, and
 * further exchanges that are checked but not timed, so that no server is fast by leaving work out.
 */
import { books } from './books.mjs'

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} target path and query, as sent
 * @property {Readonly<Record<string, string>>} headers
 * @property {string} [body]
 */

/**
 * What an answer must be; only what is named is compared.
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {string} [mediaType] without parameters
 * @property {string} [text] the whole body
 * @property {unknown} [json] the body, compared as a value
 * @property {string} [mentions] text that occurs somewhere in the body
 */

/** @typedef {{ readonly request: Request, readonly answer: Answer }} Exchange */

/**
 * @typedef {object} Workload
 * @property {string} name as `--only` takes it
 * @property {string} title as the tables show it
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

/** @type {(value: unknown) => Answer} */
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
 * The last of so many item routes: a server that answers it has them all.
 *
 * @type {(size: number) => Exchange}
 */
export const lastItem = (size) => ({
  request: get(`/r${size - 1}/items/7`),
  answer: json({ id: 7, page: 1, tags: [] }), // defaults
})

/** @type {Workload} */
export const synchronous = {
  name: 'json',
  title: 'JSON',
  timed: { request: get('/json'), answer: json({ message: 'Hello, World!' }) },
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
    answer: json({ id: 42, page: 3, tags: ['a', 'b'], trace: 't-1', session: 's-1' }),
  },
  checked: [
    lastItem(200),
    {
      request: get('/r0/items/7?tag=a%20b&page=2', { cookie: 'theme=dark; sid=s-2' }),
      answer: json({ id: 7, page: 2, tags: ['a b'], session: 's-2' }), // one tag is a list too
    },
    { request: get('/r200/items/7'), answer: { status: 404 } },
  ],
}

/** @type {readonly Workload[]} */
export const workloads = [
  {
    name: 'plaintext',
    title: 'plaintext',
    timed: {
      request: get('/plaintext'),
      answer: { status: 200, mediaType: 'text/plain', text: 'Hello, World!' },
    },
    checked: [],
  },
  synchronous,
  asynchronous,
  parameters,
  {
    name: 'body',
    title: 'validated 1 KB body',
    timed: { request: post('/orders', order), answer: json(order) },
    checked: [
      { request: post('/orders', { ...order, cost: 7 }), answer: json(order) }, // undeclared: dropped
      {
        request: post('/orders', { ...order, lines: [{ sku: 'a', quantity: 'two', price: 1 }] }),
        answer: { status: 400 },
      },
      { request: post('/orders', { ...order, customer: {} }), answer: { status: 400 } },
    ],
  },
  {
    name: 'list',
    title: '1,000-element list out',
    timed: { request: get('/books'), answer: json(books) },
    checked: [],
  },
  {
    name: 'not-found',
    title: '404',
    timed: { request: get('/nothing/here'), answer: { status: 404 } },
    checked: [],
  },
  {
    name: 'bad-request',
    title: '400',
    timed: {
      request: get('/r137/items/1?page=abc'),
      answer: { status: 400, mentions: 'page' },
    },
    checked: [],
  },
]

/**
 * A rejected body, for a comparison with the accepted one of the same size.
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
    answer: { status: 400 },
  },
  checked: [],
}
