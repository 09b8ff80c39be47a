/**
 * Effect's HTTP API on Node.js with schemas for requests and responses. Spans are disabled, because there is no collector.
 */
import { createServer } from 'node:http'
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiSchema,
  HttpMiddleware,
  HttpServer,
} from '@effect/platform'
import { NodeHttpServer, NodeRuntime } from '@effect/platform-node'
import { Effect, Layer, Schema } from 'effect'
import { books } from '../frameworks/books.mjs'
import { announce, host, port, routes } from './listen.mjs'

const Message = Schema.Struct({ message: Schema.String })

const Book = Schema.Struct({
  id: Schema.Int,
  title: Schema.String,
  author: Schema.String,
  year: Schema.Int,
  available: Schema.Boolean,
  tags: Schema.Array(Schema.String),
  price: Schema.Number,
})

const Item = Schema.Struct({
  id: Schema.Int,
  page: Schema.Int,
  tags: Schema.Array(Schema.String),
  trace: Schema.optional(Schema.String),
  session: Schema.optional(Schema.String),
})

const Order = Schema.Struct({
  id: Schema.Int,
  customer: Schema.Struct({ name: Schema.String, email: Schema.String }),
  lines: Schema.Array(
    Schema.Struct({ sku: Schema.String, quantity: Schema.Int, price: Schema.Number }),
  ),
  notes: Schema.String,
  tags: Schema.Array(Schema.String),
})

const IntFromString = Schema.NumberFromString.pipe(Schema.int())

const main = HttpApiGroup.make('main')
  .add(HttpApiEndpoint.get('plaintext', '/plaintext').addSuccess(HttpApiSchema.Text()))
  .add(HttpApiEndpoint.get('message', '/json').addSuccess(Message))
  .add(HttpApiEndpoint.get('messageAsync', '/json-async').addSuccess(Message))
  .add(HttpApiEndpoint.get('books', '/books').addSuccess(Schema.Array(Book)))
  .add(HttpApiEndpoint.post('order', '/orders').setPayload(Order).addSuccess(Order))

/** @param {number} n */
const items = (n) =>
  HttpApiGroup.make(`r${n}`).add(
    HttpApiEndpoint.get('item', `/r${n}/items/:id`)
      .setPath(Schema.Struct({ id: IntFromString }))
      .setUrlParams(
        Schema.Struct({
          page: Schema.optionalWith(IntFromString, { default: () => 1 }),
          tag: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
        }),
      )
      .setHeaders(Schema.Struct({ 'x-trace': Schema.optional(Schema.String) }))
      .addSuccess(Item),
  )

const numbers = Array.from({ length: routes }, (_, n) => n)

const api = numbers
  .slice(1)
  .reduce((whole, n) => whole.add(items(n)), HttpApi.make('bench').add(main).add(items(0)))

const mainLive = HttpApiBuilder.group(api, 'main', (handlers) =>
  handlers
    .handle('plaintext', () => Effect.succeed('Hello, World!'))
    .handle('message', () => Effect.succeed({ message: 'Hello, World!' }))
    .handle('messageAsync', () => Effect.promise(async () => ({ message: 'Hello, World!' })))
    .handle('books', () => Effect.succeed(books))
    .handle('order', ({ payload }) => Effect.succeed(payload)),
)

/** @param {number} n */
const itemsLive = (n) =>
  HttpApiBuilder.group(api, `r${n}`, (handlers) =>
    handlers.handle('item', ({ path, urlParams, headers, request }) =>
      Effect.succeed({
        id: path.id,
        page: urlParams.page,
        tags: urlParams.tag,
        trace: headers['x-trace'],
        session: request.cookies['sid'],
      }),
    ),
  )

const apiLive = HttpApiBuilder.api(api).pipe(
  Layer.provide(Layer.mergeAll(mainLive, ...numbers.map(itemsLive))),
)

const announced = HttpServer.addressWith((address) =>
  Effect.sync(() => {
    if (address._tag === 'TcpAddress') announce(address.port)
  }),
)

const serverLive = Layer.effectDiscard(announced).pipe(
  Layer.provideMerge(HttpApiBuilder.serve().pipe(Layer.provide(apiLive))),
  HttpMiddleware.withTracerDisabledWhen(() => true),
  Layer.provide(NodeHttpServer.layer(createServer, { port, host })),
)

NodeRuntime.runMain(Layer.launch(serverLive))
