/** Two operations for tests of ready-made filters. */
import { pipe } from 'fp-ts/lib/function.js'
import { get, handle, int, path, produces, query, text } from '../../../src/index.ts'

/** Returns the request id. Requires the integer query parameter `n`. */
export const hello = pipe(
  path('/hello'),
  get(),
  query({ n: int }),
  produces(text),
  handle((_, { request }) => request.id),
)

/** Throws an error. */
export const broken = pipe(
  path('/broken'),
  get(),
  produces(text),
  handle((): string => {
    throw new Error('broken')
  }),
)
