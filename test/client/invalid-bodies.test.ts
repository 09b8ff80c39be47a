/** Streamed bodies that do not match their declaration. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ClientError } from '../../src/client.ts'
import {
  as,
  body,
  byteStream,
  get,
  handle,
  jsonStream,
  ndjson,
  path,
  post,
  produces,
  routes,
  textStream,
} from '../../src/index.ts'
import { clientContract, right } from '../support/clients.ts'
import { table } from '../support/describe.ts'
import { readAll, readUntilFailure, readLatin1 } from './read-stream.ts'
import { turns } from '../support/wait-until.ts'

const Book = t.type({ title: t.string })

/** The contract. Its handlers are not called, because `fetch` returns fixed responses. */
const api = routes({
  books: pipe(
    path('/books'),
    get(),
    produces(jsonStream(Book)),
    handle(() => []),
  ),
  lines: pipe(
    path('/lines'),
    get(),
    produces(ndjson(Book)),
    handle(() => []),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(textStream),
    produces(textStream),
    handle((input) => input.body),
  ),
  latin: pipe(
    path('/latin'),
    get(),
    produces(as('text/plain;charset=iso-8859-1')(byteStream)),
    handle(() => []),
  ),
})

/** Returns a `fetch` function that responds with the given chunks. An `Error` makes the body fail. */
const respondWith = (type: string, chunks: ReadonlyArray<string | Uint8Array | Error>) => ({
  fetch: async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: async (controller) => {
          for (const chunk of chunks) {
            await turns(1)
            if (chunk instanceof Error) return controller.error(chunk)
            controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
          }
          controller.close()
        },
      }),
      { headers: { 'Content-Type': type } },
    ),
})

clientContract('streams that do not match their declaration', api, (test, createClient) => {
  table<
    readonly [
      name: string,
      type: string,
      chunks: ReadonlyArray<string | Uint8Array | Error>,
      count: number,
      tag: ClientError['_tag'],
      pointer: string,
    ]
  >(
    test,
    [
      [
        'an invalid element',
        'application/json',
        ['[{"title":"a"},', '{"title":1}]'],
        1,
        'DecodeError',
        '#/1/title',
      ],
      [
        'malformed JSON',
        'application/json',
        ['[{"title":"a"},{"title"}]'],
        1,
        'DecodeError',
        '#/1',
      ],
      ['a text instead of an array', 'application/json', ['"'], 0, 'DecodeError', '#/0'],
      [
        'a missing end of the array',
        'application/json',
        ['[{"title":"a"}', ','],
        1,
        'DecodeError',
        '#',
      ],
      ['a trailing comma', 'application/json', ['[{"title":"a"},]'], 1, 'DecodeError', '#'],
      ['an empty body', 'application/json', [], 0, 'DecodeError', '#'],
      ['data after the array', 'application/json', ['[]', '[]'], 0, 'DecodeError', '#'],
      [
        'invalid UTF-8',
        'application/json',
        ['["', new Uint8Array([0xff]), '"]'],
        0,
        'DecodeError',
        '#/0',
      ],
      [
        'a large element',
        'application/json',
        [`[{"title":"a"},{"title":"${'x'.repeat(2000)}"}]`],
        1,
        'ResponseTooLarge',
        '',
      ],
      [
        'a large element in small chunks',
        'application/json',
        Array.from({ length: 2000 }, (_, index) => (index === 0 ? '["' : 'x')),
        0,
        'ResponseTooLarge',
        '',
      ],
      [
        'a connection that fails within the array',
        'application/json',
        ['[{"title":"a"},', new Error('connection lost')],
        1,
        'NetworkError',
        '',
      ],
      [
        'a connection that fails after the array',
        'application/json',
        ['[{"title":"a"}]', new Error('connection lost')],
        1,
        'NetworkError',
        '',
      ],
    ],
    async (_, type, chunks, count, tag, pointer) => {
      const { body: stream } = await right(
        createClient({ ...respondWith(type, chunks), maxBodySize: 1000 }).books(),
      )
      const [values, failure] = await readUntilFailure(stream)
      assert.is(values.length, count)
      assert.ok('_tag' in failure)
      assert.is(failure._tag, tag)
      if (failure._tag === 'DecodeError') assert.is(failure.errors[0]?.pointer, pointer)
      assert.match(failure.message, /^books: /)
      // the stream has ended
      assert.equal(await readAll(stream), [])
    },
  )
  test('JSON lines with an unterminated last line, empty lines and CRLF are decoded', async () => {
    const { body: stream } = await right(
      createClient(
        respondWith('application/x-ndjson', ['\n{"title":"a"}\r', '\n\n{"ti', 'tle":"b"}']),
      ).lines(),
    )
    assert.equal(await readAll(stream), [{ title: 'a' }, { title: 'b' }])
  })
  test('text in a supported charset is decoded, text in an unknown charset is rejected', async () => {
    const latin = await right(
      createClient(respondWith('text/plain;charset=iso-8859-1', [new Uint8Array([0xe9])])).latin(),
    )
    assert.is(await readLatin1(latin.body), '\xe9')
    const other = await right(
      createClient(respondWith('text/plain;charset=iso-8859-1', [new Uint8Array([0xe9])])).text({
        body: [],
      }),
    )
    assert.equal(await readAll(other.body), ['é'])
    for (const charset of ['utf-8', 'nonsense']) {
      const wrong = await right(
        createClient(respondWith(`text/plain;charset=${charset}`, [new Uint8Array([0xe9])])).text({
          body: [],
        }),
      )
      const [, failure] = await readUntilFailure(wrong.body)
      assert.ok('_tag' in failure && failure._tag === 'DecodeError')
    }
  })
})
