/** Wrong declarations: paths, methods, parameters, bodies and responses. `../messages.test.ts` describes the format. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { z } from 'zod'
import {
  atLeast,
  between,
  body,
  cache,
  cookie,
  fails,
  form,
  get,
  handle,
  header,
  int,
  json,
  length,
  list,
  optional,
  path,
  pattern,
  post,
  produces,
  query,
  responds,
  responseHeader,
  status,
  string,
  text,
  upload,
  withDefault,
} from '../../../src/index.ts'

const Book = t.type({ title: t.string, pages: int })
declare class BookDto {
  title: string
}

// remedy: a misspelled variable in the codecs of a path
// @ts-expect-error the path has no variable {ISBN}: add it to the template or remove the codec
path('/books/{isbn}', { ISBN: int })
//                      ^
// remedy: a codec for a variable written as in Express
// @ts-expect-error variables are written {id}
path('/books/:id', { id: int })
//   ^
// remedy: a variable written as in Express
// @ts-expect-error variables are written {id}
path('/books/:id')
//   ^
// remedy: an Express variable in the template of an operation
// @ts-expect-error variables are written {id}
get('/:id')
//  ^
// remedy: an optional variable written as in Express
// @ts-expect-error variables are always required: remove ?, and declare a second path without the variable
path('/books/:id?')
//   ^
// remedy: a variable written as in Flask
// @ts-expect-error variables are written {id}
path('/books/<id>')
//   ^
// remedy: a variable written as a template literal
// @ts-expect-error variables are written {id}; ${…} requires backticks
path('/books/${id}')
//   ^
// remedy: a route group of Next.js
// @ts-expect-error a path has no groups: remove the segment, or write %28 and %29 for ( and )
path('/(shop)/books')
//   ^
// remedy: a wildcard of Express in the template of an operation
// @ts-expect-error a variable for one or more segments is written {rest:.+}; for none, declare a second path
get('/*path')
//  ^
// remedy: a wildcard of Spring
// @ts-expect-error a variable for one or more segments is written {rest:.+}; for none, declare a second path
path('/files/**')
//   ^
// remedy: a variable for several segments of Astro
// @ts-expect-error a variable for one or more segments is written {rest:.+}; for none, declare a second path
path('/{...rest}')
//   ^
// remedy: a variable for several segments of Go
// @ts-expect-error a variable for one or more segments is written {rest:.+}; for none, declare a second path
path('/files/{rest...}')
//   ^
// remedy: a variable for several segments of ASP.NET
// @ts-expect-error a variable for one or more segments is written {rest:.+}; for none, declare a second path
path('/files/{*rest}')
//   ^
// remedy: a variable for several segments of Next.js
// @ts-expect-error a variable for one or more segments is written {rest:.+}; for none, declare a second path
path('/files/[...rest]')
//   ^
// remedy: a type in a variable
// @ts-expect-error the type of a variable is a codec, such as int or atLeast(1)(int): path('/{id}', { id: int })
path('/books/{id:int}')
//   ^
// remedy: a type in a variable with a codec of another type
// @ts-expect-error the type of a variable is a codec, such as int or atLeast(1)(int): path('/{id}', { id: int })
post('/{id:uuid}', { id: int })
//   ^
// remedy: a query in a template
// @ts-expect-error declare query parameters with query({ … })
path('/books?page={page}')
//   ^
// remedy: an object codec as the codecs of a path
// @ts-expect-error pass a record of codecs, as in path('/books/{id}', { id: int })
path('/books/{id}', t.type({ id: int }))
//                  ^
// remedy: a zod object as the codecs of a path
// @ts-expect-error pass a record of codecs, as in path('/books/{id}', { id: int })
path('/books/{id}', z.object({ id: z.string() }))
//                  ^
// remedy: a codec instead of a record of codecs in `path`
// @ts-expect-error pass a record of codecs, as in path('/books/{id}', { id: int })
path('/books/{id}', int)
//                  ^
// remedy: an object codec as query parameters
// @ts-expect-error pass a record of codecs: query({ page: int })
query(t.type({ page: int }))
//    ^
// remedy: a zod object as query parameters
// @ts-expect-error pass a record of codecs: query({ page: int })
query(z.object({ page: z.string() }))
//    ^
// remedy: a partial codec as query parameters
// @ts-expect-error pass a record of codecs: query({ page: int })
query(t.partial({ page: int }))
//    ^
// remedy: the name of a query parameter
// @ts-expect-error pass a record of codecs: query({ page: int })
query('page')
//    ^
// remedy: a codec of a query parameter without its name
// @ts-expect-error pass a record of codecs: query({ page: int })
query(int)
//    ^
// remedy: a representation as query parameters
// @ts-expect-error pass a record of codecs: query({ page: int })
query(json(Book))
//    ^
// remedy: the name of a type as the codec of a query parameter
// @ts-expect-error use a codec of a single value or a list, such as int or between(1, 9)(int)
query({ page: 'number' })
//      ^
// difference: a codec that is called
// @ts-expect-error Type '…' has no call signatures
query({ page: int() })
//            ^
// remedy: `optional` without a codec
// @ts-expect-error use a codec of a single value or a list, such as int or between(1, 9)(int)
query({ page: optional })
//            ^
// remedy: an object codec as headers
// @ts-expect-error pass a record of codecs: header({ userAgent: string })
header(t.type({ accept: string }))
//     ^
// remedy: a zod object as cookies
// @ts-expect-error pass a record of codecs: cookie({ session: string })
cookie(z.object({ session: z.string() }))
//     ^
// remedy: an object codec as a form
// @ts-expect-error pass a record of codecs: form({ title: string })
form(t.type({ title: string }))
//   ^
// difference: an upload that is called
// @ts-expect-error Type 'FormPart<FileUpload>' has no call signatures
form({ picture: upload() })
//              ^
// remedy: a parameter that is declared twice
pipe(
  path('/'),
  get(),
  query({ page: int }),
  // @ts-expect-error twice: keep one
  query({ page: string }),
  handle(() => undefined),
)
// difference: a default of the wrong type
// @ts-expect-error Argument of type 'string' is not assignable to parameter of type 'number'
query({ page: withDefault(int, '1') })
//                             ^
// difference: an option in the style of zod
// @ts-expect-error Property 'optional' does not exist on type '…'
query({ page: int.optional() })
//                ^
// remedy: `between` applied to a text
// @ts-expect-error use length(1, 80)(string), minLength(1)(string) or maxLength(80)(string)
query({ title: between(1, 80)(string) })
//                            ^
// remedy: `atLeast` applied to a text
// @ts-expect-error use length(1, 80)(string), minLength(1)(string) or maxLength(80)(string)
query({ title: atLeast(1)(string) })
//                        ^
// remedy: `length` applied to a number
// @ts-expect-error use between(1, 80)(int), atLeast(1)(int) or atMost(80)(int)
query({ page: length(1, 80)(int) })
//                          ^
// remedy: a pattern as a string
// @ts-expect-error pass a regular expression: pattern(/^[A-Z]{2}$/)
query({ isbn: pattern('[0-9]+')(string) })
//                    ^
// difference: `optional` of a representation
// @ts-expect-error Type 'Representation<{ title: string; pages: number; }, "application/json">' is missing the following properties from type 'RejectedCodecOf<string, "use a codec, such as int">': …
query({ book: optional(json(Book)) })
//                     ^
// remedy: a constructor in `list`
// @ts-expect-error Type 'NumberConstructor' is missing the following properties from type 'RejectedCodecOf<string, "use a codec, such as int">': …
query({ ids: list(Number) })
//                ^
// remedy: a representation in `list`
// @ts-expect-error use a codec, such as int, and apply json to the whole, as in json(list(codec))">': …
json(list(json(Book)))
//        ^
// remedy: `json` that is not called
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
pipe(path('/'), get(), produces(json))
//                              ^
// remedy: a media type in `produces`
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
produces('application/json')
//       ^
// remedy: a status in `produces`
// @ts-expect-error use responds(200, json(codec)) for a status
produces(200, json(Book))
//       ^
// remedy: a list of representations in `produces`
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
produces([json(Book), text])
//       ^
// remedy: a class in `produces`
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
produces(BookDto)
//       ^
// remedy: a record of media types in `produces`
// @ts-expect-error VerifiedCodec<"pass only representations, as separate arguments, such as json(codec) or sse(codec)">…
produces({ json: Book })
//       ^
// remedy: a class in `json`
// @ts-expect-error use a codec, such as t.type({ … }) or list(codec), or a schema
json(BookDto)
//   ^
// remedy: a record of codecs in `json`
// @ts-expect-error use a codec, such as t.type({ … }) or list(codec), or a schema
json({ title: string })
//     ^
// remedy: a record of codecs in `body`
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
body({ title: string })
//     ^
// remedy: `body` declared twice
// @ts-expect-error the body is declared twice: keep one
pipe(path('/'), post(), body(json(Book)), body(text))
//                                        ^
// remedy: a form on GET
// @ts-expect-error a form requires a method other than GET or HEAD
pipe(path('/'), get(), form({ title: string }))
//                     ^
// remedy: a body and a form
// @ts-expect-error a form and a body are declared: keep one
pipe(path('/'), post(), body(json(Book)), form({ title: string }))
//                                        ^
// remedy: a response without a status
// @ts-expect-error the status comes first, as a number: responds(201, json(codec))">
responds(json(Book))
//       ^
// remedy: the status of a failure as a string
// @ts-expect-error the status comes first, as a number: fails(404, json(codec))">
fails('404')
//    ^
// remedy: the body of a failure as a text
// @ts-expect-error pass only representations, as separate arguments, such as json(codec) or sse(codec)
fails(404, 'not found')
//         ^
// difference: a status as a string
// @ts-expect-error Argument of type 'string' is not assignable to parameter of type 'number'
status('201')
//     ^
// difference: a cache duration as a text
// @ts-expect-error Type 'string' is not assignable to type 'number'
cache({ maxAge: '1h' })
//      ^
// remedy: a header value in `cache`
// @ts-expect-error pass directives: cache({ maxAge: 60 })
cache('max-age=60')
//    ^
// remedy: a misspelled directive
// @ts-expect-error Object literal may only specify known properties, but 'maxage' does not exist in type 'CacheControl'. Did you mean to write 'maxAge'?
cache({ maxage: 60 })
//      ^
// difference: a record of response headers
// @ts-expect-error Expected 2 arguments, but got 1
void responseHeader({ 'X-A': '1' })
//   ^
// remedy: two methods
// @ts-expect-error the method is declared twice: keep one
pipe(path('/'), get(), post())
//                     ^
// remedy: `get` before `path`
// @ts-expect-error an endpoint is not a step: start with path(…)
pipe(get(), path('/x'))
//   ^
// remedy: an endpoint that starts with its method
// @ts-expect-error start with path(…)
pipe(get('/x'), produces(text))
//              ^
// remedy: an endpoint that starts with its method, with a handler
pipe(
  // @ts-expect-error start with path(…)
  get('/x'),
  handle(() => undefined),
)
// remedy: a handler in `get`, as in Express
pipe(
  path('/'),
  // @ts-expect-error write pipe(path('/x'), get(), produces(…), handle(…))
  get('/x', () => 'hello'),
)
// remedy: a handler in `get`, as in Hono, in a pipe
pipe(
  path('/x'),
  // @ts-expect-error add the handler with handle(…)
  get(() => 'hello'),
)
// remedy: a method that is not called
// @ts-expect-error the operation is not called: add parentheses, as in get() or method('REPORT')()
pipe(path('/x'), get, produces(text))
//   ^
// remedy: a variable that the path already has
// @ts-expect-error the path of the resource already has this variable: rename one of them
pipe(path('/{id}'), get('/{id}'))
//                  ^
// remedy: a POST operation without a path
// @ts-expect-error start with path(…)
pipe(post('/x'), body(text))
//               ^
