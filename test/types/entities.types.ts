/** Types of readers, writers and interceptors. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Complete, InputOf, Routes } from '../../src/index.ts'
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

declare const serve: <T, R extends {}, E>(api: Routes<T, R, E> & Complete<T, R>) => void

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
  // @ts-expect-error a handler returns a value of the codec
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
// @ts-expect-error a value of another type
reader({ mediaType: 'text/csv', of: Book, read: () => ({ isbn: '' }) })
// results of other readers are decoded
reader({ mediaType: 'text/csv', read: () => 1 })
reader({ mediaType: 'text/csv', of: 'Book', read: () => 1 })
reader({ mediaType: ['text/csv', 'text/*'], of: (codec) => codec.name === 'Book', read: () => 1 })
// @ts-expect-error missing media type
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
// @ts-expect-error a body is a string or a byte array
writer({ mediaType: 'text/csv', write: () => 1 })

// interceptors can change only certain properties
const passing = writerInterceptor((_, proceed) => proceed())
writerInterceptor((_, proceed) => proceed({ entity: 1, mediaType: 'text/csv' }))
// @ts-expect-error an interceptor cannot change the status
writerInterceptor((_, proceed) => proceed({ status: 201 }))
// @ts-expect-error a body is a string or a byte array
writerInterceptor(() => 1)
const reading = readerInterceptor(async ({ data }, proceed) => {
  const value = await proceed({ data: data.toReversed(), mediaType: 'text/csv' })
  expectTypeOf(value).toEqualTypeOf<unknown>()
  return value
})
// @ts-expect-error data is a byte array
readerInterceptor((_, proceed) => proceed({ data: 'text' }))

// order combinators keep the type
expectTypeOf(pipe(passing, priority(1), onlyFor('a'), onlyOn('server'))).toEqualTypeOf(passing)
// @ts-expect-error invalid side
onlyOn('worker')
// @ts-expect-error filters run on servers only
onlyOn('client')(requestFilter(() => undefined))

// combinators of readers, writers and interceptors keep the types of the tree
const api = routes({ added })
const served = pipe(
  api,
  withReader(reader({ mediaType: 'text/csv', read: () => 1 })),
  withWriter(writer({ mediaType: 'text/csv', write: () => '' })),
  withInterceptor(passing, reading),
)
expectTypeOf(served).toEqualTypeOf(api)
serve(served)
// @ts-expect-error a reader is not a writer
withWriter(reader({ mediaType: 'text/csv', read: () => 1 }))
// @ts-expect-error an interceptor is not a filter
withFilter(passing)
