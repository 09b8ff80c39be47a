/** Hono on `@hono/node-server` in its own idiom: zod schemas through `@hono/zod-validator`. */
import { serve } from '@hono/node-server'
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { z } from 'zod'
import { announce, host, port } from './listen.mjs'

const Order = z.object({
  id: z.int(),
  customer: z.object({ name: z.string(), email: z.string() }),
  lines: z.array(z.object({ sku: z.string(), quantity: z.int(), price: z.number() })),
  notes: z.string(),
  tags: z.array(z.string()),
})

const Params = z.object({ id: z.coerce.number().int() })
const Query = z.object({
  page: z.coerce.number().int().default(1),
  tag: z.union([z.array(z.string()), z.string().transform((one) => [one])]).default([]),
})
const Headers = z.object({ 'x-trace': z.string().optional() })
const Cookies = z.object({ sid: z.string().optional() })

const app = new Hono()

app.get('/plaintext', (c) => c.text('Hello, World!'))

app.get('/json', (c) => c.json({ message: 'Hello, World!' }))

for (let n = 0; n < 200; n++)
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
