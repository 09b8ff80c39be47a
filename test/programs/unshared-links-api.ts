/** A route tree with blocking operations whose entities have different codecs with the same name. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { blocking, get, handle, int, json, list, path, produces, routes } from '../../src/index.ts'
import { injectLinks, rel } from '../../src/links.ts'

export const unsharedLinksModule = import.meta.url

const desk = () => t.type({ id: int }, 'Desk')

export const api = pipe(
  routes({
    list: pipe(
      path('/desks'),
      get(),
      produces(json(list(desk()))),
      rel(),
      handle(() => [{ id: 7 }]),
    ),
    get: pipe(
      path('/desks/{id}', { id: int }),
      get(),
      produces(json(desk())),
      injectLinks(),
      handle(({ path: { id } }) => ({ id })),
    ),
  }),
  blocking,
)
