/** Exports values, so that the compiler must name every type of the package in declarations. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  body,
  fails,
  get,
  handle,
  int,
  json,
  path,
  post,
  produces,
  query,
  routes,
  withDefault,
} from 'espalier'
import type { InputOf } from 'espalier'
import { client, promiseClient } from 'espalier/client'
import { hal } from 'espalier/hal'
import { jsonObject, lossless } from 'espalier/json'
import { injectLinks, rel } from 'espalier/links'
import { xml } from 'espalier/xml'
import { serve } from 'espalier/node'
import type { Server } from 'espalier/node'
import { inMemory } from 'espalier/testing'

export const Book = t.type({ title: t.string })
export const books = pipe(path('/books'), query({ page: withDefault(int, 1) }))
export const list = pipe(
  books,
  get('/{id}', { id: int }),
  produces(json(Book)),
  fails(404, json(Book)),
)
export const getBook = pipe(
  list,
  handle(({ path: { id }, query: { page } }) => ({ title: id.toFixed(page) })),
)
export const addBook = pipe(
  books,
  post(),
  body(json(Book)),
  handle(({ body: book }) => void book.title),
)
export const shown = pipe(
  books,
  get('/shown'),
  rel('shown'),
  injectLinks(),
  produces(xml(Book), hal(Book)),
  handle(() => ({ title: '' })),
)
export const exact = pipe(
  books,
  get('/exact'),
  lossless,
  produces(json(jsonObject)),
  handle(() => ({})),
)
export type Input = InputOf<typeof getBook>
export const page: Input['query']['page'] = 1
export const api = routes({ getBook, addBook, shown, exact })
export const call = inMemory(api)
export const calls = client(api, { baseUrl: 'http://localhost', fetch: call })
export const title = async (): Promise<string> =>
  (await promiseClient(api, { baseUrl: 'http://localhost' }).getBook({ path: { id: 1 } })).body
    .title
export const start = (): Promise<Server> => serve(api, { 'fw.http.port': 0 })
export const wrong = pipe(
  books,
  get(),
  produces(json(Book)),
  // @ts-expect-error the result does not match the declared representation
  handle(() => 1),
)
