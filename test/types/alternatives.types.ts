/** Types of responses in several representations: a handler returns values that every representation accepts. */
import { expectTypeOf } from 'expect-type'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as v from 'valibot'
import { z } from 'zod'
import { cbor } from '../../src/cbor.ts'
import type { Client } from '../../src/client.ts'
import { hal, halCollection, halEntity } from '../../src/hal.ts'
import {
  as,
  bytes,
  entity,
  fails,
  file,
  get,
  html,
  implement,
  inLanguage,
  int,
  json,
  jsonStream,
  list,
  ndjson,
  ok,
  optional,
  path,
  produces,
  rawJson,
  reply,
  representation,
  responds,
  sse,
  text,
  withEtag,
} from '../../src/index.ts'
import { xml } from '../../src/xml.ts'

const Book = t.type({ isbn: t.string, pages: t.number })
type Book = t.TypeOf<typeof Book>
const book: Book = { isbn: '', pages: 1 }
const books = pipe(path('/books'), get())
const csv = representation({ mediaType: 'text/csv', write: ({ isbn }: Book) => isbn })
const page = representation({ mediaType: 'text/html', write: (one: Book) => one.isbn })
const anyCsv = representation({ mediaType: 'text/csv', write: (value: unknown) => String(value) })

// representations of the same values
implement(pipe(books, produces(json(Book), xml(Book))), () => book)
implement(pipe(books, produces(json(Book), xml(Book), cbor(Book), csv)), () => book)
implement(pipe(books, produces(json(Book), page)), () => book)
implement(pipe(books, produces(json(Book), anyCsv)), () => book)
implement(pipe(books, produces(json(t.string), text)), () => 'a')
implement(pipe(books, produces(json(t.string), text, html, rawJson)), () => 'a')
implement(pipe(books, produces(json(int), int)), () => 1)
implement(pipe(books, produces(int, json(int), xml(int))), () => 1)
implement(pipe(books, produces(json(Book), as('application/vnd.a+json')(json(Book)))), () => book)
implement(pipe(books, produces(json(Book), withEtag('weak')(xml(Book)))), () => book)
implement(pipe(books, produces(json(Book), entity(Book))), () => book)
implement(pipe(books, produces(json(optional(Book)), xml(optional(Book)))), () => undefined)
implement(pipe(books, produces(inLanguage('en')(text), inLanguage('de')(html))), () => 'a')
implement(pipe(books, produces(json(z.object({ a: z.string() })), anyCsv)), () => ({ a: '' }))
implement(pipe(books, produces(json(z.string()), json(v.string()), text)), () => 'a')
implement(pipe(books, produces(json(t.unknown), text)), () => 'a')

// a subset of the values
const narrower = pipe(books, produces(json(t.union([Book, t.string])), text))
implement(narrower, () => 'a')
// @ts-expect-error text accepts no object
implement(narrower, () => book)
const wider = pipe(books, produces(text, json(t.union([Book, t.string]))))
implement(wider, () => 'a')
// @ts-expect-error text accepts no object
implement(wider, () => book)
const Summary = t.type({ isbn: t.string })
const summary = pipe(books, produces(json(Book), as('application/vnd.a+json')(json(Summary))))
implement(summary, () => book)
// @ts-expect-error a summary is no book
implement(summary, () => ({ isbn: '' }))
const Priced = t.type({ isbn: t.string, price: t.number })
const both = pipe(books, produces(json(Book), as('application/vnd.a+json')(json(Priced))))
implement(both, () => ({ isbn: '', pages: 1, price: 2 }))
// @ts-expect-error the price is missing
implement(both, () => book)

// links are ignored by other formats
const linked = pipe(books, produces(json(Book), hal(Book), xml(Book)))
implement(linked, () => book)
implement(linked, () => halEntity(book))
const collection = pipe(books, produces(json(list(Book)), hal(list(Book))))
implement(collection, () => [book])
implement(collection, () => halCollection([book]))
// @ts-expect-error a resource is no collection
implement(collection, () => halEntity(book))

// streams
const streams = pipe(books, produces(jsonStream(Book), ndjson(Book), sse(Book)))
implement(streams, () => [book])
implement(streams, async function* () {
  yield book
})
// @ts-expect-error only an event stream accepts events
implement(streams, () => [{ data: book, id: '1' }])
implement(pipe(books, produces(json(list(Book)), ndjson(Book))), () => [book])

// other responses
implement(pipe(books, responds(203, json(Book), xml(Book))), () => book)
implement(pipe(books, produces(text), fails(404, json(t.string), text)), () => E.left('a'))

// clients receive the values of each representation
const sent = pipe(books, produces(json(Book), hal(Book)))
declare const client: Client<{ readonly sent: typeof sent }>
const call = async () => {
  const result = await client.sent()()
  return E.isRight(result) ? result.right.body : undefined
}
expectTypeOf<Awaited<ReturnType<typeof call>>>().toEqualTypeOf<Book | undefined>()

// a contract of another service can have representations of different values
const either = pipe(path('/it'), get(), produces(json(Book), text, as('image/*')(bytes)))
const events = pipe(path('/it'), get(), produces(ndjson(Book), text), fails(404, json(Book), text))
declare const foreign: Client<{ readonly either: typeof either; readonly events: typeof events }>
const callOther = async () => {
  const result = await foreign.either()()
  return E.isRight(result) ? result.right.body : undefined
}
expectTypeOf<Awaited<ReturnType<typeof callOther>>>().toEqualTypeOf<
  Book | string | Uint8Array | undefined
>()
const callEvents = async () => {
  const result = await foreign.events()()
  return E.isRight(result) ? result.right.body : undefined
}
expectTypeOf<Awaited<ReturnType<typeof callEvents>>>().toEqualTypeOf<
  AsyncIterable<Book> | string | undefined
>()

// but it cannot be implemented
// @ts-expect-error text accepts no object
implement(pipe(books, produces(json(Book), text)), () => book)
// @ts-expect-error JSON accepts no text
implement(pipe(books, produces(json(Book), text)), () => 'Emma')
// @ts-expect-error text accepts no object
implement(pipe(books, produces(html, json(Book))), async () => book)
// @ts-expect-error text accepts no number
implement(pipe(books, produces(json(int), text)), () => 1)
// @ts-expect-error an object is no number
implement(pipe(books, produces(json(Book), int)), () => E.right(book))
// @ts-expect-error text accepts no links
implement(pipe(books, produces(hal(Book), text)), () => halEntity(book))
// @ts-expect-error text accepts no object
implement(pipe(books, produces(json(Book), xml(Book), text)), () => ok(book))
// @ts-expect-error text accepts no object
implement(pipe(books, produces(json(z.object({ a: z.string() })), text)), () => ({ a: '' }))
// @ts-expect-error text accepts no list
implement(pipe(books, produces(json(list(Book)), text)), () => [book])
// @ts-expect-error text accepts no object
implement(pipe(books, responds(201, json(Book), text)), () => book)
const failing = pipe(books, produces(json(Book)), fails(404, json(Book), text))
// @ts-expect-error text accepts no object
implement(failing, () => reply(404, book))
// @ts-expect-error text accepts no object
implement(failing, () => E.left(book))
implement(failing, () => book)
// @ts-expect-error bytes accept no object
implement(pipe(books, produces(json(Book), bytes)), () => book)
// @ts-expect-error the handler returns a file
implement(pipe(books, produces(json(Book), file)), () => book)
const chosen = pipe(books, produces(json(Book), html))
implement(
  chosen,
  // @ts-expect-error a handler cannot depend on the selected representation
  (_, { response }) => (response.contentType === 'text/html' ? 'Emma' : book),
)
