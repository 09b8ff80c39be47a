/** Types of combined steps: a flow of steps is a step with the same restrictions. */
import { expectTypeOf } from 'expect-type'
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { InputOf } from '../../src/index.ts'
import {
  body,
  cache,
  cookie,
  fails,
  form,
  get,
  handle,
  header,
  implement,
  int,
  json,
  matrix,
  needs,
  ok,
  optional,
  path,
  post,
  produces,
  query,
  queryMap,
  reply,
  responds,
  responseHeader,
  segments,
  slot,
  status,
  string,
  text,
  upload,
  withDefault,
} from '../../src/index.ts'

const Book = t.type({ isbn: t.string, pages: t.number })
const books = path('/books')
const Clock = slot<Date>()('clock')

// a flow with every kind of step
const common = flow(
  query({ page: withDefault(int, 1) }),
  header({ 'x-a': string }),
  cookie({ sid: optional(string) }),
  matrix({ colour: string }),
  needs({ clock: Clock }),
  fails(403, text),
  cache({ maxAge: 1 }),
  responseHeader('X-B', 'c'),
)
interface Common {
  readonly query: { readonly page: number }
  readonly header: { readonly 'x-a': string }
  readonly cookie: { readonly sid: string | undefined }
  readonly matrix: { readonly colour: string }
  readonly needs: { readonly clock: Date }
}
const single = pipe(books, get(), common, produces(text))
expectTypeOf<InputOf<typeof single>>().branded.toEqualTypeOf<Common>()
implement(single, ({ header: { 'x-a': value } }) => value)
implement(single, () => reply(403, 'no'))
// @ts-expect-error the flow declares 403 only
implement(single, () => reply(404, 'no'))

// a step can be exported: declarations can name its type
export const describing = form({ title: string, cover: upload })
export const replacing = body(json(Book))
export const further = post('/{isbn}', { isbn: string })
export const reading = get('/{isbn}')
export const reader = get()
export const writing = post()
export const rest = path('/files/{rest}', { rest: segments(string) })
export const answers = flow(produces(text), responds(201, json(Book)), fails(404), status(202))
export const timed = needs({ clock: Clock })

// a flow applies to resources and operations, together with other steps of its groups
const two = pipe(books, common, get('/{isbn}'), query({ size: int }))
expectTypeOf<InputOf<typeof two>['query']>().toEqualTypeOf<{
  readonly page: number
  readonly size: number
}>()
expectTypeOf<InputOf<typeof two>['path']>().toEqualTypeOf<{ readonly isbn: string }>()

// flows combine to flows, and their groups are merged
const paging = flow(query({ page: int }), query({ size: int }))
const searching = flow(paging, query({ text: string }), queryMap)
const three = pipe(books, get(), searching)
expectTypeOf<InputOf<typeof three>>().toEqualTypeOf<{
  readonly query: { readonly page: number; readonly size: number; readonly text: string }
  readonly queryMap: ReadonlyMap<string, ReadonlyArray<string>>
}>()

// steps in a flow override as well
const answering = flow(status(202), produces(json(Book)))
const four = pipe(books, produces(text), post(), answering)
implement(four, () => reply(202, { isbn: '', pages: 1 }))
// @ts-expect-error the status was overridden
implement(four, () => ok({ isbn: '', pages: 1 }))
// @ts-expect-error the response body was overridden
implement(four, () => 'text')
const silent = pipe(books, produces(json(Book)), post(), flow(produces(), cache({ noStore: true })))
// @ts-expect-error the response body was removed
implement(silent, () => ({ isbn: '', pages: 1 }))

// a body or a form may be the first or only step of a flow
const sending = flow(form({ title: string }), header({ 'x-a': string }))
const five = pipe(books, post(), sending, form({ pages: int }))
expectTypeOf<InputOf<typeof five>>().toEqualTypeOf<{
  readonly form: { readonly title: string; readonly pages: number }
  readonly header: { readonly 'x-a': string }
}>()
const giving = flow(body(json(Book)), query({ page: int }))
const six = pipe(books, post(), giving)
expectTypeOf<InputOf<typeof six>>().toEqualTypeOf<{
  readonly body: { isbn: string; pages: number }
  readonly query: { readonly page: number }
}>()

// a flow on an operation replaces the body of its resource
const seven = pipe(books, body(text), post(), giving)
expectTypeOf<InputOf<typeof seven>>().toEqualTypeOf<InputOf<typeof six>>()

// names are unique, inside and outside of a flow
pipe(
  books,
  get(),
  // @ts-expect-error a duplicate name in the flow
  flow(query({ page: int }), query({ page: int })),
  handle(() => undefined),
)
pipe(
  books,
  query({ page: int }),
  get(),
  // @ts-expect-error a name before the flow and in it
  common,
  handle(() => undefined),
)
pipe(
  books,
  get(),
  common,
  // @ts-expect-error a name in the flow and after it
  header({ 'x-a': int }),
  handle(() => undefined),
)
pipe(
  books,
  get(),
  searching,
  // @ts-expect-error a name in two flows
  paging,
  handle(() => undefined),
)
pipe(
  books,
  get(),
  common,
  // @ts-expect-error a failure in the flow and after it
  fails(403, json(Book)),
  handle(() => undefined),
)
pipe(
  books,
  get(),
  // @ts-expect-error a duplicate failure in the flow
  flow(fails(404), fails(404)),
  handle(() => undefined),
)
pipe(
  books,
  get(),
  common,
  // @ts-expect-error a slot in the flow and after it
  needs({ clock: Clock }),
  handle(() => undefined),
)

// single body; no form for methods without a body
// @ts-expect-error a body in the flow and after it
pipe(books, post(), giving, body(text))
// @ts-expect-error a form in the flow and a body after it
pipe(books, post(), sending, body(text))
// @ts-expect-error a form on GET
pipe(books, get(), sending)
// @ts-expect-error GET after a form
pipe(books, sending, get())
