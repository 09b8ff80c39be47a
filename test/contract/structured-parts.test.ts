/** Parts of forms that readers read: those of the engine, and those of the application. */
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
} from '../../src/index.ts'
import { answerTo } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { field, formOf, multipart } from '../support/multipart.ts'

const Book = t.type({ title: t.string, pages: int }, 'Book')

/** `Emma, 474`; what it cannot read it says in its own way. */
const csv = reader({
  mediaType: 'text/csv',
  read: (octets, { mediaType }) => {
    if (mediaType !== 'text/csv') throw new Error(`it was said to be ${mediaType}`)
    const [title = '', pages = ''] = Buffer.from(octets).toString().split(', ')
    if (title === 'taken') throw new Conflict('taken')
    if (title === 'broken') throw new Error('hidden')
    return { title, pages: Number(pages) }
  },
})
const reversed = representation({
  mediaType: 'text/x-reversed',
  read: (octets) => Buffer.from(octets.toReversed()).toString(),
})

const tree = routes({
  read: pipe(
    routes({
      one: pipe(
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
      one: pipe(
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

contract('structured parts', tree, (test, call) => {
  const send = (to: string, book: string, note = 'x', type?: string) =>
    answerTo(call, `POST ${to}`, {
      headers: { 'Content-Type': multipart },
      body: Buffer.from(
        formOf(field('book', book, { type }), field('note', note), field('word', 'abc')),
      ),
    })
  for (const type of [undefined, 'text/csv', 'application/json'])
    test(`the reader of the declared type reads a part that states ${type}`, async () =>
      assert.equal(await send('/books', 'Emma, 474', 'é', type), [
        200,
        { book: { title: 'Emma', pages: 474 }, note: 'é', word: 'cba' },
      ]))
  table<readonly [title: string, book: string, status: number, told: RegExp]>(
    test,
    [
      [
        'what the codec refuses',
        'Emma, many',
        400,
        /"name":"book","pointer":"#\/pages"|"pointer":"#\/pages".*"name":"book"/,
      ],
      ['what the reader throws at', 'broken, 1', 400, /"name":"book"/],
      ['unless it says its status', 'taken, 1', 409, /Conflict/],
    ],
    async (_, book, status, told) => {
      const [answered, problem] = await send('/books', book)
      assert.is(answered, status)
      assert.match(JSON.stringify(problem), told)
      assert.not.match(JSON.stringify(problem), /hidden|many/)
    },
  )
  test('each is one error for mappers', async () => {
    assert.equal(await send('/mapped', 'broken, 1'), [999, 'book 400'])
    assert.equal(await send('/mapped', 'Emma, many'), [999, 'book 400'])
    assert.equal(await send('/mapped', 'Emma, 1'), [200, 'read'])
  })
})
