/** Fastify with JSON schemas for requests and responses. */
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import { books } from '../frameworks/books.mjs'
import { announce, host, port, routes } from './listen.mjs'

const string = { type: 'string' }
const integer = { type: 'integer' }
const number = { type: 'number' }
const strings = { type: 'array', items: string }

/** @type {(properties: Readonly<Record<string, object>>) => object} */
const exactly = (properties) => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false, // with Fastify's settings: such members are removed
  properties,
})

const message = exactly({ message: string })

const book = exactly({
  id: integer,
  title: string,
  author: string,
  year: integer,
  available: { type: 'boolean' },
  tags: strings,
  price: number,
})

const order = exactly({
  id: integer,
  customer: exactly({ name: string, email: string }),
  lines: {
    type: 'array',
    items: exactly({ sku: string, quantity: integer, price: number }),
  },
  notes: string,
  tags: strings,
})

const item = {
  params: { type: 'object', properties: { id: integer } },
  querystring: {
    type: 'object',
    properties: { page: { type: 'integer', default: 1 }, tag: { ...strings, default: [] } },
  },
  headers: { type: 'object', properties: { 'x-trace': string } },
  response: {
    200: {
      type: 'object',
      properties: {
        id: integer,
        page: integer,
        tags: strings,
        trace: string,
        session: string,
      },
    },
  },
}

/**
 * @typedef {object} Item
 * @property {{ id: number }} Params
 * @property {{ page: number, tag: string[] }} Querystring
 * @property {{ 'x-trace'?: string }} Headers
 */

const app = fastify()
await app.register(cookie)

app.get('/plaintext', () => 'Hello, World!')

app.get('/json', { schema: { response: { 200: message } } }, () => ({
  message: 'Hello, World!',
}))

app.get('/json-async', { schema: { response: { 200: message } } }, async () => ({
  message: 'Hello, World!',
}))

app.get('/books', { schema: { response: { 200: { type: 'array', items: book } } } }, () => books)

for (let n = 0; n < routes; n++)
  app.get(
    `/r${n}/items/:id`,
    { schema: item },
    (/** @type {import('fastify').FastifyRequest<Item>} */ request) => ({
      id: request.params.id,
      page: request.query.page,
      tags: request.query.tag,
      trace: request.headers['x-trace'],
      session: request.cookies['sid'],
    }),
  )

app.post(
  '/orders',
  { schema: { body: order, response: { 200: order } } },
  (request) => request.body,
)

announce(new URL(await app.listen({ port, host })).port)
