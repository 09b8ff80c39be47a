/** Operations with every method, and with parameters of every kind and of every codec of a parameter. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  cookie,
  decimal,
  del,
  duration,
  encoded,
  get,
  handle,
  head,
  header,
  int,
  matrix,
  method,
  options,
  optional,
  patch,
  path,
  post,
  produces,
  put,
  query,
  queryMap,
  routes,
  segments,
  separated,
  set,
  sortedSet,
  string,
  tags,
  text,
  uuid,
} from '../../../src/index.ts'
import { headerParameters, queryParameters } from '../every-codec.ts'

const item = path('/items/{id}', { id: uuid })

const methods = routes({
  getItem: pipe(
    item,
    get(),
    produces(text),
    handle(({ path: { id } }) => id),
  ),
  headItem: pipe(
    item,
    head(),
    handle(() => undefined),
  ),
  postItem: pipe(
    item,
    post(),
    handle(() => undefined),
  ),
  putItem: pipe(
    item,
    put(),
    handle(() => undefined),
  ),
  deleteItem: pipe(
    item,
    del(),
    handle(() => undefined),
  ),
  patchItem: pipe(
    item,
    patch(),
    handle(() => undefined),
  ),
  optionsOfItem: pipe(
    item,
    options(),
    handle(() => undefined),
  ),
  purgeItem: pipe(
    item,
    method('PURGE')(),
    handle(() => undefined),
  ),
  queryItem: pipe(
    item,
    method('QUERY')(),
    handle(() => undefined),
  ),
})

const readParameters = pipe(
  path('/parameters/{number}/{code:[a-z]{2}}/{sent}', { number: int, sent: encoded(string) }),
  get(),
  matrix({ colour: string, size: optional(int) }),
  query(queryParameters),
  query({ sizes: set(int), prices: sortedSet(decimal), spans: separated('|')(duration) }),
  header(headerParameters),
  cookie({ session: optional(string) }),
  produces(text),
  handle(({ path: { code } }) => code),
)

const readFile = pipe(
  path('/files/{rest}', { rest: segments(string) }),
  get(),
  produces(text),
  handle(({ path: { rest } }) => rest.join('/')),
)

const readQueryMap = pipe(
  path('/query'),
  get(),
  queryMap,
  produces(text),
  handle((input) => [...input.queryMap].join(' ')),
)

export const parameterRoutes = pipe(
  routes({ methods, readParameters, readFile, readQueryMap }),
  tags({ name: 'parameters', description: 'Methods and parameters' }),
)
