/**
 * typera on Express with io-ts codecs through its parsers. Automatic ETags are disabled, because the other servers do not send
 * them.
 */
import cookieParser from 'cookie-parser'
import express from 'express'
import { Middleware, Parser, Response, route, router } from 'typera-express'
import { books } from '../frameworks/books.mjs'
import { Cookies, Headers, Order, Query } from './io-ts.mjs'
import { announce, host, port, routes } from './listen.mjs'

const plaintext = route.get('/plaintext').handler(async () => Response.ok('Hello, World!'))

const message = route.get('/json').handler(async () => Response.ok({ message: 'Hello, World!' }))

const messageAsync = route
  .get('/json-async')
  .handler(async () => Response.ok({ message: 'Hello, World!' }))

const list = route.get('/books').handler(async () => Response.ok(books))

const cookies = Middleware.wrapNative(cookieParser())

/** @param {number} n */
const item = (n) =>
  route
    .get(`/r${n}/items/:id(int)`)
    .use(Parser.query(Query), Parser.headers(Headers), cookies, Parser.cookies(Cookies))
    .handler(async (request) =>
      Response.ok({
        id: request.routeParams.id,
        page: request.query.page ?? 1,
        tags: request.query.tag,
        trace: request.headers['x-trace'],
        session: request.cookies.sid,
      }),
    )

const order = route
  .post('/orders')
  .use(Middleware.wrapNative(express.json()), Parser.body(Order))
  .handler(async (request) => Response.ok(request.body))

const items = Array.from({ length: routes }, (_, n) => item(n))

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.use(router(plaintext, message, messageAsync, list, ...items, order).handler())

const server = app.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
