/** Types of bodies and forms: an operation has at most one of them, and receives it decoded. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { FileUpload, FormMap, InputOf } from '../../src/index.ts'
import {
  allUploads,
  as,
  body,
  bytes,
  form,
  formMap,
  get,
  handle,
  head,
  html,
  int,
  json,
  list,
  method,
  optional,
  part,
  patch,
  path,
  post,
  put,
  rawJson,
  representation,
  string,
  text,
  upload,
  uploads,
  withDefault,
} from '../../src/index.ts'

const Book = t.type({ isbn: t.string, pages: t.number })
interface Book extends t.TypeOf<typeof Book> {}
const books = path('/books')
const add = pipe(books, post())

// a body is a single value
const one = pipe(add, body(json(Book)))
expectTypeOf<InputOf<typeof one>>().toEqualTypeOf<{
  readonly body: { isbn: string; pages: number }
}>()
// under several media types
const same = pipe(add, body(json(Book), as('application/vnd.library+json')(json(Book))))
expectTypeOf<InputOf<typeof same>>().toEqualTypeOf<InputOf<typeof one>>()
// the media types may have values of several types
const several = pipe(add, body(json(Book), text, bytes))
expectTypeOf<InputOf<typeof several>['body']>().toEqualTypeOf<
  { isbn: string; pages: number } | string | Uint8Array
>()
// a codec of a scalar reads text/plain
const count = pipe(add, body(int))
expectTypeOf<InputOf<typeof count>>().toEqualTypeOf<{ readonly body: number }>()
const own = representation({
  mediaType: 'text/csv',
  read: (octets): ReadonlyArray<string> => [String(octets.length)],
})
const fields = pipe(add, body(formMap, own, html, rawJson))
expectTypeOf<InputOf<typeof fields>['body']>().toEqualTypeOf<
  FormMap | ReadonlyArray<string> | string
>()
// a resource may declare a body, and a GET may have one
const shared = pipe(books, body(json(Book)), put('/{isbn}'))
expectTypeOf<InputOf<typeof shared>>().toEqualTypeOf<{
  readonly path: { readonly isbn: string }
  readonly body: { isbn: string; pages: number }
}>()
pipe(
  books,
  get(),
  body(text),
  handle((input) => void expectTypeOf(input).toEqualTypeOf<{ readonly body: string }>()),
)

// a form is a group of fields; several declarations are merged
const send = pipe(
  add,
  form({ title: string, pages: optional(int), copies: withDefault(int, 1), tags: list(string) }),
  form({ cover: upload, pictures: uploads, all: allUploads, book: part(json(Book)) }),
)
expectTypeOf<InputOf<typeof send>>().toEqualTypeOf<{
  readonly form: {
    readonly title: string
    readonly pages: number | undefined
    readonly copies: number
    readonly tags: ReadonlyArray<string>
    readonly cover: FileUpload
    readonly pictures: ReadonlyArray<FileUpload>
    readonly all: ReadonlyArray<FileUpload>
    readonly book: { isbn: string; pages: number }
  }
}>()
pipe(
  send,
  handle((input) => {
    // @ts-expect-error a form does not arrive as a body
    return void input.body
  }),
)

// one body
// @ts-expect-error declared twice
pipe(one, body(text))
// @ts-expect-error twice the same
pipe(one, body(json(Book)))
// @ts-expect-error once by the resource and once by the operation
pipe(books, body(text), post(), body(text))
// @ts-expect-error a body has a representation
body()
// @ts-expect-error a codec of an object does not say how it travels
body(Book)

// a body and a form exclude each other
// @ts-expect-error a form beside a body
pipe(one, form({ title: string }))
// @ts-expect-error a body beside a form
pipe(send, body(text))
// @ts-expect-error also when they stand before the method
pipe(books, form({ title: string }), body(text))

// methods without a request body have no form
// @ts-expect-error a form on GET
pipe(books, get(), form({ title: string }))
// @ts-expect-error the other way round
pipe(books, form({ title: string }), get())
// @ts-expect-error a form on HEAD
pipe(books, head(), form({ title: string }))
// @ts-expect-error the other way round
pipe(books, form({ title: string }), head())
pipe(books, patch(), form({ title: string }))
pipe(books, form({ title: string }), method('REPORT')())

// a form field is a text, a list of texts, a file, or a part with its own representation
// @ts-expect-error an object needs part(json(…))
form({ book: Book })
// @ts-expect-error a representation needs part(…)
form({ book: json(Book) })
// @ts-expect-error a file is a part of a form only
pipe(add, body(upload))

// a name is declared once
pipe(
  add,
  form({ title: string }),
  // @ts-expect-error a field twice
  form({ title: string }),
  handle(() => undefined),
)
pipe(
  add,
  form({ cover: upload }),
  // @ts-expect-error a file and a text of one name
  form({ cover: string }),
  handle(() => undefined),
)
