/** A service that returns the request body, in every buffered representation. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { hal, halCollection } from '../../src/hal.ts'
import {
  as,
  bigint,
  body,
  bytes,
  entity,
  form,
  formMap,
  handle,
  html,
  int,
  inView,
  json,
  jsonView,
  list,
  ok,
  onlyOn,
  optional,
  path,
  plainDate,
  post,
  produces,
  rawJson,
  reader,
  readerInterceptor,
  representation,
  routes,
  secureField,
  string,
  text,
  view,
  withInterceptor,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../src/index.ts'
import { lossless } from '../../src/json.ts'
import { xml } from '../../src/xml.ts'

const Book = t.type({ title: t.string, due: plainDate }, 'Book')
type Book = t.TypeOf<typeof Book>
export const emma: Book = pipe(
  Book.decode({ title: 'Emma é€😀', due: '2026-01-02' }),
  E.getOrElse((): Book => {
    throw new Error('invalid date')
  }),
)
const Big = t.type({ big: bigint })
const Public = view('Public')
const Member = t.type(
  { name: t.string, pay: secureField('chief')(t.number), note: inView(view('Private'))(t.string) },
  'Member',
)
const Point = t.type({ x: t.number, y: t.number })

const csv = representation<ReadonlyArray<string>, 'text/csv'>({
  mediaType: 'text/csv',
  read: (data) => {
    const line = new TextDecoder().decode(data)
    if (line.includes(';')) throw new Error('a semicolon')
    return line.split(',')
  },
  write: (row) => {
    if (row.some((cell) => cell.includes(','))) throw new Error('a comma')
    return row.join()
  },
})
const pairs = {
  read: (data: Uint8Array) => {
    const [x, y] = new TextDecoder().decode(data).split(' ').map(Number)
    return { x, y }
  },
  write: (value: unknown) => Object.values(value as object).join(' '),
}

/** Interceptors that append a signature on the writing side, and check and remove it on the reading side. */
const signatureInterceptors = (side: 'server' | 'client') => [
  onlyOn(side)(
    writerInterceptor(async (_, proceed) => {
      const written = await proceed()
      return new Uint8Array([...written, side.charCodeAt(0)])
    }),
  ),
  onlyOn(side === 'server' ? 'client' : 'server')(
    readerInterceptor(({ data }, proceed) => {
      assert.is(data.at(-1), side.charCodeAt(0))
      return proceed({ data: data.subarray(0, -1) })
    }),
  ),
]

export const api = routes({
  json: pipe(
    path('/json'),
    post(),
    body(json(Book)),
    produces(json(Book)),
    handle((input) => input.body),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  html: pipe(
    path('/html'),
    post(),
    body(html),
    produces(html),
    handle((input) => input.body),
  ),
  bytes: pipe(
    path('/bytes'),
    post(),
    body(bytes),
    produces(bytes),
    handle((input) => input.body),
  ),
  raw: pipe(
    path('/raw'),
    post(),
    body(rawJson),
    produces(rawJson),
    handle((input) => input.body),
  ),
  map: pipe(
    path('/map'),
    post(),
    body(formMap),
    produces(formMap),
    handle((input) => input.body),
  ),
  xml: pipe(
    path('/xml'),
    post(),
    body(xml(Book)),
    produces(xml(Book)),
    handle((input) => input.body),
  ),
  hal: pipe(
    path('/hal'),
    post(),
    body(hal(Book)),
    produces(hal(Book)),
    handle((input) => input.body),
  ),
  hals: pipe(
    path('/hals'),
    post(),
    body(json(list(Book))),
    produces(hal(list(Book))),
    handle((input) => halCollection(input.body, 'books')),
  ),
  int: pipe(
    path('/int'),
    post(),
    body(int),
    produces(int),
    handle((input) => input.body),
  ),
  csv: pipe(
    path('/csv'),
    post(),
    body(csv),
    produces(csv),
    handle((input) => input.body),
  ),
  lossless: pipe(
    path('/lossless'),
    post(),
    body(lossless(json(Big))),
    produces(lossless(json(Big))),
    handle((input) => input.body),
  ),
  form: pipe(
    path('/form'),
    post(),
    form({ isbn: string, copies: list(int), note: optional(string) }),
    produces(json(t.unknown)),
    handle((input) => ok(input.form)),
  ),
  optional: pipe(
    path('/optional'),
    post(),
    body(json(optional(Book))),
    produces(json(t.unknown)),
    handle((input, { request }) => [
      input.body?.title ?? null,
      request.header('content-length') ?? '0',
      request.header('content-type') ?? null,
    ]),
  ),
  none: pipe(
    path('/none'),
    post(),
    produces(json(t.unknown)),
    handle((_, { request }) => [
      request.header('content-length') ?? '0',
      request.header('content-type') ?? null,
    ]),
  ),
  choice: pipe(
    path('/choice'),
    post(),
    body(json(Book), xml(Book), as('application/vnd.book+json')(json(Book))),
    produces(text),
    handle((input, { request }) => `${request.header('content-type')} ${input.body.title}`),
  ),
  image: pipe(
    path('/image'),
    post(),
    body(as('image/*')(bytes)),
    produces(as('image/*')(bytes)),
    handle((input) => input.body),
  ),
  entity: pipe(
    routes({
      point: pipe(
        path('/point'),
        post(),
        body(entity(Point)),
        produces(entity(Point)),
        handle((input) => input.body),
      ),
    }),
    withReader(reader({ mediaType: 'text/x-pair', ...pairs })),
    withWriter(writer({ mediaType: 'text/x-pair', ...pairs })),
  ),
  sided: pipe(
    routes({
      point: pipe(
        path('/sided'),
        post(),
        body(entity(Point)),
        produces(entity(Point)),
        handle(({ body: { x, y } }) => ({ x: y, y: x })),
      ),
    }),
    withReader(onlyOn('server')(reader({ mediaType: 'text/x-pair', ...pairs }))),
    withWriter(
      onlyOn('client')(
        writer({
          mediaType: 'text/x-pair',
          of: Point,
          write: ({ x, y }) => Promise.resolve(`${x} ${y}`),
        }),
      ),
    ),
  ),
  secured: pipe(
    path('/secured'),
    post(),
    body(json(Member)),
    produces(json(Member), xml(Member)),
    handle((input) => input.body),
  ),
  viewed: pipe(
    path('/viewed'),
    post(),
    body(json(Member)),
    produces(jsonView(Public)(json(Member))),
    handle((input) => input.body),
  ),
  signed: pipe(
    routes({
      json: pipe(
        path('/signed'),
        post(),
        body(json(Point)),
        produces(json(Point)),
        handle((input) => input.body),
      ),
    }),
    withInterceptor(...signatureInterceptors('server'), ...signatureInterceptors('client')),
  ),
})
