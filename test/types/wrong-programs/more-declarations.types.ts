/** Wrong parameters, codecs and bodies, as users of other libraries write them. `../messages.test.ts` describes the format. */
import { pipe } from 'fp-ts/lib/function.js'
import * as v from 'valibot'
import { z } from 'zod'
import {
  NotFound,
  authenticated,
  between,
  blocking,
  body,
  cookie,
  created,
  deprecated,
  enumOf,
  fails,
  file,
  form,
  get,
  handle,
  header,
  int,
  json,
  list,
  optional,
  path,
  post,
  produces,
  query,
  responds,
  separated,
  string,
  text,
  withDefault,
} from '../../../src/index.ts'
import { Book, Missing, emma } from './library.types.ts'

interface BookShape {
  readonly id: number
  readonly title: string
}
// remedy: path variable in Next.js style
pipe(
  // @ts-expect-error variables are written {id}
  path('/users/[id]'),
  //   ^
  get(),
  produces(text),
  handle((input) => input.path.id),
)
// remedy: optional path variable
pipe(
  // @ts-expect-error variables are always required: remove ?, and declare a second path without the variable
  path('/users/{id?}'),
  //   ^
  get(),
  produces(text),
  handle((input) => input.path.id),
)
// remedy: wildcard of Hono
pipe(
  // @ts-expect-error a variable for one or more segments is written {rest:.+}; for none, declare a second path
  path('/files/*'),
  //   ^
  get(),
  produces(text),
  handle((input) => input.path['*']),
)
// remedy: query with a valibot number
pipe(
  path('/books'),
  get(),
  // @ts-expect-error the schema does not accept text: convert it, as in z.coerce.number()">'
  query({ page: v.number() }),
  //      ^
  produces(text),
  handle((input) => String(input.query.page)),
)
// remedy: query with name and codec
pipe(
  path('/books'),
  get(),
  // @ts-expect-error pass a record of codecs: query({ page: int })">'
  query('page', int),
  //    ^
  produces(text),
  handle(() => 'x'),
)
// remedy: withDefault without a default
pipe(
  path('/books'),
  get(),
  // @ts-expect-error pass the default, as in withDefault(int, 1), or use optional(int)">'
  query({ page: withDefault(int) }),
  //                        ^
  produces(text),
  handle(() => 'x'),
)
// remedy: withDefault with swapped arguments
pipe(
  path('/books'),
  get(),
  // @ts-expect-error the codec comes first: withDefault(int, 1)">'
  query({ page: withDefault(1, int) }),
  //                        ^
  produces(text),
  handle(() => 'x'),
)
// remedy: optional with a default
pipe(
  path('/books'),
  get(),
  // @ts-expect-error use withDefault(int, 1)">'
  query({ page: optional(int, 1) }),
  //                          ^
  produces(text),
  handle(() => 'x'),
)
// remedy: between with the codec as the first argument
pipe(
  path('/books'),
  get(),
  // @ts-expect-error call twice: between(1, 100)(int)">'
  query({ size: between(int, 1, 100) }),
  //                    ^
  produces(text),
  handle(() => 'x'),
)
// remedy: between without a codec
pipe(
  path('/books'),
  get(),
  // @ts-expect-error use a codec of a single value or a list, such as int or between(1, 9)(int)">'
  query({ size: between(1, 100) }),
  //            ^
  produces(text),
  handle(() => 'x'),
)
// remedy: enumOf with an array
pipe(
  path('/books'),
  get(),
  // @ts-expect-error pass each value: enumOf('asc', 'desc')">'
  query({ sort: enumOf(['asc', 'desc']) }),
  //                   ^
  produces(text),
  handle(() => 'x'),
)
// remedy: separated with the codec as the first argument
pipe(
  path('/books'),
  get(),
  // @ts-expect-error call twice: separated(',')(int)">'
  query({ ids: separated(int, ',') }),
  //                     ^
  produces(text),
  handle(() => 'x'),
)
// difference: list without a codec
pipe(
  path('/books'),
  get(),
  // @ts-expect-error Expected 1 arguments, but got 0
  query({ ids: list() }),
  //           ^
  produces(text),
  handle(() => 'x'),
)
// remedy: header by its HTTP name, read in camel case
pipe(
  path('/books'),
  get(),
  header({ 'X-Request-Id': string }),
  produces(text),
  // @ts-expect-error Property 'xRequestId' does not exist on type '{ readonly 'X-Request-Id': string; }'. Did you mean 'X-Request-Id'?
  handle((input) => input.header.xRequestId),
  //                             ^
)
// remedy: header with a name
pipe(
  path('/books'),
  get(),
  // @ts-expect-error pass a record of codecs: header({ userAgent: string })">'
  header('X-Request-Id'),
  //     ^
  produces(text),
  handle(() => 'x'),
)
// remedy: cookie with a name and a codec
pipe(
  path('/books'),
  get(),
  // @ts-expect-error pass a record of codecs: cookie({ session: string })">'
  cookie('session', string),
  //     ^
  produces(text),
  handle(() => 'x'),
)
// difference: an optional parameter is used as if it were always there
pipe(
  path('/books'),
  get(),
  query({ q: optional(string) }),
  produces(text),
  // @ts-expect-error 'input.query.q' is possibly 'undefined'
  handle((input) => input.query.q.toUpperCase()),
  //                ^
)
// remedy: a query parameter without codec is undefined for the compiler: shorthand
{
  const page = 1
  pipe(
    path('/books'),
    get(),
    // @ts-expect-error use a codec of a single value or a list, such as int or between(1, 9)(int)">'
    query({ page }),
    //      ^
    produces(text),
    handle(() => 'x'),
  )
}
// remedy: method with a path and a codec without a record
pipe(
  path('/books'),
  // @ts-expect-error pass a record of codecs, as in path('/books/{id}', { id: int })
  get('/{id}', int),
  //           ^
  produces(text),
  handle(() => 'x'),
)
// remedy: body with a zod object without json
pipe(
  path('/books'),
  post(),
  // @ts-expect-error wrap the schema in a representation: json(schema)">'
  body(z.object({ title: z.string() })),
  //   ^
  responds(201),
  handle(() => created('/books/1')),
)
// remedy: body with a valibot object without json
pipe(
  path('/books'),
  post(),
  // @ts-expect-error wrap the schema in a representation: json(schema)">'
  body(v.object({ title: v.string() })),
  //   ^
  responds(201),
  handle(() => created('/books/1')),
)
// remedy: produces with a zod object without json
pipe(
  path('/books'),
  get(),
  // @ts-expect-error wrap the schema in a representation: json(schema)">'
  produces(z.object({ title: z.string() })),
  //       ^
  handle(() => ({ title: 'Emma' })),
)
// remedy: produces with a zod array without json
pipe(
  path('/books'),
  get(),
  // @ts-expect-error wrap the schema in a representation: json(schema)">'
  produces(z.array(z.string())),
  //       ^
  handle(() => ['Emma']),
)
// remedy: fails with a zod object without json
pipe(
  path('/books'),
  get(),
  produces(text),
  // @ts-expect-error wrap the schema in a representation: json(schema)">'
  fails(409, z.object({ title: z.string() })),
  //         ^
  handle(() => 'x'),
)
// remedy: json with a record of zod schemas
pipe(
  path('/books'),
  post(),
  // @ts-expect-error use a codec, such as t.type({ … }) or list(codec), or a schema">'
  body(json({ title: z.string() })),
  //          ^
  responds(201),
  handle(() => created('/books/1')),
)
// difference: json with a type argument only
pipe(
  path('/books/1'),
  get(),
  // @ts-expect-error Expected 1 arguments, but got 0
  produces(json<BookShape>()),
  //       ^
  handle(() => emma),
)
// remedy: produces with a media type and a codec
pipe(
  path('/books/1'),
  get(),
  // @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)">'
  produces('application/json', Book),
  //       ^
  handle(() => emma),
)
// remedy: fails with a representation only
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  // @ts-expect-error the status comes first, as a number: fails(404, json(codec))">'
  fails(json(Missing)),
  //    ^
  handle(() => emma),
)
// remedy: fails with an error class
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  // @ts-expect-error the status comes first, as a number: fails(404, json(codec))">'
  fails(NotFound),
  //    ^
  handle(() => emma),
)
// remedy: fails with several statuses
pipe(
  path('/books/1'),
  get(),
  produces(json(Book)),
  // @ts-expect-error one status each: fails(404), fails(409)">'
  fails(404, 409),
  //         ^
  handle(() => emma),
)
// remedy: a file in a form as a representation
pipe(
  path('/cover'),
  post(),
  // @ts-expect-error wrap the representation in part(…), as in part(json(codec)), or use upload for a file">'
  form({ picture: file }),
  //     ^
  responds(204),
  handle(() => {}),
)
// remedy: deprecated without parentheses after produces
pipe(
  path('/books'),
  get(),
  // @ts-expect-error add parentheses, as in deprecated()"> & boolean'
  produces(text),
  deprecated,
  handle(() => 'x'),
)
// remedy: authenticated with parentheses after produces
pipe(
  path('/books'),
  get(),
  // @ts-expect-error remove the parentheses…
  produces(text),
  authenticated(),
  handle(() => 'x'),
)
// remedy: blocking with parentheses after a query
pipe(
  path('/books'),
  get(),
  // @ts-expect-error remove the parentheses…
  query({ page: int }),
  blocking(),
  handle(() => {}),
)
