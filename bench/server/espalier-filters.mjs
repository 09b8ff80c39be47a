/**
 * Sends the same response from an operation without filters, and from one with three synchronous filters: one reads a request
 * header, one provides a dependency, and one adds a response header.
 */
import { pipe } from '../../node_modules/fp-ts/lib/function.js'
import * as t from '../../node_modules/io-ts/lib/index.js'
import { announce, host, port } from './listen.mjs'

/** @type {(entryPoint: string) => string} */
const published = (entryPoint) =>
  new URL(`../../dist/espalier/${entryPoint}.js`, import.meta.url).href

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
  provide,
  reply,
  requestFilter,
  responseFilter,
  responseHeader,
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
  needs({ name: Name }),
  produces(json(Message)),
  responseHeader('X-Served-By', 'a'),
  handle(({ needs: { name } }) => ({ message: `Hello, ${name}!` })),
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

const server = await serve(
  pipe(routes({ plaintext, message, filtered }), provide({ name: 'World' })),
  {
    'fw.http.host': host,
    'fw.http.port': port,
  },
)
announce(new URL(server.url).port)
