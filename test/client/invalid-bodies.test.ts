/** Streamed bodies that do not match their declaration. */
import { setTimeout as wait } from 'node:timers/promises'
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
import { called, right } from '../support/clients.ts'
import { table } from '../support/describe.ts'
import { all, failing, octets } from '../support/reading.ts'

const Book = t.type({ title: t.string })

/** What is served does not matter: others answer. */
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

/** Answers of services that espalier did not write, in the pieces that are given. */
const answering = (type: string, pieces: ReadonlyArray<string | Uint8Array | Error>) => ({
  fetch: async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: async (controller) => {
          for (const piece of pieces) {
            await wait(0)
            if (piece instanceof Error) return controller.error(piece)
            controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
          }
          controller.close()
        },
      }),
      { headers: { 'Content-Type': type } },
    ),
})

called('contents that are not what was declared', api, (test, calling) => {
  table<
    readonly [
      name: string,
      type: string,
      pieces: ReadonlyArray<string | Uint8Array | Error>,
      read: number,
      tag: ClientError['_tag'],
      place: string,
    ]
  >(
    test,
    [
      [
        'no book',
        'application/json',
        ['[{"title":"a"},', '{"title":1}]'],
        1,
        'DecodeError',
        '#/1/title',
      ],
      ['no JSON', 'application/json', ['[{"title":"a"},{"title"}]'], 1, 'DecodeError', '#/1'],
      ['no array', 'application/json', ['"'], 0, 'DecodeError', '#/0'],
      ['no end', 'application/json', ['[{"title":"a"}', ','], 1, 'DecodeError', '#'],
      ['a bad end', 'application/json', ['[{"title":"a"},]'], 1, 'DecodeError', '#'],
      ['nothing', 'application/json', [], 0, 'DecodeError', '#'],
      ['what stands behind', 'application/json', ['[]', '[]'], 0, 'DecodeError', '#'],
      [
        'no UTF-8',
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
        'ContentTooLarge',
        '',
      ],
      [
        'a large element in pieces',
        'application/json',
        Array.from({ length: 2000 }, (_, at) => (at === 0 ? '["' : 'x')),
        0,
        'ContentTooLarge',
        '',
      ],
      [
        'what breaks off',
        'application/json',
        ['[{"title":"a"},', new Error('gone')],
        1,
        'NetworkError',
        '',
      ],
      [
        'what breaks off behind an element',
        'application/json',
        ['[{"title":"a"}]', new Error('gone')],
        1,
        'NetworkError',
        '',
      ],
    ],
    async (_, type, pieces, count, tag, place) => {
      const { body: read } = await right(
        calling({ ...answering(type, pieces), maxContentLength: 1000 }).books(),
      )
      const [values, failure] = await failing(read)
      assert.is(values.length, count)
      assert.ok('_tag' in failure)
      assert.is(failure._tag, tag)
      if (failure._tag === 'DecodeError') assert.is(failure.faults[0]?.pointer, place)
      assert.match(failure.message, /^books: /)
      // it is over
      assert.equal(await all(read), [])
    },
  )
  test('JSON lines with an unterminated last line, empty lines and CRLF are decoded', async () => {
    const { body: read } = await right(
      calling(
        answering('application/x-ndjson', ['\n{"title":"a"}\r', '\n\n{"ti', 'tle":"b"}']),
      ).lines(),
    )
    assert.equal(await all(read), [{ title: 'a' }, { title: 'b' }])
  })
  test('text of a supported charset is decoded, of an unknown one rejected', async () => {
    const latin = await right(
      calling(answering('text/plain;charset=iso-8859-1', [new Uint8Array([0xe9])])).latin(),
    )
    assert.is(await octets(latin.body), '\xe9')
    const other = await right(
      calling(answering('text/plain;charset=iso-8859-1', [new Uint8Array([0xe9])])).text({
        body: [],
      }),
    )
    assert.equal(await all(other.body), ['é'])
    for (const charset of ['utf-8', 'nonsense']) {
      const wrong = await right(
        calling(answering(`text/plain;charset=${charset}`, [new Uint8Array([0xe9])])).text({
          body: [],
        }),
      )
      const [, failure] = await failing(wrong.body)
      assert.ok('_tag' in failure && failure._tag === 'DecodeError')
    }
  })
})
