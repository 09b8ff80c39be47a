/** Operations that may receive `Content-Range`, in a module that workers can import. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  blocking,
  body,
  byteStream,
  bytes,
  form,
  handle,
  header,
  int,
  json,
  multipartInput,
  optional,
  patch,
  path,
  post,
  produces,
  put,
  reply,
  requestFilter,
  routes,
  string,
  text,
  withFilter,
} from '../../src/index.ts'

const stored = () => 'stored'
const range = { 'Content-Range': optional(string) }
const withRange = pipe(path('/resource'), header(range))

const filter = requestFilter(({ request }) =>
  request.header('Content-Range') === 'filtered' ? reply(403) : undefined,
)

export const api = routes({
  text: pipe(path('/text'), put(), body(text), produces(text), handle(stored)),
  json: pipe(path('/json'), put(), body(json(t.unknown)), produces(text), handle(stored)),
  bytes: pipe(path('/bytes'), put(), body(bytes), produces(text), handle(stored)),
  stream: pipe(path('/stream'), put(), body(byteStream), produces(text), handle(stored)),
  form: pipe(path('/form'), put(), form({ a: optional(string) }), produces(text), handle(stored)),
  parts: pipe(path('/parts'), put(), body(multipartInput), produces(text), handle(stored)),
  nothing: pipe(path('/nothing'), put(), produces(text), handle(stored)),
  numbered: pipe(
    path('/numbers/{n}', { n: int }),
    put(),
    body(text),
    produces(text),
    handle(stored),
  ),
  queried: pipe(
    path('/queried'),
    put(),
    body(text),
    produces(text),
    header({ n: int }),
    handle(stored),
  ),
  filtered: pipe(
    routes({ it: pipe(path('/filtered'), put(), body(text), produces(text), handle(stored)) }),
    withFilter(filter),
  ),
  blocking: pipe(path('/blocking'), put(), body(text), produces(text), handle(stored), blocking),
  blockingStream: pipe(
    path('/blocking-stream'),
    put(),
    body(byteStream),
    produces(text),
    handle(stored),
    blocking,
  ),
  posted: pipe(path('/text'), post(), body(text), produces(text), handle(stored)),
  postedOnly: pipe(path('/posted-only'), post(), body(text), produces(text), handle(stored)),
  patched: pipe(path('/text'), patch(), body(text), produces(text), handle(stored)),
  declared: pipe(
    path('/declared'),
    put(),
    header(range),
    body(text),
    produces(text),
    handle(({ header: headers }) => headers['Content-Range'] ?? 'whole'),
  ),
  camelCase: pipe(
    path('/camel-case'),
    put(),
    header({ contentRange: string }),
    body(text),
    produces(text),
    handle(({ header: headers }) => headers.contentRange),
  ),
  upperCase: pipe(
    path('/upper-case'),
    put(),
    header({ 'CONTENT-RANGE': string }),
    body(text),
    produces(text),
    handle(({ header: headers }) => headers['CONTENT-RANGE']),
  ),
  resource: pipe(
    withRange,
    put(),
    body(text),
    produces(text),
    handle(({ header: headers }) => headers['Content-Range'] ?? 'whole'),
  ),
  blockingDeclared: pipe(
    path('/blocking-declared'),
    put(),
    header(range),
    body(text),
    produces(text),
    handle(({ header: headers }) => headers['Content-Range'] ?? 'whole'),
    blocking,
  ),
})

export const partialPutModule: string = import.meta.url
