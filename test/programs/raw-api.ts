/** The service under test of the raw requests: a minimal operation for each case. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { setTimeout as wait } from 'node:timers/promises'
import {
  Forbidden,
  Unauthorized,
  as,
  body,
  bytes,
  cookie,
  del,
  form,
  get,
  handle,
  header,
  html,
  int,
  json,
  list,
  matrix,
  noContent,
  notModified,
  ok,
  optional,
  path,
  post,
  produces,
  put,
  query,
  reply,
  responds,
  routes,
  segments,
  string,
  text,
  withHeader,
} from '../../src/index.ts'

const Named = t.type({ name: t.string })

/** A text in rejected values and error messages that no response may contain. */
export const secret = 'hunter2'

const requests = {
  root: pipe(
    path('/'),
    get(),
    produces(text),
    handle(() => 'root'),
  ),
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
  target: pipe(
    path('/target'),
    get(),
    produces(text),
    handle((_, { request }) => `${request.path} ${request.query ?? '-'}`),
  ),
  /** Returns the number of headers and the value of the last one. */
  headers: pipe(
    path('/headers'),
    get(),
    produces(text),
    handle((_, { request }) => `${request.headers.length / 2} ${request.headers.at(-1) ?? ''}`),
  ),
  header: pipe(
    path('/header'),
    get(),
    header({ 'x-one': optional(string), 'x-all': list(string), constructor: optional(string) }),
    produces(json(t.UnknownRecord)),
    handle((input) => input.header),
  ),
  cookie: pipe(
    path('/cookie'),
    get(),
    cookie({ id: optional(string) }),
    produces(text),
    handle(({ cookie: { id } }) => id ?? '-'),
  ),
  query: pipe(
    path('/query'),
    get(),
    query({ n: optional(int), q: optional(string), tag: list(string) }),
    produces(json(t.UnknownRecord)),
    handle((input) => input.query),
  ),
}

const paths = {
  segment: pipe(
    path('/segment/{value}'),
    get(),
    produces(text),
    handle(({ path: { value } }) => value),
  ),
  rest: pipe(
    path('/rest/{all}', { all: segments(string) }),
    get(),
    produces(json(t.readonlyArray(t.string))),
    handle(({ path: { all } }) => all),
  ),
  number: pipe(
    path('/number/{n}', { n: int }),
    get(),
    produces(text),
    handle(({ path: { n } }) => String(n)),
  ),
  digits: pipe(
    path('/digits/{all:\\d+}'),
    get(),
    produces(text),
    handle(({ path: { all } }) => String(all.length)),
  ),
  car: pipe(
    path('/cars/{model}'),
    get(),
    matrix({ colour: optional(string) }),
    produces(text),
    handle(({ path: { model }, matrix: { colour } }) => `${model} ${colour ?? '-'}`),
  ),
}

const bodies = {
  text: pipe(
    path('/text'),
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  putText: pipe(
    path('/text'),
    put(),
    body(text),
    responds(204),
    handle(() => noContent),
  ),
  bytes: pipe(
    path('/bytes'),
    post(),
    body(bytes),
    produces(text),
    handle((input) => String(input.body.length)),
  ),
  json: pipe(
    path('/json'),
    post(),
    body(json(Named)),
    produces(json(Named)),
    handle((input) => input.body),
  ),
  anything: pipe(
    path('/anything'),
    post(),
    body(json(t.unknown)),
    produces(text),
    handle((input) => typeof input.body),
  ),
  form: pipe(
    path('/form'),
    post(),
    form({ name: string, tag: list(string) }),
    produces(json(t.UnknownRecord)),
    handle((input) => input.form),
  ),
  numbered: pipe(
    path('/numbered/{n}', { n: int }),
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  /** Returns 401 without reading the body. */
  guarded: pipe(
    path('/guarded'),
    post(),
    responds(204),
    handle(() => new Unauthorized('Basic', undefined, { cause: new Error(secret) })),
  ),
}

const responses = {
  choice: pipe(
    path('/choice'),
    get(),
    produces(json(t.string), text, html),
    handle(() => 'one'),
  ),
  vendor: pipe(
    path('/vendor'),
    get(),
    produces(as('application/vnd.example+json')(json(t.string))),
    handle(() => 'one'),
  ),
  thing: pipe(
    path('/thing'),
    del(),
    responds(204),
    handle(() => noContent),
  ),
  reset: pipe(
    path('/reset'),
    get(),
    responds(205),
    handle(() => reply(205)),
  ),
  fresh: pipe(
    path('/fresh'),
    get(),
    responds(304),
    handle(() => pipe(notModified, withHeader('ETag', '"1"'))),
  ),
  /** Sets framing headers, which the connection owns. */
  framed: pipe(
    path('/framed'),
    get(),
    produces(text),
    handle(() =>
      pipe(ok('é'), withHeader('Content-Length', '1'), withHeader('Transfer-Encoding', 'chunked')),
    ),
  ),
  slow: pipe(
    path('/slow'),
    get(),
    produces(text),
    handle(() => wait(30, 'slow')),
  ),
  forbidden: pipe(
    path('/forbidden'),
    get(),
    produces(text),
    handle(() => new Forbidden(secret, { detail: 'Not on Sundays.' })),
  ),
  broken: pipe(
    path('/broken'),
    get(),
    produces(text),
    handle((): string => {
      throw new Error(secret)
    }),
  ),
}

export const api = routes({ ...requests, ...paths, ...bodies, ...responses })
