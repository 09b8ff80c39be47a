/** Types of paths: the variables of the template, each decoded by its codec. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { VariablesOf } from '../../src/endpoint/definition/template-types.ts'
import type { InputOf } from '../../src/index.ts'
import {
  del,
  encoded,
  enumOf,
  get,
  handle,
  head,
  int,
  list,
  method,
  options,
  patch,
  path,
  post,
  put,
  query,
  segments,
  string,
} from '../../src/index.ts'

const Book = t.type({ isbn: t.string, pages: t.number })

// the variables of a template
expectTypeOf<VariablesOf<'/books'>>().toEqualTypeOf<never>()
expectTypeOf<VariablesOf<''>>().toEqualTypeOf<never>()
expectTypeOf<VariablesOf<'/books/{isbn}'>>().toEqualTypeOf<'isbn'>()
expectTypeOf<VariablesOf<'{isbn}'>>().toEqualTypeOf<'isbn'>()
expectTypeOf<VariablesOf<'/books/{isbn:\\d{13}}/pages/{page}'>>().toEqualTypeOf<'isbn' | 'page'>()
expectTypeOf<VariablesOf<'/{y:[0-9]{4}}/{m:[0-9]{2}}/x'>>().toEqualTypeOf<'y' | 'm'>()
expectTypeOf<VariablesOf<'/{code:(?:[a-z]{2}-){1,3}}/{n}'>>().toEqualTypeOf<'code' | 'n'>()
expectTypeOf<VariablesOf<'/{a:x{1}y{2}z{3}}/{b}'>>().toEqualTypeOf<'a' | 'b'>()
expectTypeOf<VariablesOf<'/{time:\\d\\d:\\d\\d}'>>().toEqualTypeOf<'time'>()
expectTypeOf<VariablesOf<'/{ id : \\d+ }/{ name }'>>().toEqualTypeOf<'id' | 'name'>()
expectTypeOf<VariablesOf<'/cover-{id}.{ext}'>>().toEqualTypeOf<'id' | 'ext'>()
expectTypeOf<VariablesOf<'/{first}-{last}Other'>>().toEqualTypeOf<'first' | 'last'>()
expectTypeOf<VariablesOf<'/{a-b}/{c_d}/{e.f}'>>().toEqualTypeOf<'a-b' | 'c_d' | 'e.f'>()

// variables are strings by default
const page = pipe(path('/books/{isbn}/pages/{page}', { page: int }), get())
expectTypeOf<InputOf<typeof page>>().toEqualTypeOf<{
  readonly path: { readonly isbn: string; readonly page: number }
}>()

// a path without variables adds nothing to the input
const books = pipe(path('/books'), get())
pipe(
  books,
  handle((input) => void expectTypeOf(input).toEqualTypeOf<{}>()),
)

// any scalar codec is accepted, and `segments` for several segments
const various = pipe(
  path('/{kind}/{size}/{flag}/{id}/{raw}/{rest}', {
    kind: enumOf('novel', 'atlas'),
    size: t.union([t.literal('s'), t.number]),
    flag: t.boolean,
    id: t.brand(t.string, (id): id is t.Branded<string, Isbn> => id.length === 13, 'Isbn'),
    raw: encoded(string),
    rest: segments(int),
  }),
  get(),
)
interface Isbn {
  readonly Isbn: unique symbol
}
expectTypeOf<InputOf<typeof various>>().toEqualTypeOf<{
  readonly path: {
    readonly kind: 'novel' | 'atlas'
    readonly size: 's' | number
    readonly flag: boolean
    readonly id: t.Branded<string, Isbn>
    readonly raw: string
    readonly rest: ReadonlyArray<number>
  }
}>()

// an operation extends the path of its resource
const member = path('/members/{member}', { member: int })
const loan = pipe(member, get('/loans/{loan}/{copy}', { loan: int }))
expectTypeOf<InputOf<typeof loan>>().toEqualTypeOf<{
  readonly path: { readonly member: number; readonly loan: number; readonly copy: string }
}>()
const deeper = pipe(path('/members'), get('/{member}'))
expectTypeOf<InputOf<typeof deeper>>().toEqualTypeOf<{
  readonly path: { readonly member: string }
}>()

// operations do not change their resource
const renewed = pipe(member, put())
expectTypeOf<InputOf<typeof renewed>>().toEqualTypeOf<{
  readonly path: { readonly member: number }
}>()

// every operation accepts a path and its codecs
const shelf = path('/shelf')
const operations = {
  get: pipe(shelf, get('/{n}', { n: int })),
  head: pipe(shelf, head('/{n}', { n: int })),
  post: pipe(shelf, post('/{n}', { n: int })),
  put: pipe(shelf, put('/{n}', { n: int })),
  del: pipe(shelf, del('/{n}', { n: int })),
  patch: pipe(shelf, patch('/{n}', { n: int })),
  options: pipe(shelf, options('/{n}', { n: int })),
  report: pipe(shelf, method('REPORT')('/{n}', { n: int })),
}
type Operation = (typeof operations)[keyof typeof operations]
expectTypeOf<InputOf<Operation>>().toEqualTypeOf<{ readonly path: { readonly n: number } }>()
expectTypeOf<Operation['_S']['method']>().toEqualTypeOf<
  'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS' | 'REPORT'
>()

// a codec requires its variable
// @ts-expect-error unknown variable {page}
path('/books/{isbn}', { page: int })
// @ts-expect-error unknown variable {page} in addition to {isbn}
path('/books/{isbn}', { isbn: string, page: int })
// @ts-expect-error a path without variables
path('/books', { isbn: string })
// @ts-expect-error unknown variable {page} in the template of an operation
get('/{isbn}', { page: int })
// @ts-expect-error a codec for a variable of the resource
pipe(member, post('/loans', { member: int }))
// @ts-expect-error a word of a regular expression is not a variable
path('/books/{isbn:[0-9]{13}}', { 13: int })

// a variable is a single value
// @ts-expect-error an object codec
path('/books/{book}', { book: Book })
// @ts-expect-error a list codec instead of `segments`
path('/books/{isbn}', { isbn: list(string) })
// @ts-expect-error an object codec in an operation
post('/{book}', { book: Book })

// names of variables are unique
// @ts-expect-error the resource already has {member}
pipe(member, get('/{member}'))
// @ts-expect-error the resource already has {member}, with another codec
pipe(member, post('/loans/{loan}/{member}', { loan: int, member: string }))

// an operation has one method
// @ts-expect-error two methods
pipe(books, post())
// @ts-expect-error the same method twice
pipe(books, get())
// @ts-expect-error a second method with a path
pipe(books, get('/{isbn}'))
// @ts-expect-error a safe method after another one
pipe(shelf, del(), get())
// @ts-expect-error a custom method after another one
pipe(shelf, method('REPORT')(), head())
// @ts-expect-error a method without a resource
pipe(get('/books'), query({}))

// a colon in a regex is not a variable as in Express
const time = pipe(path('/times/{time:[^/:]+}'), get())
expectTypeOf<InputOf<typeof time>>().toEqualTypeOf<{ readonly path: { readonly time: string } }>()
pipe(path('/books:export'), get())
// characters that other frameworks use in variables, and that are allowed in a path
pipe(path('/books(1)'), get('/a*/%2A'))
pipe(path('/({id})/*{name}'), get('/$metadata'))
pipe(path('/{kind:interval}'), get('/{code:...}'))
const several = pipe(path('/{rest:[^/*]+(?:/[a-z]+?)?}/{id:[^/]+/[^/]*?}', { id: int }), get())
expectTypeOf<InputOf<typeof several>>().toEqualTypeOf<{
  readonly path: { readonly rest: string; readonly id: number }
}>()
// the template is not known
pipe(path('/books' as string), get())
