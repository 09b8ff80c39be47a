/** The tree whose requests are traced. */
import { pipe } from '../../node_modules/fp-ts/lib/function.js'
import {
  blocking,
  get,
  handle,
  int,
  path,
  produces,
  query,
  routes,
  ServiceUnavailable,
  text,
  textStream,
  withDefault,
} from '../../dist/espalier/index.js'

let calls = 0

const book = pipe(
  path('/books/{id}', { id: int }),
  get(),
  query({ failures: withDefault(int, 0) }),
  produces(text),
  handle(async ({ path: { id }, query: { failures } }) => {
    if (failures > 0 && calls++ < failures) throw new ServiceUnavailable('later')
    calls = 0
    if (id === 500) throw new RangeError('broken')
    return `book ${id}`
  }),
)

const pages = pipe(
  path('/books/{id}/pages', { id: int }),
  get(),
  produces(textStream),
  handle(async function* () {
    yield 'one'
    yield await new Promise((resolve) => setTimeout(resolve, 20, 'two'))
  }),
)

const waiting = pipe(
  path('/waiting'),
  get(),
  produces(text),
  handle(
    (_, { onEnd }) =>
      new Promise((resolve) => {
        onEnd(() => resolve('late'))
      }),
  ),
)

const report = pipe(
  path('/reports/{id}', { id: int }),
  get(),
  produces(text),
  blocking,
  handle(({ path: { id } }) => `report ${id}`),
)

export const api = routes({ book, pages, waiting, report })
