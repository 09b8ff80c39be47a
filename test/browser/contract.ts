/** The contract of a page and its server: declarations without handlers. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  body,
  decimal,
  fails,
  form,
  get,
  int,
  json,
  pattern,
  ndjson,
  path,
  post,
  produces,
  query,
  routes,
  sse,
  string,
  text,
  upload,
} from 'espalier'
import { lossless } from 'espalier/json'

const isbn = pattern(/^(?:\d{3}-)?\d{10}$/)(string)
const Book = t.type({ isbn, title: t.string })

export const find = pipe(
  path('/books/{isbn}', { isbn }),
  get(),
  produces(json(Book)),
  fails(404, json(t.type({ missing: t.string }))),
)
export const price = pipe(
  path('/price'),
  post(),
  lossless,
  body(json(decimal)),
  produces(json(decimal)),
)
export const cover = pipe(
  path('/cover'),
  post(),
  form({ title: string, cover: upload }),
  produces(json(t.type({ title: t.string, fileName: t.string, type: t.string, hash: t.string }))),
)
export const all = pipe(path('/books'), get(), produces(ndjson(Book)))
export const counting = pipe(path('/counting'), get(), query({ to: int }), produces(sse(int)))
export const slow = pipe(path('/slow'), get(), produces(text))

export const contract = routes({ find, price, cover, all, counting, slow })
