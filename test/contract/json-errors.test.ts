/** Errors of JSON meet mappers as HTTP errors with a cause. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  BadRequest,
  HttpError,
  UnreadablePart,
  body,
  form,
  handle,
  int,
  json,
  mapError,
  part,
  path,
  post,
  produces,
  reply,
  routes,
  text,
  unwrap,
  withMapper,
} from '../../src/index.ts'
import { customDeserialization, lossless } from '../../src/json.ts'
import { answerTo } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const Book = t.type({ pages: int })

class Odd extends Error {}

const read = (to: string) =>
  pipe(
    path(to),
    post(),
    body(json(Book)),
    produces(text),
    handle(() => 'read'),
  )

const books = routes({
  standard: read('/standard'),
  exact: pipe(read('/exact'), lossless),
  custom: pipe(
    read('/custom'),
    customDeserialization(() => () => {
      throw new Odd('hunter2')
    }),
  ),
  part: pipe(
    path('/part'),
    post(),
    form({ book: part(json(Book)) }),
    produces(text),
    handle(() => 'read'),
  ),
})

const causeOf = (error: Error): string =>
  error.cause instanceof Error ? error.cause.constructor.name : typeof error.cause

const told = { fails: { 499: json(t.array(t.string)) } }

/** What each mapper sees. */
const seen = (name: string) => (error: HttpError) =>
  reply(499, [name, error.name, String(error.status), causeOf(error)])

const typed = (sent: string): RequestInit => ({
  headers: { 'Content-Type': 'application/json' },
  body: sent,
})

const formOf = (sent: string): RequestInit => {
  const fields = new FormData()
  fields.set('book', sent)
  return { body: fields }
}

type Row = readonly [name: string, to: string, init: RequestInit, expected: unknown]

const rows: ReadonlyArray<Row> = [
  ['what is no JSON', '/standard', typed('{"pages'), ['BadRequest', '400', 'SyntaxError']],
  [
    'of what is refused there is no error',
    '/standard',
    typed('{"pages":"a"}'),
    ['BadRequest', '400', 'undefined'],
  ],
  ['nor of a bound', '/standard', typed('['.repeat(200)), ['BadRequest', '400', 'undefined']],
  ['by the other library', '/exact', typed('[1.0,{"pages'), ['BadRequest', '400', 'SyntaxError']],
  ['by a function of the application', '/custom', typed('1'), ['BadRequest', '400', 'Odd']],
  ['in a part', '/part', formOf('{"pages'), ['UnreadablePart', '400', 'SyntaxError']],
]

contract(
  'a mapper sees an HTTP error whose cause is that of JSON',
  pipe(books, withMapper(mapError(HttpError, told, seen('HttpError')))),
  (test, call) =>
    table<Row>(test, rows, async (_, to, init, expected) =>
      assert.equal(await answerTo(call, `POST ${to}`, init), [
        499,
        ['HttpError', ...(expected as [])],
      ]),
    ),
)

contract(
  'the mapper of the closest class applies, and that of a super-type without it',
  pipe(
    books,
    withMapper(mapError(BadRequest, told, seen('BadRequest'))),
    withMapper(mapError(UnreadablePart, told, seen('UnreadablePart'))),
    withMapper(mapError(Error, { fails: { 500: text } }, () => reply(500, 'any error'))),
  ),
  (test, call) => {
    for (const [name, to, init, expected] of rows)
      test(name, async () => {
        const mapper = to === '/part' ? 'UnreadablePart' : 'BadRequest'
        assert.equal(await answerTo(call, `POST ${to}`, init), [499, [mapper, ...(expected as [])]])
      })
  },
)

contract(
  'the cause is met by itself where it is unwrapped',
  pipe(
    books,
    withMapper(unwrap(BadRequest)),
    withMapper(mapError(SyntaxError, () => reply(422, 'no JSON'))),
    withMapper(mapError(Odd, () => reply(423, 'odd'))),
  ),
  (test, call) => {
    test('a SyntaxError', async () =>
      assert.equal(await answerTo(call, 'POST /standard', typed('{')), [422, 'no JSON']))
    test('an error of the application', async () =>
      assert.equal(await answerTo(call, 'POST /custom', typed('1')), [423, 'odd']))
    test('where there is none, the refusal is as it was', async () =>
      assert.is((await answerTo(call, 'POST /standard', typed('[]')))[0], 400))
  },
)

contract('without mappers nobody is told of the cause', books, (test, call) =>
  table<Row>(test, rows, async (_, to, init) => {
    const [status, content] = await answerTo(call, `POST ${to}`, init)
    assert.is(status, 400)
    assert.not.match(JSON.stringify(content), /cause|hunter2|SyntaxError/)
  }),
)
