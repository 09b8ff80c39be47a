/**
 * Sends the same responses with two codecs: one declares exactly the sent members, the other declares more members, which a
 * view and roles hide. Both require authentication.
 */
import { pipe } from '../../node_modules/fp-ts/lib/function.js'
import * as t from '../../node_modules/io-ts/lib/index.js'
import { announce, host, port } from './listen.mjs'

/** @type {(entryPoint: string) => string} */
const published = (entryPoint) =>
  new URL(`../../dist/espalier/${entryPoint}.js`, import.meta.url).href

/** @type {typeof import('../../dist/src/index.js')} */
const {
  authentication,
  get,
  handle,
  authenticateAs,
  inView,
  json,
  jsonView,
  list,
  path,
  produces,
  routes,
  secureField,
  text,
  view,
  withFilter,
} = await import(published('index'))

/** @type {typeof import('../../dist/src/node.js')} */
const { serve } = await import(published('node'))

const Public = view('Public')
const Internal = view('Internal', Public)

const open = { isbn: t.string, title: t.string, author: t.string, pages: t.number }
const Plain = t.type({ ...open, shelf: t.string, copies: t.number })
const Restricted = t.type({
  ...open,
  shelf: inView(Public)(t.string),
  copies: secureField('reader')(t.number),
  price: inView(Internal)(t.number),
  supplier: secureField('chief')(t.string),
})

const book = {
  isbn: '9780141439587',
  title: 'Emma',
  author: 'Jane Austen',
  pages: 512,
  shelf: 'A 12',
  copies: 3,
  price: 12.5,
  supplier: 'Harbour Books',
}
const books = Array.from({ length: 20 }, () => book)
const ann = authenticateAs({ name: 'ann', roles: ['reader', 'member'] })

const plaintext = pipe(
  path('/plaintext'),
  get(),
  produces(text),
  handle(() => 'Hello, World!'),
)
const one = pipe(
  path('/one'),
  get(),
  produces(json(Plain)),
  handle(() => book),
)
const many = pipe(
  path('/many'),
  get(),
  produces(json(list(Plain))),
  handle(() => books),
)
const restrictedOne = pipe(
  path('/restricted/one'),
  get(),
  jsonView(Public),
  produces(json(Restricted)),
  handle(() => book),
)
const restrictedMany = pipe(
  path('/restricted/many'),
  get(),
  jsonView(Public),
  produces(json(list(Restricted))),
  handle(() => books),
)

const server = await serve(
  pipe(
    routes({ plaintext, one, many, restrictedOne, restrictedMany }),
    withFilter(authentication({ challenge: 'Bench' }, () => ann)),
  ),
  { 'fw.http.host': host, 'fw.http.port': port },
)
announce(new URL(server.url).port)
