/** A route tree with deprecated blocking operations. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  blocking,
  deprecated,
  get,
  handle,
  int,
  path,
  prefix,
  produces,
  routes,
  text,
} from '../../src/index.ts'

export const deprecatedModule = import.meta.url

const desk = pipe(
  path('/desks/{id}', { id: int }),
  get(),
  produces(text),
  handle(({ path: { id } }) => {
    if (id === 8) throw new Error('a defect')
    if (id === 9) for (;;);
    return String(id)
  }),
)

export const api = pipe(
  routes({
    v1: pipe(
      routes({ desk: pipe(desk, deprecated({ replacedBy: desk })) }),
      prefix('/v1'),
      deprecated({ since: '2026-01-01' }),
    ),
    v2: pipe(routes({ desk }), prefix('/v2')),
  }),
  blocking,
)
