/** Types of bodies and forms: an operation has at most single of them, and receives it decoded. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { FileUpload, FormMap, InputOf } from '../../src/index.ts'
import {
  allFields,
  allUploads,
  as,
  body,
  bytes,
  del,
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
  query,
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
const single = pipe(add, body(json(Book)))
expectTypeOf<InputOf<typeof single>>().toEqualTypeOf<{
  readonly body: { isbn: string; pages: number }
}>()
// a body may have several media types
const same = pipe(add, body(json(Book), as('application/vnd.library+json')(json(Book))))
expectTypeOf<InputOf<typeof same>>().toEqualTypeOf<InputOf<typeof single>>()
// representations may have values of several types
const several = pipe(add, body(json(Book), text, bytes))
expectTypeOf<InputOf<typeof several>['body']>().toEqualTypeOf<
  { isbn: string; pages: number } | string | Uint8Array
>()
// a codec of a single value stands for text/plain
const count = pipe(add, body(int))
expectTypeOf<InputOf<typeof count>>().toEqualTypeOf<{ readonly body: number }>()
const custom = representation({
  mediaType: 'text/csv',
  read: (data): ReadonlyArray<string> => [String(data.length)],
})
const fields = pipe(add, body(formMap, custom, html, rawJson))
expectTypeOf<InputOf<typeof fields>['body']>().toEqualTypeOf<
  FormMap | ReadonlyArray<string> | string
>()
// a resource may declare a body
const shared = pipe(books, body(json(Book)), put('/{isbn}'))
expectTypeOf<InputOf<typeof shared>>().toEqualTypeOf<{
  readonly path: { readonly isbn: string }
  readonly body: { isbn: string; pages: number }
}>()
// an operation replaces or removes the body of its resource
const replaced = pipe(books, body(text), post(), body(json(Book)))
expectTypeOf<InputOf<typeof replaced>>().toEqualTypeOf<InputOf<typeof single>>()
const removed = pipe(books, body(text), post(), query({ page: int }), body())
expectTypeOf<InputOf<typeof removed>>().toEqualTypeOf<{
  readonly query: { readonly page: number }
}>()
const formInstead = pipe(removed, form({ title: string }))
expectTypeOf<InputOf<typeof formInstead>>().toEqualTypeOf<{
  readonly query: { readonly page: number }
  readonly form: { readonly title: string }
}>()
// @ts-expect-error a GET has no body
pipe(books, get(), body(text))
// @ts-expect-error a HEAD has no body
pipe(books, head(), body(json(Book), text))
pipe(
  books,
  body(text),
  get(),
  body(),
  handle((input) => void expectTypeOf(input).toEqualTypeOf<{}>()),
)
const removal = pipe(books, del('/{isbn}'), body(text))
expectTypeOf<InputOf<typeof removal>['body']>().toEqualTypeOf<string>()

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
// a map of all fields is a member of the form
const answers = pipe(add, form({ title: string, all: allFields }))
expectTypeOf<InputOf<typeof answers>>().toEqualTypeOf<{
  readonly form: { readonly title: string; readonly all: FormMap }
}>()
pipe(
  send,
  handle((input) => {
    // @ts-expect-error a form is not a body
    return void input.body
  }),
)

// an operation has single body
// @ts-expect-error a second body of another representation
pipe(single, body(text))
// @ts-expect-error a second body of the same representation
pipe(single, body(json(Book)))
// @ts-expect-error a second body of a resource
pipe(books, body(text), body(json(Book)))
// @ts-expect-error a second body of an operation whose resource has one
pipe(books, body(text), post(), body(text), body(json(Book)))
// @ts-expect-error a second body after none
pipe(books, body(text), post(), body(), body(text))
// @ts-expect-error an object codec needs a representation
body(Book)

// a body and a form exclude each other
// @ts-expect-error a form after a body
pipe(single, form({ title: string }))
// @ts-expect-error a body after a form
pipe(send, body(text))
// @ts-expect-error a body after a form, both before the method
pipe(books, form({ title: string }), body(text))

// methods without a request body have no form
// @ts-expect-error a form on GET
pipe(books, get(), form({ title: string }))
// @ts-expect-error GET after a form
pipe(books, form({ title: string }), get())
// @ts-expect-error a form on HEAD
pipe(books, head(), form({ title: string }))
// @ts-expect-error HEAD after a form
pipe(books, form({ title: string }), head())
pipe(books, patch(), form({ title: string }))
pipe(books, form({ title: string }), method('REPORT')())

// a form field is a string, a list of strings, a file, or a part with a representation
// @ts-expect-error an object needs part(json(…))
form({ book: Book })
// @ts-expect-error a representation needs part(…)
form({ book: json(Book) })
// @ts-expect-error a file is only allowed as a part of a form
pipe(add, body(upload))

// field names are unique
pipe(
  add,
  form({ title: string }),
  // @ts-expect-error a duplicate field
  form({ title: string }),
  handle(() => undefined),
)
pipe(
  add,
  form({ cover: upload }),
  // @ts-expect-error a file and a string of the same name
  form({ cover: string }),
  handle(() => undefined),
)
