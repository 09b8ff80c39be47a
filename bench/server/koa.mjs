/** Koa with `@koa/router`, `@koa/bodyparser` on routes with a body, and zod. */
import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
import Koa from 'koa'
import { books } from '../frameworks/books.mjs'
import { announce, host, port, routes } from './listen.mjs'
import { Order, Params, Query } from './zod.mjs'

const app = new Koa()
const router = new Router()

router.get('/plaintext', (ctx) => {
  ctx.body = 'Hello, World!'
})

router.get('/json', (ctx) => {
  ctx.body = { message: 'Hello, World!' }
})

router.get('/json-async', async (ctx) => {
  ctx.body = await Promise.resolve({ message: 'Hello, World!' })
})

router.get('/books', (ctx) => {
  ctx.body = books
})

/** @type {(ctx: Koa.Context, error: import('zod').ZodError) => void} */
const rejectInput = (ctx, { issues }) => {
  ctx.status = 400
  ctx.body = { issues }
}

for (let n = 0; n < routes; n++)
  router.get(`/r${n}/items/:id`, (ctx) => {
    const params = Params.safeParse(ctx.params)
    if (!params.success) return rejectInput(ctx, params.error)
    const query = Query.safeParse(ctx.query)
    if (!query.success) return rejectInput(ctx, query.error)
    ctx.body = {
      id: params.data.id,
      page: query.data.page,
      tags: query.data.tag,
      trace: ctx.get('x-trace') || undefined,
      session: ctx.cookies.get('sid'),
    }
  })

router.post('/orders', bodyParser(), (ctx) => {
  const order = Order.safeParse(ctx.request.body)
  if (!order.success) return rejectInput(ctx, order.error)
  ctx.body = order.data
})

app.use(router.routes())

const server = app.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
