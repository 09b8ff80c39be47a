/** Hono on `@hono/node-server` with zod schemas through `@hono/zod-validator`. */
import { serve } from '@hono/node-server'
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { books } from '../frameworks/books.mjs'
import { announce, host, port, routes } from './listen.mjs'
import { Cookies, Headers, Order, Params, Query } from './zod.mjs'

const app = new Hono()

app.get('/plaintext', (c) => c.text('Hello, World!'))

app.get('/json', (c) => c.json({ message: 'Hello, World!' }))

app.get('/json-async', async (c) => c.json({ message: 'Hello, World!' }))

app.get('/books', (c) => c.json(books))

for (let n = 0; n < routes; n++)
  app.get(
    `/r${n}/items/:id`,
    zValidator('param', Params),
    zValidator('query', Query),
    zValidator('header', Headers),
    zValidator('cookie', Cookies),
    (c) => {
      const { page, tag } = c.req.valid('query')
      return c.json({
        id: c.req.valid('param').id,
        page,
        tags: tag,
        trace: c.req.valid('header')['x-trace'],
        session: c.req.valid('cookie').sid,
      })
    },
  )

app.post('/orders', zValidator('json', Order), (c) => c.json(c.req.valid('json')))

serve({ fetch: app.fetch, port, hostname: host }, (address) => announce(address.port))
