/** Two operations to put ready-made filters around. */
import { pipe } from 'fp-ts/lib/function.js'
import { get, handle, int, path, produces, query, text } from '../../src/index.ts'

/** Tells the id of its request; needs `?n=` and a number. */
export const hello = pipe(
  path('/hello'),
  get(),
  query({ n: int }),
  produces(text),
  handle((_, { request }) => request.id),
)

export const broken = pipe(
  path('/broken'),
  get(),
  produces(text),
  handle((): string => {
    throw new Error('broken')
  }),
)
