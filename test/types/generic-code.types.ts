// oxlint-disable typescript/no-unnecessary-type-parameters
/** Generic code that must compile: endpoints, route trees and client calls for a type parameter. */
import { expectTypeOf } from 'expect-type'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { CommonContext } from '../../src/index.ts'
import {
  body,
  call,
  created,
  del,
  fails,
  get,
  handle,
  implement,
  int,
  json,
  list,
  noContent,
  notFound,
  ok,
  optional,
  path,
  post,
  produces,
  put,
  query,
  reply,
  responds,
  routes,
  status,
  string,
  text,
  withDefault,
} from '../../src/index.ts'
import { client } from '../../src/client.ts'
import { inMemory, testContext } from '../../src/testing.ts'

const Missing = t.type({ _tag: t.literal('Missing'), id: t.number })
const Book = t.type({ id: t.number, title: t.string })
interface Book extends t.TypeOf<typeof Book> {}
declare const book: Book

// an endpoint for any type

const find = <A extends object>(
  codec: t.Type<A>,
  findById: (id: number) => Promise<A | undefined>,
) =>
  pipe(
    path('/items/{id}', { id: int }),
    get(),
    produces(json(codec)),
    fails(404),
    handle(async (input) => (await findById(input.path.id)) ?? reply(404)),
  )
const findResult = find(Book, async () => book)
expectTypeOf(findResult.run)
  .parameter(0)
  .toEqualTypeOf<{ readonly path: { readonly id: number } }>()

const findOrFail = <A>(codec: t.Type<A>, findById: (id: number) => Promise<A>) =>
  pipe(
    path('/items/{id}', { id: int }),
    get(),
    produces(json(codec)),
    fails(404, json(Missing)),
    handle(async ({ path: { id } }) =>
      id > 0 ? findById(id) : reply(404, { _tag: 'Missing', id }),
    ),
  )
findOrFail(Book, async () => book)

const findEither = <A>(codec: t.Type<A>, findById: (id: number) => E.Either<string, A>) =>
  pipe(
    path('/items/{id}', { id: int }),
    get(),
    produces(json(codec)),
    fails(404, text),
    handle(({ path: { id } }) => findById(id)),
  )
findEither(Book, () => E.left('missing'))

const findTaskEither = <A, F extends object>(
  codec: t.Type<A>,
  failure: t.Type<F>,
  findById: (id: number) => TE.TaskEither<F, A>,
) =>
  pipe(
    path('/items/{id}', { id: int }),
    get(),
    produces(json(codec)),
    fails(404, json(failure)),
    handle(({ path: { id } }) => findById(id)),
  )
findTaskEither(Book, Missing, () => async () => E.right(book))

const constant = <A>(codec: t.Type<A>, value: A) =>
  pipe(
    path('/constant'),
    get(),
    produces(json(codec)),
    handle(() => ok(value)),
  )
constant(Book, book)

const implemented = <A>(codec: t.Type<A>, value: A) =>
  implement(pipe(path('/constant'), get(), produces(json(codec))), () => value)
implemented(Book, book)

const page = <A>(codec: t.Type<A>, all: () => ReadonlyArray<A>) =>
  pipe(
    path('/items'),
    query({ page: withDefault(int, 1), q: optional(string) }),
    get(),
    produces(json(list(codec))),
    handle((input) => (input.query.page === 1 ? all() : [])),
  )
page(Book, () => [book])

const echo = <A>(codec: t.Type<A>) =>
  pipe(
    path('/echo'),
    post(),
    body(json(codec)),
    produces(json(codec)),
    handle((input) => input.body),
  )
expectTypeOf(echo(Book).run).parameter(0).toHaveProperty('body').toEqualTypeOf<{
  id: number
  title: string
}>()

const accept = <A>(codec: t.Type<A>) =>
  pipe(
    path('/jobs'),
    post(),
    body(json(codec)),
    status(202),
    produces(json(codec)),
    handle((input) => reply(202, input.body)),
  )
accept(Book)

const byKey = <K>(codec: t.Type<K, string>, title: (key: K, other: K) => string) =>
  pipe(
    path('/items/{key}', { key: codec }),
    get(),
    query({ other: codec }),
    produces(text),
    handle((input) => title(input.path.key, input.query.other)),
  )
byKey(t.string, (key, other) => key + other)

// a type parameter for the codec

const listOfCodec = <C extends t.Mixed>(codec: C, all: () => ReadonlyArray<t.TypeOf<C>>) =>
  pipe(path('/items'), get(), produces(json(t.readonlyArray(codec))), handle(all))
listOfCodec(Book, () => [book])

const findOfCodec = <C extends t.Mixed>(codec: C, findOne: () => t.TypeOf<C> | undefined) =>
  pipe(
    path('/item'),
    get(),
    produces(json(codec)),
    fails(404),
    handle(() => findOne() ?? notFound()),
  )
findOfCodec(Book, () => book)

// a wrong result is an error in generic code, too

const undeclared = <A>(codec: t.Type<A>) =>
  pipe(
    path('/item'),
    get(),
    produces(json(codec)),
    // @ts-expect-error the status is not declared
    handle(() => reply(404)),
  )
const other = <A, B>(codec: t.Type<A>, value: B) =>
  pipe(
    path('/item'),
    get(),
    produces(json(codec)),
    // @ts-expect-error a value of another type
    handle(() => value),
  )
undeclared(Book)
other(Book, book)

// operations for any codec, with the name of the resource

interface Store<A> {
  readonly list: () => Promise<ReadonlyArray<A>>
  readonly find: (id: number) => Promise<A | undefined>
  readonly insert: (item: A) => Promise<number>
  readonly update: (id: number, item: A) => Promise<boolean>
  readonly remove: (id: number) => Promise<boolean>
}

const crud = <N extends string, A extends object>(name: N, codec: t.Type<A>, store: Store<A>) => {
  const all = path(`/${name}`)
  const one = path(`/${name}/{id}`, { id: int })
  return routes({
    list: pipe(all, get(), produces(json(list(codec))), handle(store.list)),
    add: pipe(
      all,
      post(),
      body(json(codec)),
      responds(201, json(codec)),
      handle(async (input) => created(`/${name}/${await store.insert(input.body)}`, input.body)),
    ),
    find: pipe(
      one,
      get(),
      produces(json(codec)),
      fails(404),
      handle(async (input) => (await store.find(input.path.id)) ?? reply(404)),
    ),
    update: pipe(
      one,
      put(),
      body(json(codec)),
      responds(204),
      fails(404),
      handle(async (input) =>
        (await store.update(input.path.id, input.body)) ? noContent : reply(404),
      ),
    ),
    remove: pipe(
      one,
      del(),
      responds(204),
      fails(404),
      handle(async (input) => ((await store.remove(input.path.id)) ? noContent : notFound())),
    ),
  })
}

declare const books: Store<Book>
const library = routes({ books: crud('books', Book, books) })
inMemory(library)
const service = client(library, { baseUrl: 'http://localhost', fetch })
const found = await service.books.find({ path: { id: 1 } })()
if (E.isRight(found)) expectTypeOf(found.right.body).toEqualTypeOf<{ id: number; title: string }>()
service.books.add({ body: { id: 1, title: '' } })
// @ts-expect-error the title is missing
service.books.add({ body: { id: 1 } })
// @ts-expect-error the identifier is missing
service.books.update({ body: book })

// calls for any type: the results have types, but a generic body cannot be sent, because it is unknown whether it is optional

export const callFind = async <A>(codec: t.Type<A>, context: CommonContext, value: A) => {
  const item = pipe(
    path('/items/{id}', { id: int }),
    get(),
    query({ page: withDefault(int, 1) }),
    produces(json(codec)),
    fails(404, json(codec)),
    handle(() => value),
  )
  const received = await client(routes({ item }), { baseUrl: 'http://localhost' }).item({
    path: { id: 1 },
    query: { page: 2 },
  })()
  const called = await call(context, item, { path: { id: 1 }, query: { page: 1 } })()
  const entity: A | void = E.isRight(called) ? called.right.entity : undefined
  const items: Array<A> = []
  if (E.isRight(received)) items.push(received.right.body)
  else if (received.left._tag === undefined) items.push(received.left.body)
  return { items, entity }
}

// a template with a type parameter

const byName = <N extends string>(name: N) =>
  pipe(
    path(`/${name}/{id}`, { id: int }),
    get(`/pages/{page}`, { page: int }),
    produces(json(int)),
    handle((input) => input.path.id + input.path.page),
  )
void byName('books').run({ path: { id: 1, page: 2 } }, testContext())
const operationByName = <N extends string>(name: N) =>
  pipe(
    path('/items/{id}', { id: int }),
    get(`/${name}/{ page : [0-9]+ }`, { page: int }),
    produces(json(int)),
    handle((input) => input.path.id + input.path.page),
  )
void operationByName('pages').run({ path: { id: 1, page: 2 } }, testContext())
const belowName = <N extends string>(name: N) =>
  pipe(
    path(`/${name}`),
    post('/{id}', { id: int }),
    body(json(Book)),
    produces(json(int)),
    handle((input) => input.path.id + input.body.id),
  )
void belowName('books').run({ path: { id: 1 }, body: book }, testContext())
const nameBelow = <N extends string>(name: N) =>
  pipe(
    path('/items/{id}', { id: int }),
    post(`/${name}`),
    body(json(Book)),
    produces(json(int)),
    handle((input) => input.path.id + input.body.id),
  )
void nameBelow('copies').run({ path: { id: 1 }, body: book }, testContext())

// regular expressions in a template with a type parameter
export const expressions = <N extends string>(name: N) => [
  path(`/${name}/{rest:[^/*]+(?:/[a-z]+)*}`, { rest: string }),
  path(`/${name}/{id:\\d+(?:\\.\\d+)?}`, { id: int }),
  path(`/${name}:export`),
]

export const wrongTemplates = <N extends string>(name: N) => [
  // @ts-expect-error a variable as in Express
  path(`/${name}/:id`),
  // @ts-expect-error a wildcard as in Hono
  path(`/${name}/*`),
  // @ts-expect-error a variable as in Next.js
  get(`/${name}/[id]`),
  // @ts-expect-error a variable as in Next.js with an extension
  path(`/${name}/[id].json`),
  // @ts-expect-error a group as in Next.js
  path(`/${name}/(shop)/books`),
  // @ts-expect-error a wildcard with an extension
  get(`/${name}/*.js`),
  // @ts-expect-error an optional variable with spaces
  path(`/${name}/{ id? }`),
  // @ts-expect-error a variable for several segments as in AWS
  path(`/${name}/{proxy+}`),
]

export const wrongVariables = <N extends string>(name: N) => [
  // @ts-expect-error unknown variable {page}
  path(`/${name}/{id}`, { page: int }),
  // @ts-expect-error unknown variable {page} in addition to {id}
  path(`/${name}/{id}`, { id: int, page: int }),
  // @ts-expect-error unknown variable {page} in the template of an operation
  get(`/${name}/{id}`, { page: int }),
]
