/** Tests streamed request and response bodies. */
import { Readable } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { headerOf } from '../../../src/client.ts'
import {
  as,
  body,
  byteStream,
  fails,
  get,
  handle,
  head,
  int,
  jsonStream,
  list,
  multi,
  ndjson,
  path,
  post,
  produces,
  query,
  reply,
  responds,
  routes,
  seeOther,
  text,
  textStream,
  withDefault,
} from '../../../src/index.ts'
import { clientContract, errorIn, left, right } from '../../support/clients.ts'
import { table } from '../../support/describe.ts'
import { readAll, readLatin1 as readBytes } from '../read-stream.ts'
import { turns } from '../../support/wait-until.ts'

const Book = t.type({ title: t.string })
const titles = ['Emma', 'Persuasion é€😀', '",]}\\']
const books = titles.map((title) => ({ title }))

const api = routes({
  bytes: pipe(
    path('/bytes'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle((input) => input.body),
  ),
  sink: pipe(
    path('/sink'),
    post(),
    body(textStream),
    produces(text),
    handle(async (input) => {
      let content = ''
      for await (const chunk of input.body) content += chunk
      return content
    }),
  ),
  image: pipe(
    path('/image'),
    post(),
    body(as('image/*')(byteStream)),
    produces(text),
    handle((_, { request }) => request.headers.join()),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(textStream),
    produces(textStream),
    handle((input) => input.body),
  ),
  books: pipe(
    path('/books'),
    get(),
    query({ count: withDefault(int, 3) }),
    produces(jsonStream(Book)),
    handle(({ query: { count } }) => books.slice(0, count)),
  ),
  lines: pipe(
    path('/lines'),
    get(),
    produces(ndjson(Book)),
    handle(() => books),
  ),
  unbracketed: pipe(
    path('/unbracketed'),
    get(),
    produces(jsonStream(Book)),
    handle(() => multi(books, { encodeAsArray: false })),
  ),
  either: pipe(
    path('/either'),
    get(),
    produces(jsonStream(Book), ndjson(Book)),
    responds(202, text),
    fails(404, textStream),
    handle(() => reply(404, ['no', 'thing'])),
  ),
  lists: pipe(
    path('/lists'),
    get(),
    produces(jsonStream(list(int))),
    handle(() => [[1], [], [2, 3]]),
  ),
  see: pipe(
    path('/see'),
    post(),
    body(textStream),
    responds(303),
    handle(async (input) => {
      for await (const chunk of input.body) if (chunk === '') break
      return seeOther('/elsewhere')
    }),
  ),
  head: pipe(
    path('/head'),
    head(),
    produces(textStream),
    handle(() => ['never']),
  ),
  maybe: pipe(
    path('/maybe'),
    get(),
    produces(jsonStream(Book)),
    responds(204),
    handle(() => reply(204)),
  ),
})

async function* later<A>(values: ReadonlyArray<A>) {
  for (const value of values) {
    await turns(1)
    yield value
  }
}

const observable = <A>(values: ReadonlyArray<A>) => ({
  subscribe: (observer: {
    readonly next: (value: A) => void
    readonly error: (error: unknown) => void
    readonly complete: () => void
  }) => {
    values.forEach((value) => observer.next(value))
    observer.complete()
    return { unsubscribe: () => undefined }
  },
})

clientContract('streamed bodies', api, (test, calling) => {
  const chunks = [new Uint8Array([0, 255]), new Uint8Array(), new Uint8Array([13, 10])]
  table(
    test,
    [
      ['an array', () => chunks],
      ['a generator', () => later(chunks)],
      ['a ReadableStream', () => ReadableStream.from(chunks) as ReadableStream<Uint8Array>],
      ['a Readable', () => Readable.from(chunks) as AsyncIterable<Uint8Array>],
      ['an observable', () => observable(chunks)],
      ['a source with a demand of 2', () => multi(chunks, { demand: 2 }).entity],
      ['an empty array', () => []],
    ] as const,
    async (name, source) => {
      const { body: read } = await right(calling().bytes({ body: source() }))
      assert.is(await readBytes(read), name === 'an empty array' ? '' : '\x00\xff\r\n')
    },
  )
  test('each run of a call opens its source again', async () => {
    let opened = 0
    const call = calling().bytes({
      body: {
        async *[Symbol.asyncIterator]() {
          opened++
          yield new Uint8Array([65])
        },
      },
    })
    assert.is(opened, 0)
    assert.is(await readBytes((await right(call)).body), 'A')
    assert.is(await readBytes((await right(call)).body), 'A')
    assert.is(opened, 2)
  })
  test('a surrogate pair may be split between two chunks', async () => {
    const sent = ['a\n', '\ud83d', '\ude00', '', 'é\r\n']
    const { body: read } = await right(calling().text({ body: later(sent) }))
    assert.is((await readAll(read)).join(''), 'a\n😀é\r\n')
  })
  test('an invalid source results in EncodeError', async () => {
    const error = await errorIn(calling().text({ body: 'abc' as unknown as string[] }))
    assert.is(error._tag, 'EncodeError')
    assert.match(error.message, /^text: invalid input: body: must be a source/)
  })
  test('a media range requires the option as', async () => {
    const open = await errorIn(calling().image({ body: [] }))
    assert.match(open.message, /with the `as` option/)
    const chosen = await right(calling().image({ body: [] }, { as: 'image/png' }))
    assert.match(chosen.body, /image\/png/)
  })
  test('a source that fails results in EncodeError', async () => {
    const error = await errorIn(
      calling().sink({
        body: (async function* () {
          yield 'a'
          await turns()
          throw new Error('no more')
        })(),
      }),
    )
    assert.is(error._tag, 'EncodeError')
    assert.is(error.message, 'sink: the source of the request body failed: no more')
    assert.is(error.cause instanceof Error && error.cause.message, 'no more')
  })
  test('a source with elements of another type results in EncodeError', async () => {
    const error = await errorIn(calling().sink({ body: [1] as unknown as string[] }))
    assert.is(error._tag, 'EncodeError')
  })
  test('a declared redirect is a response to a streamed body', async () => {
    const response = await right(calling().see({ body: ['a'] }))
    assert.is(response.status, 303)
    assert.is(new URL(headerOf('location')(response) ?? '', response.url).pathname, '/elsewhere')
  })
  test('a JSON array is read element by element', async () => {
    const response = await right(calling().books())
    assert.is(response.status, 200)
    assert.equal(await readAll(response.body), books)
    assert.equal(await readAll((await right(calling().books({ query: { count: 0 } }))).body), [])
    assert.equal(await readAll((await right(calling().lists())).body), [[1], [], [2, 3]])
  })
  test('JSON lines are read, also from a jsonStream', async () => {
    assert.equal(await readAll((await right(calling().lines())).body), books)
    assert.equal(await readAll((await right(calling().unbracketed())).body), books)
  })
  test('a declared failure can have a streamed body', async () => {
    const failure = await left(calling().either())
    assert.ok(!('_tag' in failure) && failure.status === 404)
    assert.is((await readAll(failure.body)).join(''), 'nothing')
  })
  test('responses to HEAD and with status 204 have no body', async () => {
    const none = await right(calling().head())
    assert.equal([none.status, none.body], [200, undefined])
    const nothing = await right(calling().maybe())
    assert.equal([nothing.status, nothing.body], [204, undefined])
  })
})
