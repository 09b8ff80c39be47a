/**
 * The operations of the espalier servers, with io-ts codecs for requests and responses. espalier is imported from the build of this checkout, and fp-ts and io-ts
 * from the same `node_modules`, so that the copies of other frameworks are not loaded as well.
 */
import { pipe } from '../../node_modules/fp-ts/lib/function.js'
import * as t from '../../node_modules/io-ts/lib/index.js'
import { books } from '../frameworks/books.mjs'
import { routes as itemRoutes } from './listen.mjs'

/** Returns the URL of an entry point of the built package. @type {(entryPoint: string) => string} */
export const published = (entryPoint) =>
  new URL(`../../dist/espalier/${entryPoint}.js`, import.meta.url).href

/** @type {typeof import('../../dist/src/index.js')} */
const {
  boolean,
  body,
  cookie,
  get,
  handle,
  header,
  int,
  json,
  list,
  number,
  optional,
  path,
  post,
  produces,
  query,
  routes,
  string,
  text,
  withDefault,
} = await import(published('index'))

const Message = t.type({ message: string })

const Book = t.type({
  id: int,
  title: string,
  author: string,
  year: int,
  available: boolean,
  tags: list(string),
  price: number,
})

const Item = t.type({
  id: int,
  page: int,
  tags: list(string),
  trace: optional(string),
  session: optional(string),
})

const Order = t.type({
  id: int,
  customer: t.type({ name: string, email: string }),
  lines: list(t.type({ sku: string, quantity: int, price: number })),
  notes: string,
  tags: list(string),
})

const plaintext = pipe(
  path('/plaintext'),
  get(),
  produces(text),
  handle(() => 'Hello, World!'),
)

const message = pipe(
  path('/json'),
  get(),
  produces(json(Message)),
  handle(() => ({ message: 'Hello, World!' })),
)

const messageAsync = pipe(
  path('/json-async'),
  get(),
  produces(json(Message)),
  handle(async () => ({ message: 'Hello, World!' })),
)

const collection = pipe(
  path('/books'),
  get(),
  produces(json(list(Book))),
  handle(() => books),
)

/** @param {number} n */
const item = (n) =>
  pipe(
    path(`/r${n}`),
    get('/items/{id}', { id: int }),
    query({ page: withDefault(int, 1), tag: list(string) }),
    header({ 'x-trace': optional(string) }),
    cookie({ sid: optional(string) }),
    produces(json(Item)),
    handle((input) => ({
      id: input.path.id,
      page: input.query.page,
      tags: input.query.tag,
      trace: input.header['x-trace'],
      session: input.cookie.sid,
    })),
  )

const items = Object.fromEntries(Array.from({ length: itemRoutes }, (_, n) => [`r${n}`, item(n)]))

const order = pipe(
  path('/orders'),
  post(),
  body(json(Order)),
  produces(json(Order)),
  handle((input) => input.body),
)

export const api = routes({
  plaintext,
  message,
  messageAsync,
  collection,
  items: routes(items),
  order,
})
