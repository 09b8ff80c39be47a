/** Types of readers, writers and interceptors. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { InputOf, Routes } from '../../src/index.ts'
import {
  as,
  body,
  entity,
  fails,
  form,
  get,
  handle,
  int,
  onlyFor,
  onlyOn,
  part,
  path,
  post,
  priority,
  produces,
  reader,
  readerInterceptor,
  requestFilter,
  routes,
  withFilter,
  withInterceptor,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../src/index.ts'

declare const serve: <T, E>(api: Routes<T, {}, E>) => void

const Book = t.type({ isbn: t.string, pages: t.number })
const book = { isbn: '', pages: 1 }

// an entity is a value of its codec
const add = pipe(path('/books'), post(), body(entity(Book)), produces(entity(int)))
expectTypeOf<InputOf<typeof add>>().toEqualTypeOf<{
  readonly body: { isbn: string; pages: number }
}>()
const added = pipe(
  add,
  handle((input) => input.body.pages),
)
pipe(
  add,
  // @ts-expect-error a handler returns what the codec says
  handle(() => 'one'),
)
pipe(
  path('/'),
  get(),
  produces(as('text/csv')(entity(Book))),
  fails(404, entity(int)),
  handle(() => book),
)
pipe(path('/'), post(), form({ meta: part(entity(Book)) }))

// a reader of a codec returns its values, synchronously or asynchronously
reader({ mediaType: 'text/csv', of: Book, read: () => book })
reader({ mediaType: 'text/csv', of: Book, read: async () => book })
reader({ mediaType: 'text/csv', of: Book, read: () => () => Promise.resolve(book) })
// @ts-expect-error not of the codec
reader({ mediaType: 'text/csv', of: Book, read: () => ({ isbn: '' }) })
// results of other readers are decoded
reader({ mediaType: 'text/csv', read: () => 1 })
reader({ mediaType: 'text/csv', of: 'Book', read: () => 1 })
reader({ mediaType: ['text/csv', 'text/*'], of: (codec) => codec.name === 'Book', read: () => 1 })
// @ts-expect-error it says what it reads
reader({ read: () => 1 })

// a writer of a codec receives its values, any other the encoded values
writer({
  mediaType: 'text/csv',
  of: Book,
  write: (value, { addHeader }) => {
    expectTypeOf(value).toEqualTypeOf<{ isbn: string; pages: number }>()
    addHeader('X-Isbn', value.isbn)
    return value.isbn
  },
})
writer({
  mediaType: 'text/csv',
  write: async (value) => {
    expectTypeOf(value).toEqualTypeOf<unknown>()
    return new Uint8Array()
  },
})
// @ts-expect-error a content is text or octets
writer({ mediaType: 'text/csv', write: () => 1 })

// interceptors can change only certain properties
const passing = writerInterceptor((_, proceed) => proceed())
writerInterceptor((_, proceed) => proceed({ entity: 1, mediaType: 'text/csv' }))
// @ts-expect-error the status is the reply's
writerInterceptor((_, proceed) => proceed({ status: 201 }))
// @ts-expect-error a content is text or octets
writerInterceptor(() => 1)
const reading = readerInterceptor(async ({ data }, proceed) => {
  const value = await proceed({ data: data.toReversed(), mediaType: 'text/csv' })
  expectTypeOf(value).toEqualTypeOf<unknown>()
  return value
})
// @ts-expect-error octets are octets
readerInterceptor((_, proceed) => proceed({ data: 'text' }))

// order combinators keep the type
expectTypeOf(pipe(passing, priority(1), onlyFor('a'), onlyOn('server'))).toEqualTypeOf(passing)
// @ts-expect-error a server or a client
onlyOn('worker')
// @ts-expect-error a filter runs on servers alone
onlyOn('client')(requestFilter(() => undefined))

// each has its own step, which keeps the types of the tree
const api = routes({ added })
const served = pipe(
  api,
  withReader(reader({ mediaType: 'text/csv', read: () => 1 })),
  withWriter(writer({ mediaType: 'text/csv', write: () => '' })),
  withInterceptor(passing, reading),
)
expectTypeOf(served).toEqualTypeOf(api)
serve(served)
// @ts-expect-error a reader is no writer
withWriter(reader({ mediaType: 'text/csv', read: () => 1 }))
// @ts-expect-error an interceptor is no filter
withFilter(passing)
