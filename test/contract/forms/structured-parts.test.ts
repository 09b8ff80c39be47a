/** Form parts that are decoded by built-in and by application-defined readers. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  Conflict,
  UnreadablePart,
  as,
  entity,
  form,
  handle,
  int,
  json,
  mapError,
  part,
  path,
  post,
  produces,
  reader,
  reply,
  representation,
  routes,
  text,
  withMapper,
  withReader,
} from '../../../src/index.ts'
import { responseTo } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'

const Book = t.type({ title: t.string, pages: int }, 'Book')

/** Reads `Emma, 474`. Throws an `HttpError` or an `Error` for certain titles. */
const csv = reader({
  mediaType: 'text/csv',
  read: (data, { mediaType }) => {
    if (mediaType !== 'text/csv') throw new Error(`unexpected media type ${mediaType}`)
    const [title = '', pages = ''] = Buffer.from(data).toString().split(', ')
    if (title === 'taken') throw new Conflict('taken')
    if (title === 'broken') throw new Error('hidden')
    return { title, pages: Number(pages) }
  },
})
const reversed = representation({
  mediaType: 'text/x-reversed',
  read: (data) => Buffer.from(data.toReversed()).toString(),
})

const tree = routes({
  read: pipe(
    routes({
      operation: pipe(
        path('/books'),
        post(),
        form({ book: part(as('text/csv')(entity(Book))), note: part(text), word: part(reversed) }),
        produces(json(t.unknown)),
        handle((input) => input.form),
      ),
    }),
    withReader(csv),
  ),
  mapped: pipe(
    routes({
      operation: pipe(
        path('/mapped'),
        post(),
        form({ book: part(as('text/csv')(entity(Book))) }),
        produces(text),
        handle(() => 'read'),
      ),
    }),
    withReader(csv),
    withMapper(
      mapError(UnreadablePart, ({ part: name, status }) => reply(999, `${name} ${status}`)),
    ),
  ),
})

valueContract('structured parts', tree, (test, call) => {
  const send = (target: string, book: string, note = 'x', type?: string) =>
    responseTo(call, `POST ${target}`, {
      headers: { 'Content-Type': multipartType },
      body: Buffer.from(
        encodeMultipart(
          encodePart('book', book, { type }),
          encodePart('note', note),
          encodePart('word', 'abc'),
        ),
      ),
    })
  for (const type of [undefined, 'text/csv', 'application/json'])
    test(`a part with Content-Type ${type} is read by the reader of the declared type`, async () =>
      assert.equal(await send('/books', 'Emma, 474', 'é', type), [
        200,
        { book: { title: 'Emma', pages: 474 }, note: 'é', word: 'cba' },
      ]))
  table<readonly [title: string, book: string, status: number, message: RegExp]>(
    test,
    [
      [
        'a value that the codec rejects',
        'Emma, many',
        400,
        /"name":"book","pointer":"#\/pages"|"pointer":"#\/pages".*"name":"book"/,
      ],
      ['a reader that throws', 'broken, 1', 400, /"name":"book"/],
      ['a reader that throws an HttpError', 'taken, 1', 409, /Conflict/],
    ],
    async (_, book, status, message) => {
      const [received, problem] = await send('/books', book)
      assert.is(received, status)
      assert.match(JSON.stringify(problem), message)
      assert.not.match(JSON.stringify(problem), /hidden|many/)
    },
  )
  test('mappers receive an UnreadablePart for each failure', async () => {
    assert.equal(await send('/mapped', 'broken, 1'), [999, 'book 400'])
    assert.equal(await send('/mapped', 'Emma, many'), [999, 'book 400'])
    assert.equal(await send('/mapped', 'Emma, 1'), [200, 'read'])
  })
})
