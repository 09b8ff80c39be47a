/** Types of streams: any source of the declared type, and a declared head. */
import { Readable } from 'node:stream'
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { InputOf, Multi, Reply, Source } from '../../src/index.ts'
import {
  as,
  body,
  byteStream,
  bytes,
  get,
  handle,
  int,
  jsonStream,
  multi,
  multiFrom,
  ndjson,
  path,
  post,
  produces,
  responds,
  status,
  text,
  textStream,
} from '../../src/index.ts'

const Book = t.type({ isbn: t.string })
const emma = { isbn: 'Emma' }
const books = pipe(path('/books'), get(), produces(jsonStream(Book), ndjson(Book)))

// any source
pipe(
  books,
  handle(() => [emma]),
)
pipe(
  books,
  handle(function* () {
    yield emma
  }),
)
pipe(
  books,
  handle(async function* () {
    yield emma
  }),
)
pipe(
  books,
  handle(() => new ReadableStream<typeof emma>()),
)
pipe(
  books,
  handle(() => Readable.from([])),
)
pipe(
  books,
  handle(async () => new Set([emma])),
)
// elements have the declared type
pipe(
  books,
  // @ts-expect-error a number is not a book
  handle(() => [1]),
)
pipe(
  books,
  // @ts-expect-error a single value is not a stream
  handle(() => emma),
)
// text streams accept any source of strings
pipe(
  path('/text'),
  post(),
  body(as('text/csv')(textStream)),
  produces(text),
  handle((input) => {
    expectTypeOf(input.body).toEqualTypeOf<AsyncIterable<string>>()
    return ''
  }),
)
const lines = pipe(path('/lines'), get(), produces(textStream))
pipe(
  lines,
  handle(() => ['a', 'b']),
)
pipe(
  lines,
  // @ts-expect-error a string is not a source of strings
  handle(() => 'ab'),
)

// options of demand keep the type, and the status is 200
expectTypeOf(multi([emma])).toEqualTypeOf<Reply<200, Multi<{ isbn: string }>>>()
expectTypeOf(multi([emma], { demand: 5, headers: { a: ['b', 'c'] } })).toEqualTypeOf<
  Reply<200, Multi<{ isbn: string }>>
>()
expectTypeOf(
  multi([emma], { demand: Infinity, capDemands: (outstanding) => Math.ceil(outstanding / 2) }),
).toEqualTypeOf<Reply<200, Multi<{ isbn: string }>>>()
// @ts-expect-error a limit is a number or a function that returns a number
multi([emma], { capDemands: () => '5' })
pipe(
  books,
  handle(() => multi([emma], { encodeAsArray: false })),
)
pipe(
  books,
  // @ts-expect-error 222 is not declared
  handle(() => multi([emma], { status: 222 })),
)
pipe(
  books,
  status(222),
  handle(() => multi([emma], { status: 222 })),
)
pipe(
  path('/books'),
  get(),
  produces(text),
  responds(222, jsonStream(Book)),
  handle(() => multi([emma], { status: 222 })),
)

// from an asynchronous response
const found = async () => ({ all: [emma], code: 222 as const })
pipe(
  books,
  responds(222, jsonStream(Book)),
  handle(() =>
    multiFrom(
      found(),
      ({ all }) => all,
      () => ({ a: 'b' }),
      ({ code }) => code,
    ),
  ),
)
pipe(
  books,
  handle(() => multiFrom(found, ({ all }) => all)),
)
const undeclared = () =>
  multiFrom(
    found(),
    ({ all }) => all,
    undefined,
    ({ code }) => code,
  )
pipe(
  books,
  // @ts-expect-error 222 is not declared
  handle(undeclared),
)

// byte streams accept any source, for every media type
const picture = as('image/png')(byteStream)
const echo = pipe(path('/echo'), post(), body(byteStream, picture), produces(picture))
expectTypeOf<InputOf<typeof echo>['body']>().toEqualTypeOf<AsyncIterable<Uint8Array>>()
pipe(
  echo,
  handle((input) => input.body),
)
pipe(
  echo,
  handle(() => [new Uint8Array(1)]),
)
expectTypeOf<typeof picture>().toMatchTypeOf<{ readonly mediaType: 'image/png' }>()
expectTypeOf<(typeof picture)['_A']>().toEqualTypeOf<Source<Uint8Array>>()
const either = pipe(path('/either'), post(), body(byteStream, bytes, int))
expectTypeOf<InputOf<typeof either>['body']>().toEqualTypeOf<
  AsyncIterable<Uint8Array> | Uint8Array | number
>()
