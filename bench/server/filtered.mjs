/**
 * The same operation twice, bare and behind three synchronous filters: one that looks at the request,
 * one that gives a value to what lies below, and one that adds a field to the reply.
 */
import { pipe } from '../../node_modules/fp-ts/lib/function.js'
import * as t from '../../node_modules/io-ts/lib/index.js'
import { announce, host, port } from './listen.mjs'

/** @type {(door: string) => string} */
const published = (door) => new URL(`../../dist/espalier/${door}.js`, import.meta.url).href

/** @type {typeof import('../../dist/src/index.js')} */
const {
  get,
  handle,
  json,
  needs,
  next,
  path,
  prefix,
  produces,
  reply,
  requestFilter,
  responseFilter,
  routes,
  slot,
  text,
  withFilter,
  withHeader,
} = await import(published('index'))

/** @type {typeof import('../../dist/src/node.js')} */
const { serve } = await import(published('node'))

const Message = t.type({ message: t.string })
const Name = /** @type {import('../../dist/src/index.js').Slot<'name', string>} */ (slot()('name'))

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
const messageTo = pipe(
  path('/json'),
  get(),
  needs({ name: Name }),
  produces(json(Message)),
  handle(({ needs: { name } }) => ({ message: `Hello, ${name}!` })),
)

const filtered = pipe(
  routes({ messageTo }),
  prefix('/filtered'),
  withFilter(
    requestFilter(({ request }) =>
      request.header('x-banned') === undefined ? undefined : reply(403),
    ),
    requestFilter({ gives: { name: Name } }, () => next({ name: 'World' })),
    responseFilter(withHeader('X-Served-By', 'a')),
  ),
)

const server = await serve(routes({ plaintext, message, filtered }), {
  'fw.http.host': host,
  'fw.http.port': port,
})
announce(new URL(server.url).port)
