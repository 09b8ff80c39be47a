/**
 * hyper-ts on Express with io-ts decoders in a chain of middleware. Automatic ETags are disabled, because the other servers do
 * not send them.
 *
 * @import { ResponseEnded, StatusOpen } from 'hyper-ts'
 */
import cookieParser from 'cookie-parser'
import express from 'express'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { MediaType, Status } from 'hyper-ts'
import * as M from 'hyper-ts/lib/Middleware.js'
import { fromRequestHandler, toRequestHandler } from 'hyper-ts/lib/express.js'
import { failure } from 'io-ts/lib/PathReporter.js'
import { books } from '../frameworks/books.mjs'
import { Cookies, Order, Params, Query, Trace } from './io-ts.mjs'
import { announce, host, port, routes } from './listen.mjs'

/** @typedef {import('io-ts').Errors} Errors */

/** Error mapping of JSON serialization, which cannot fail here. @type {() => Errors} */
const unwritable = () => []

/** @type {(value: unknown) => M.Middleware<StatusOpen, ResponseEnded, Errors, void>} */
const ok = (value) =>
  pipe(
    M.status(Status.OK),
    M.iflatMap(() => M.json(value, unwritable)),
  )

/** @type {(errors: Errors) => M.Middleware<StatusOpen, ResponseEnded, Errors, void>} */
const badRequest = (errors) =>
  pipe(
    M.status(Status.BadRequest),
    M.iflatMap(() => M.json(failure(errors), unwritable)),
  )

const plaintext = pipe(
  M.status(Status.OK),
  M.iflatMap(() => M.contentType(MediaType.textPlain)),
  M.iflatMap(() => M.closeHeaders()),
  M.iflatMap(() => M.send('Hello, World!')),
)

const message = ok({ message: 'Hello, World!' })

const messageAsync = pipe(M.fromTaskEither(TE.right({ message: 'Hello, World!' })), M.iflatMap(ok))

const list = ok(books)

const cookies = pipe(
  fromRequestHandler(cookieParser(), (request) => request.cookies),
  M.flatMapEither(Cookies.decode),
)

const item = pipe(
  M.decodeParams(Params.decode),
  M.bindTo('path'),
  M.apSW('query', M.decodeQuery(Query.decode)),
  M.apSW('trace', M.decodeHeader('x-trace', Trace.decode)),
  M.apSW('cookies', cookies),
  M.map(({ path, query, trace, cookies: { sid } }) => ({
    id: path.id,
    page: query.page ?? 1,
    tags: query.tag,
    trace,
    session: sid,
  })),
  M.iflatMap(ok),
  M.orElse(badRequest),
)

const order = pipe(
  fromRequestHandler(express.json(), () => undefined),
  M.iflatMap(() => M.decodeBody(Order.decode)),
  M.iflatMap(ok),
  M.orElse(badRequest),
)

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/plaintext', toRequestHandler(plaintext))
app.get('/json', toRequestHandler(message))
app.get('/json-async', toRequestHandler(messageAsync))
app.get('/books', toRequestHandler(list))
for (let n = 0; n < routes; n++) app.get(`/r${n}/items/:id`, toRequestHandler(item))
app.post('/orders', toRequestHandler(order))

const server = app.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
