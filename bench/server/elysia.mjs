/**
 * Elysia on Node.js through `@elysiajs/node`, with its schemas for requests and responses. In production it responds to invalid
 * input with 422 and does not name the parameter, so an error handler sends the 400.
 */
import { node } from '@elysiajs/node'
import { Elysia, t } from 'elysia'
import { books } from '../frameworks/books.mjs'
import { announce, host, port, routes } from './listen.mjs'

/**
 * An integer in JSON. Elysia's `t.Integer` also converts strings to numbers, which disables the compiled validator of the
 * complete value, for decoding and encoding.
 */
const integer = t.Number({ multipleOf: 1 })

const Message = t.Object({ message: t.String() })

const Book = t.Object({
  id: integer,
  title: t.String(),
  author: t.String(),
  year: integer,
  available: t.Boolean(),
  tags: t.Array(t.String()),
  price: t.Number(),
})

const Item = t.Object({
  id: integer,
  page: integer,
  tags: t.Array(t.String()),
  trace: t.Optional(t.String()),
  session: t.Optional(t.String()),
})

const Order = t.Object({
  id: integer,
  customer: t.Object({ name: t.String(), email: t.String() }),
  lines: t.Array(t.Object({ sku: t.String(), quantity: integer, price: t.Number() })),
  notes: t.String(),
  tags: t.Array(t.String()),
})

const item = {
  params: t.Object({ id: t.Integer() }),
  query: t.Object({
    page: t.Integer({ default: 1 }),
    tag: t.Array(t.String(), { default: [] }),
  }),
  headers: t.Object({ 'x-trace': t.Optional(t.String()) }),
  cookie: t.Cookie({ sid: t.Optional(t.String()) }),
  response: Item,
}

const app = new Elysia({ adapter: node() })

app.onError(({ code, error, status }) => {
  if (code !== 'VALIDATION') return undefined
  return status(400, {
    on: error.type,
    property: error.valueError?.path,
    message: error.valueError?.message,
  })
})

app.get('/plaintext', () => 'Hello, World!')

app.get('/json', () => ({ message: 'Hello, World!' }), { response: Message })

app.get('/json-async', async () => ({ message: 'Hello, World!' }), { response: Message })

app.get('/books', () => books, { response: t.Array(Book) })

for (let n = 0; n < routes; n++)
  app.get(
    `/r${n}/items/:id`,
    ({ params, query, headers, cookie }) => ({
      id: params.id,
      page: query.page,
      tags: query.tag,
      trace: headers['x-trace'],
      session: cookie.sid.value,
    }),
    item,
  )

app.post('/orders', ({ body }) => body, { body: Order, response: Order })

app.listen({ port, hostname: host, gracefulShutdown: false }, async ({ raw }) => {
  await raw.ready()
  announce(new URL(raw.url).port)
})
