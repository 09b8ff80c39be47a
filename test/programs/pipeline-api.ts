/** Operations whose responses differ in how they are produced and sent. Each response contains the number in its path. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  Conflict,
  Unauthorized,
  body,
  file,
  get,
  handle,
  header,
  int,
  ndjson,
  noContent,
  path,
  post,
  produces,
  put,
  responds,
  routes,
  string,
  text,
} from '../../src/index.ts'

/** The elements of the streams. */
export const elements = ['a', 'b', 'c']

async function* paced(id: number): AsyncGenerator<string> {
  for (const element of [String(id), ...elements]) {
    await wait(id % 5)
    yield element
  }
}

/** The padding of large responses. */
export const padding = 'x'.repeat(50_000)

export const api = routes({
  text: pipe(
    path('/text/{id}', { id: int }),
    get(),
    produces(text),
    handle(({ path: { id } }) => `text ${id}`),
  ),
  slow: pipe(
    path('/slow/{id}', { id: int }),
    get(),
    produces(text),
    handle(({ path: { id } }) => wait(id % 20, `slow ${id}`)),
  ),
  large: pipe(
    path('/large/{id}', { id: int }),
    get(),
    produces(text),
    handle(({ path: { id } }) => `${id} ${padding}`),
  ),
  stream: pipe(
    path('/stream/{id}', { id: int }),
    get(),
    produces(ndjson(t.string)),
    handle(({ path: { id } }) => [String(id), ...elements]),
  ),
  paced: pipe(
    path('/paced/{id}', { id: int }),
    get(),
    produces(ndjson(t.string)),
    handle(({ path: { id } }) => paced(id)),
  ),
  file: pipe(
    path('/file/{id}', { id: int }),
    get(),
    header({ 'x-file': string }),
    produces(file),
    handle((input) => input.header['x-file']),
  ),
  echo: pipe(
    path('/echo/{id}', { id: int }),
    post(),
    body(text),
    produces(text),
    handle((input) => `${input.path.id} ${input.body}`),
  ),
  slowEcho: pipe(
    path('/slow-echo/{id}', { id: int }),
    post(),
    body(text),
    produces(text),
    handle((input) => wait(input.path.id % 20, `${input.path.id} ${input.body}`)),
  ),
  discard: pipe(
    path('/discard/{id}', { id: int }),
    put(),
    body(text),
    responds(204),
    handle(() => noContent),
  ),
  /** Responds without reading the body. */
  guarded: pipe(
    path('/guarded/{id}', { id: int }),
    post(),
    responds(204),
    handle(() => new Unauthorized('Basic')),
  ),
  conflict: pipe(
    path('/conflict/{id}', { id: int }),
    get(),
    produces(text),
    handle(({ path: { id } }) => new Conflict(undefined, { detail: `number ${id}` })),
  ),
  broken: pipe(
    path('/broken/{id}', { id: int }),
    get(),
    produces(text),
    handle((): string => {
      throw new Error('broken')
    }),
  ),
})
