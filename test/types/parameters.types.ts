/** Types of parameters: each is decoded, under its group and name, which is declared once. */
import { expectTypeOf } from 'expect-type'
import type * as Either from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { InputOf } from '../../src/index.ts'
import {
  attempt,
  between,
  boolean,
  cookie,
  date,
  encoded,
  enumOf,
  fromString,
  get,
  handle,
  header,
  int,
  list,
  matrix,
  nullable,
  nullish,
  number,
  optional,
  path,
  post,
  query,
  queryMap,
  separated,
  set,
  sortedSet,
  fromStandardSchema,
  string,
  withDefault,
} from '../../src/index.ts'

const Book = t.type({ isbn: t.string, pages: t.number })
const books = pipe(path('/books/{id}', { id: int }), get())

// the handler receives the type of each codec
declare const schema: {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: string }
  }
}
const search = pipe(
  path('/books'),
  get(),
  query({
    text: string,
    page: int,
    price: number,
    open: boolean,
    order: enumOf('asc', 'desc'),
    maybe: optional(int),
    size: withDefault(int, 20),
    few: between(1, 9)(int),
    tags: list(string),
    years: set(int),
    shelves: sortedSet(string),
    sort: separated(',')(string),
    ids: separated(',')(set(int)),
    raw: encoded(string),
    judged: attempt(int),
    url: fromString('url', (text) => new URL(text), String),
    other: fromStandardSchema(schema),
    own: t.union([t.literal('all'), t.number]),
    since: date,
    until: nullable(date),
    state: nullish(string),
    none: nullable(list(int)),
  }),
)
expectTypeOf<InputOf<typeof search>>().toEqualTypeOf<{
  readonly query: {
    readonly text: string
    readonly page: number
    readonly price: number
    readonly open: boolean
    readonly order: 'asc' | 'desc'
    readonly maybe: number | undefined
    readonly size: number
    readonly few: number
    readonly tags: ReadonlyArray<string>
    readonly years: ReadonlySet<number>
    readonly shelves: ReadonlySet<string>
    readonly sort: ReadonlyArray<string>
    readonly ids: ReadonlySet<number>
    readonly raw: string
    readonly judged: Either.Either<t.Errors, number>
    readonly url: URL
    readonly other: string
    readonly own: 'all' | number
    readonly since: Date
    readonly until: Date | null
    readonly state: string | null | undefined
    readonly none: ReadonlyArray<number> | null
  }
}>()

// different groups may have equal names
const groups = pipe(
  books,
  query({ id: string }),
  header({ id: optional(string) }),
  cookie({ id: boolean }),
  matrix({ id: list(int) }),
)
expectTypeOf<InputOf<typeof groups>>().toEqualTypeOf<{
  readonly path: { readonly id: number }
  readonly query: { readonly id: string }
  readonly header: { readonly id: string | undefined }
  readonly cookie: { readonly id: boolean }
  readonly matrix: { readonly id: ReadonlyArray<number> }
}>()
pipe(
  groups,
  handle(({ path: { id }, query: queryInput, header: headerInput }) => {
    expectTypeOf(id).toEqualTypeOf<number>()
    expectTypeOf(queryInput).toEqualTypeOf<{ readonly id: string }>()
    // @ts-expect-error an undeclared parameter
    return void headerInput.authorization
  }),
)

// the input has no undeclared groups
pipe(
  books,
  handle((input) => {
    // @ts-expect-error no query group
    return void input.query
  }),
)

// declarations of resource and operation are merged
const paging = query({ page: withDefault(int, 1), size: withDefault(int, 20) })
const added = pipe(
  path('/books'),
  query({ text: string }),
  get(),
  paging,
  query({ open: optional(boolean) }),
)
expectTypeOf<InputOf<typeof added>>().toEqualTypeOf<{
  readonly query: {
    readonly text: string
    readonly page: number
    readonly size: number
    readonly open: boolean | undefined
  }
}>()
const headers = pipe(books, header({ 'x-a': string }), header({ 'x-b': int }))
expectTypeOf<InputOf<typeof headers>['header']>().toEqualTypeOf<{
  readonly 'x-a': string
  readonly 'x-b': number
}>()
const nothing = pipe(path('/books'), get(), query({}))
expectTypeOf<InputOf<typeof nothing>>().toEqualTypeOf<{ readonly query: {} }>()

// all query parameters as a map, in addition to the declared ones
const mapped = pipe(path('/books'), get(), query({ page: int }), queryMap)
expectTypeOf<InputOf<typeof mapped>>().toEqualTypeOf<{
  readonly query: { readonly page: number }
  readonly queryMap: ReadonlyMap<string, ReadonlyArray<string>>
}>()

// a parameter is a single value or a collection
// @ts-expect-error an object in the query
query({ book: Book })
// @ts-expect-error an object in a header
header({ book: Book })
// @ts-expect-error an object in a cookie
cookie({ book: Book })
// @ts-expect-error an object in a matrix parameter
matrix({ book: Book })
// @ts-expect-error a list of objects
query({ books: list(Book) })
// @ts-expect-error an optional object
query({ book: optional(Book) })
// @ts-expect-error a list of lists
query({ books: list(list(string)) })

// names are unique within a group
pipe(
  books,
  query({ page: int }),
  // @ts-expect-error the same declaration twice
  query({ page: int }),
  handle(() => undefined),
)
pipe(
  books,
  query({ page: int, size: int }),
  // @ts-expect-error another declaration of the same name
  query({ text: string, page: string }),
  handle(() => undefined),
)
pipe(
  books,
  paging,
  query({ text: string }),
  // @ts-expect-error with a step in between
  query({ size: int }),
  handle(() => undefined),
)
pipe(
  path('/books'),
  query({ page: int }),
  post(),
  // @ts-expect-error a parameter of the resource and one of the operation
  query({ page: int }),
  handle(() => undefined),
)
pipe(
  books,
  header({ 'x-a': string }),
  // @ts-expect-error a duplicate header
  header({ 'x-a': string }),
  handle(() => undefined),
)
pipe(
  books,
  cookie({ sid: string }),
  // @ts-expect-error a duplicate cookie
  cookie({ sid: string }),
  handle(() => undefined),
)
pipe(
  books,
  matrix({ colour: string }),
  // @ts-expect-error a duplicate matrix parameter
  matrix({ colour: string }),
  handle(() => undefined),
)
