/** Types of the client: the input and the responses of each operation, as declared. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type {
  CallTask,
  DecodedFailure,
  DecodedResponse,
  Call,
  CallInput,
  Client,
  ClientError,
  ClientOf,
  FileToSend,
  ProblemDetails,
  PromiseClient,
} from '../../src/client.ts'
import type { DecodedReplies } from '../../src/client/client-types.ts'
import { hal } from '../../src/hal.ts'
import type {
  Endpoint,
  FormMap,
  ProblemDocument,
  QueryMap,
  Reply,
  Routes,
} from '../../src/index.ts'
import {
  allFields,
  allUploads,
  body,
  cookie,
  del,
  fails,
  form,
  get,
  handle,
  header,
  int,
  json,
  list,
  matrix,
  needs,
  NotFound,
  optional,
  part,
  path,
  post,
  prefix,
  problem,
  problemWith,
  produces,
  query,
  queryMap,
  responds,
  routes,
  segments,
  separated,
  set,
  slot,
  status,
  string,
  text,
  upload,
  uploads,
  withDefault,
} from '../../src/index.ts'

/** Accepts the same trees as `client`. */
declare const client: <T, R, E>(api: Routes<T, R, E>) => Client<T, DecodedReplies<E>>
type CallInputOf<E> = E extends Endpoint<infer S> ? CallInput<S> : never
type CallOf<E> = E extends Endpoint<infer S> ? Call<S, never> : never

const Book = t.type({ isbn: t.string, pages: t.number })
const Missing = t.type({ _tag: t.literal('Missing'), isbn: t.string })
interface ABook {
  isbn: string
  pages: number
}

const find = pipe(
  path('/shelves/{shelf}/books/{isbn}', { shelf: int }),
  get(),
  query({ expand: optional(string), tag: list(string) }),
  header({ trace: optional(string) }),
  cookie({ size: withDefault(int, 20) }),
  matrix({ colour: string }),
  produces(json(Book)),
  fails(404, json(Missing)),
  fails(410),
)
const search = pipe(
  path('/books'),
  get(),
  query({ page: withDefault(int, 1), text: optional(string) }),
  queryMap,
  produces(json(t.array(Book))),
)
const add = pipe(
  path('/books'),
  post(),
  needs({ clock: slot<Date>()('clock') }),
  body(json(Book)),
  status(202),
  produces(text),
  responds(201, json(Book)),
  responds(303),
)
const remove = pipe(path('/books/{isbn}'), del(), responds(204))
const send = pipe(
  path('/covers'),
  post(),
  form({
    title: string,
    pages: optional(int),
    cover: upload,
    more: uploads,
    all: allUploads,
    book: part(json(Book)),
  }),
  responds(204),
)

const survey = pipe(path('/surveys'), post(), form({ title: string, all: allFields }))

// the input: optional members may be missing or `undefined`, as may groups of optional members only
expectTypeOf<CallInputOf<typeof find>>().toEqualTypeOf<{
  readonly path: { readonly shelf: number; readonly isbn: string }
  readonly query?:
    | { readonly expand?: string | undefined; readonly tag?: ReadonlyArray<string> | undefined }
    | undefined
  readonly header?: { readonly trace?: string | undefined } | undefined
  readonly cookie?: { readonly size?: number | undefined } | undefined
  readonly matrix: { readonly colour: string }
}>()
expectTypeOf<CallInputOf<typeof search>>().toEqualTypeOf<{
  readonly query?:
    | { readonly page?: number | undefined; readonly text?: string | undefined }
    | undefined
  readonly queryMap?: QueryMap | undefined
}>()
// a map of all fields contains further fields, and can be omitted
expectTypeOf<CallInputOf<typeof survey>>().toEqualTypeOf<{
  readonly form: { readonly title: string; readonly all?: FormMap | undefined }
}>()
// slots are not part of the input
expectTypeOf<CallInputOf<typeof add>>().toEqualTypeOf<{ readonly body: ABook }>()
// files to send differ in type from received files
expectTypeOf<CallInputOf<typeof send>>().toEqualTypeOf<{
  readonly form: {
    readonly title: string
    readonly pages?: number | undefined
    readonly cover: FileToSend
    readonly more: ReadonlyArray<FileToSend>
    readonly all: ReadonlyArray<FileToSend>
    readonly book: ABook
  }
}>()

// the result: declared successes on the right, declared failures on the left
expectTypeOf<ReturnType<CallOf<typeof find>>>().toEqualTypeOf<
  CallTask<
    | ClientError
    | DecodedFailure<404, { _tag: 'Missing'; isbn: string }>
    | DecodedFailure<410, void>,
    DecodedResponse<200, ABook>
  >
>()
expectTypeOf<ReturnType<CallOf<typeof add>>>().toEqualTypeOf<
  CallTask<
    ClientError,
    DecodedResponse<202, string> | DecodedResponse<201, ABook> | DecodedResponse<303, void>
  >
>()
expectTypeOf<ReturnType<CallOf<typeof remove>>>().toEqualTypeOf<
  CallTask<ClientError, DecodedResponse<204, void>>
>()

// without a declared success, the default success applies
const ping = pipe(path('/ping'), get())
const stop = pipe(path('/stop'), post(), status(202), fails(409, text))
expectTypeOf<ReturnType<CallOf<typeof ping>>>().toEqualTypeOf<
  CallTask<ClientError, DecodedResponse<204, void>>
>()
expectTypeOf<ReturnType<CallOf<typeof stop>>>().toEqualTypeOf<
  CallTask<ClientError | DecodedFailure<409, string>, DecodedResponse<202, void>>
>()
// problem documents have types if they are declared
const limited = pipe(
  path('/limited'),
  post(),
  fails(401),
  fails(429, problem),
  fails(403, problemWith(t.type({ balance: int }))),
)
expectTypeOf<ReturnType<CallOf<typeof limited>>>().toEqualTypeOf<
  CallTask<
    | ClientError
    | DecodedFailure<401, void>
    | DecodedFailure<429, ProblemDocument>
    | DecodedFailure<403, ProblemDocument & { balance: number }>,
    DecodedResponse<204, void>
  >
>()
expectTypeOf<ProblemDocument['detail']>().toEqualTypeOf<string | undefined>()
expectTypeOf<DecodedFailure<401, void>['problem']>().toEqualTypeOf<ProblemDetails | undefined>()
// HAL links of a value are not part of the result; an optional value may have no body
const linked = pipe(path('/linked'), get(), produces(json(Book), hal(Book)))
const absent = pipe(path('/absent'), get(), produces(json(optional(Book))))
expectTypeOf<ReturnType<CallOf<typeof linked>>>().toEqualTypeOf<
  CallTask<ClientError, DecodedResponse<200, ABook>>
>()
expectTypeOf<ReturnType<CallOf<typeof absent>>>().toEqualTypeOf<
  CallTask<ClientError, DecodedResponse<200 | 204, ABook | undefined>>
>()
const absentOnly = pipe(path('/absent'), get(), responds(201, json(optional(Book))))
expectTypeOf<ReturnType<CallOf<typeof absentOnly>>>().toEqualTypeOf<
  CallTask<
    ClientError,
    DecodedResponse<201, ABook | undefined> | DecodedResponse<204, ABook | undefined>
  >
>()
// an optional body may be omitted
const note = pipe(path('/note'), post(), body(json(optional(Book))), responds(204))
expectTypeOf<CallInputOf<typeof note>>().toEqualTypeOf<{ readonly body?: ABook | undefined }>()

// the client: a function for each operation, in the shape of the tree, from the contract only
const api = pipe(
  routes({ search, books: routes({ find, add, remove }), covers: routes({ send }) }),
  prefix('/api'),
)
const library = client(api)
expectTypeOf(library.books).toHaveProperty('find')
void library.search()
void library.search({})
void library.search({ query: { page: 2 } })
void library.books.find({
  path: { shelf: 1, isbn: '' },
  query: { tag: [] },
  matrix: { colour: 'red' },
})
void library.books.add({ body: { isbn: '', pages: 1 } })
void library.covers.send({
  form: {
    title: '',
    cover: new Blob([]),
    more: [{ path: 'a.png' }, { path: 'b', fileName: 'b.png', contentType: 'image/png' }],
    all: [],
    book: { isbn: '', pages: 1 },
  },
})
// @ts-expect-error no such operation
void library.books.nope
// @ts-expect-error a tree is not an operation
library.books()

// declaration files describe a client by its contract and its calls
expectTypeOf(library).toEqualTypeOf<ClientOf<typeof api>>()
expectTypeOf<ClientOf<typeof api>['books']['remove']>().toEqualTypeOf<CallOf<typeof remove>>()

// `undefined` members are omitted, as may be collections, which are then empty
declare const maybe: { readonly page?: number; readonly signal: AbortSignal | undefined }
void library.search({ query: { page: maybe.page }, queryMap: undefined }, { signal: maybe.signal })
void library.books.find({ path: { shelf: 1, isbn: '' }, query: {}, matrix: { colour: '' } })
void library.books.find({ path: { shelf: 1, isbn: '' }, matrix: { colour: '' } })
const some = pipe(
  path('/some/{all}', { all: segments(string) }),
  get(),
  query({
    a: separated(',')(int),
    b: set(string),
    c: t.array(t.string),
  }),
)
expectTypeOf<CallInputOf<typeof some>>().toEqualTypeOf<{
  readonly path: { readonly all: ReadonlyArray<string> }
  readonly query?:
    | {
        readonly a?: ReadonlyArray<number> | undefined
        readonly b?: ReadonlySet<string> | undefined
        readonly c?: string[] | undefined
      }
    | undefined
}>()

// required members cannot be omitted
// @ts-expect-error missing path variable
library.books.remove({})
// @ts-expect-error missing input
library.books.remove()
// @ts-expect-error missing second path variable
library.books.find({ path: { shelf: 1 }, query: { tag: [] }, matrix: { colour: '' } })
// @ts-expect-error missing group with a required member
library.books.find({ path: { shelf: 1, isbn: '' }, query: { tag: [] } })
// @ts-expect-error missing required member of a group
library.books.find({ path: { shelf: 1, isbn: '' }, query: {}, matrix: {} })
// @ts-expect-error missing body
library.books.add({})
// @ts-expect-error missing form
library.covers.send()

// input has the declared types
// @ts-expect-error the shelf is a number
library.books.find({ path: { shelf: '1', isbn: '' }, query: { tag: [] }, matrix: { colour: '' } })
// @ts-expect-error pages is missing
library.books.add({ body: { isbn: '' } })
// @ts-expect-error unknown parameter
library.search({ query: { size: 1 } })
// @ts-expect-error unknown group
library.search({ header: { trace: '' } })
// @ts-expect-error a slot is not sent
library.books.add({ body: { isbn: '', pages: 1 }, needs: { clock: new Date() } })
const fields = { title: '', more: [], all: [], book: { isbn: '', pages: 1 } }
void library.covers.send({ form: { ...fields, cover: { path: 'a.png' } } })
// @ts-expect-error a path as text is not a file
library.covers.send({ form: { ...fields, cover: 'a.png' } })

// replies of filters are responses of all operations in their scope
declare const guarded: Routes<
  { readonly remove: typeof remove; readonly books: typeof api },
  {},
  Reply<401, string>
>
expectTypeOf(client(guarded).remove({ path: { isbn: '' } })).toEqualTypeOf<
  CallTask<ClientError | DecodedFailure<401, string>, DecodedResponse<204, void>>
>()
expectTypeOf(client(guarded).books.search()).toEqualTypeOf<
  CallTask<ClientError | DecodedFailure<401, string>, DecodedResponse<200, ABook[]>>
>()

// handlers and undeclared errors do not change the types of the client
const handled = pipe(
  remove,
  handle(() => new NotFound()),
)
expectTypeOf<CallOf<typeof handled>>().toEqualTypeOf<CallOf<typeof remove>>()

// a decoded response is not a reply: a handler cannot return it
expectTypeOf<DecodedResponse<200, ABook>>().not.toExtend<Reply<200, ABook>>()

// the same calls with promises
declare const promised: PromiseClient<ClientOf<typeof api>>
expectTypeOf(promised.books.find).returns.toEqualTypeOf<Promise<DecodedResponse<200, ABook>>>()
expectTypeOf(promised.books.remove).parameter(0).toEqualTypeOf<{
  readonly path: { readonly isbn: string }
}>()
void promised.search({ query: { page: 2 } }, { signal: new AbortController().signal })
