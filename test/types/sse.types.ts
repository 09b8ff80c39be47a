/** Types of event streams: elements of the codec, or events, from any source. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { Readable } from 'node:stream'
import type { Event, Reply, Source } from '../../src/index.ts'
import {
  broadcaster,
  comment,
  event,
  get,
  header,
  implement,
  json,
  lastEventId,
  ok,
  path,
  produces,
  reply,
  sse,
  string,
} from '../../src/index.ts'

const Book = t.type({ title: t.string })
const book = { title: 'Emma' }
const books = pipe(path('/books'), get(), produces(sse(Book)))

implement(books, () => [book])
implement(books, () => [book, event('new', book), comment('a')])
implement(books, () => ok([book]))
implement(books, async () => [book])
implement(books, function* () {
  yield book
  yield event('new', book, { id: '1' })
  yield comment('nothing else')
})
implement(books, async function* () {
  yield book
  yield event(book)
})
implement(books, () => new ReadableStream<Event<{ title: string }>>())
implement(books, () => Readable.from([book]))
// @ts-expect-error the title is a string
implement(books, () => [{ title: 1 }])
// @ts-expect-error the title of an event is a string
implement(books, () => [event('new', { title: 1 })])
// @ts-expect-error a single element is not a source
implement(books, () => book)
// @ts-expect-error a single event is not a source
implement(books, () => event(book))
// @ts-expect-error the title is missing
implement(books, async function* () {
  yield {}
})
const moved = pipe(path('/moves'), get(), produces(sse(t.type({ to: t.literal('shelf') }))))
implement(moved, () => [event('moved', { to: 'shelf' } as const)])
// @ts-expect-error an element of another type
implement(moved, () => [event('moved', { to: 'cellar' })])
// @ts-expect-error 201 is not declared
implement(books, () => reply(201, [book]))

// the representation determines the type of the elements
const quoted = pipe(path('/quoted'), get(), produces(sse(json(Book))))
implement(quoted, () => [book, event('new', book)])
// @ts-expect-error the title is a string
implement(quoted, () => [{ title: 1 }])

/** A streamed reply with options, a status and headers. */
interface Multi {
  readonly _tag: 'Multi'
  readonly source: Source<typeof book>
  readonly demand: number
  readonly encodeAsArray: boolean
}
declare const multi: Reply<200, Multi>
declare const multiFrom: Promise<Reply<200, Multi>>
// @ts-expect-error the head of an event stream is sent before the handler responds, so it cannot return a reply
implement(books, () => multi)
// @ts-expect-error a promise of a reply
implement(books, () => multiFrom)
// @ts-expect-error a task of a reply
implement(books, () => () => multiFrom)

// the id of a reconnecting client
implement(
  pipe(path('/'), get(), header({ lastEventId }), produces(sse(string))),
  ({ header: { lastEventId: last } }) => {
    expectTypeOf(last).toEqualTypeOf<string | undefined>()
    return []
  },
)

// a broadcaster
const feed = broadcaster(Book)
implement(books, (_, context) => feed.subscribe(context))
expectTypeOf(feed.subscribe()).toEqualTypeOf<AsyncIterable<Event<{ title: string }>>>()
void feed.publish(book)
void feed.publish(event('new', book))
// @ts-expect-error the title is a string
void feed.publish({ title: 1 })
// @ts-expect-error the title of an event is a string
void feed.publish(event({ title: 1 }))
