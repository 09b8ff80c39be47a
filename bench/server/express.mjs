/**
 * Express with `cookie-parser` and `express.json` on the routes that need them, and zod. Automatic ETags are disabled, because
 * the other servers do not send them.
 */
import cookieParser from 'cookie-parser'
import express from 'express'
import { books } from '../frameworks/books.mjs'
import { announce, host, port, routes } from './listen.mjs'
import { Cookies, Order, Params, Query } from './zod.mjs'

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/plaintext', (_request, response) => {
  response.type('text/plain').send('Hello, World!')
})

app.get('/json', (_request, response) => {
  response.json({ message: 'Hello, World!' })
})

app.get('/json-async', async (_request, response) => {
  response.json(await Promise.resolve({ message: 'Hello, World!' }))
})

app.get('/books', (_request, response) => {
  response.json(books)
})

/** @type {(response: express.Response, error: import('zod').ZodError) => void} */
const rejectInput = (response, { issues }) => {
  response.status(400).json({ issues })
}

const cookies = cookieParser()

for (let n = 0; n < routes; n++)
  app.get(`/r${n}/items/:id`, cookies, (request, response) => {
    const params = Params.safeParse(request.params)
    if (!params.success) return rejectInput(response, params.error)
    const query = Query.safeParse(request.query)
    if (!query.success) return rejectInput(response, query.error)
    const cookie = Cookies.safeParse(request.cookies)
    if (!cookie.success) return rejectInput(response, cookie.error)
    response.json({
      id: params.data.id,
      page: query.data.page,
      tags: query.data.tag,
      trace: request.get('x-trace'),
      session: cookie.data.sid,
    })
  })

app.post('/orders', express.json(), (request, response) => {
  const order = Order.safeParse(request.body)
  if (!order.success) return rejectInput(response, order.error)
  response.json(order.data)
})

const server = app.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
