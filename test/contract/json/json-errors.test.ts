/** Malformed JSON reaches error mappers as an `HttpError` whose `cause` is the error of the JSON parser. */
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
} from '../../../src/index.ts'
import { customDeserialization, lossless } from '../../../src/json.ts'
import { responseTo } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const Book = t.type({ pages: int })

class ParserError extends Error {}

const read = (target: string) =>
  pipe(
    path(target),
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
      throw new ParserError('hunter2')
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

const errorReplies = { fails: { 499: json(t.array(t.string)) } }

/** Replies with the properties of the mapped error. */
const replyWithError = (name: string) => (error: HttpError) =>
  reply(499, [name, error.name, String(error.status), causeOf(error)])

const jsonInit = (sent: string): RequestInit => ({
  headers: { 'Content-Type': 'application/json' },
  body: sent,
})

const formInit = (sent: string): RequestInit => {
  const data = new FormData()
  data.set('book', sent)
  return { body: data }
}

type Row = readonly [name: string, target: string, init: RequestInit, expected: unknown]

const rows: ReadonlyArray<Row> = [
  ['malformed JSON', '/standard', jsonInit('{"pages'), ['BadRequest', '400', 'SyntaxError']],
  [
    'a validation error',
    '/standard',
    jsonInit('{"pages":"a"}'),
    ['BadRequest', '400', 'undefined'],
  ],
  ['an exceeded limit', '/standard', jsonInit('['.repeat(200)), ['BadRequest', '400', 'undefined']],
  [
    'malformed lossless JSON',
    '/exact',
    jsonInit('[1.0,{"pages'),
    ['BadRequest', '400', 'SyntaxError'],
  ],
  ['a deserializer that throws', '/custom', jsonInit('1'), ['BadRequest', '400', 'ParserError']],
  [
    'malformed JSON in a form part',
    '/part',
    formInit('{"pages'),
    ['UnreadablePart', '400', 'SyntaxError'],
  ],
]

valueContract(
  'JSON errors with a mapper of HttpError',
  pipe(books, withMapper(mapError(HttpError, errorReplies, replyWithError('HttpError')))),
  (test, call) =>
    rows.forEach(([name, target, init, expected]) =>
      test(`${name} is mapped as HttpError`, async () =>
        assert.equal(await responseTo(call, `POST ${target}`, init), [
          499,
          ['HttpError', ...(expected as [])],
        ])),
    ),
)

valueContract(
  'JSON errors with mappers of several classes',
  pipe(
    books,
    withMapper(mapError(BadRequest, errorReplies, replyWithError('BadRequest'))),
    withMapper(mapError(UnreadablePart, errorReplies, replyWithError('UnreadablePart'))),
    withMapper(mapError(Error, { fails: { 500: text } }, () => reply(500, 'any error'))),
  ),
  (test, call) => {
    for (const [name, target, init, expected] of rows) {
      const mapper = target === '/part' ? 'UnreadablePart' : 'BadRequest'
      test(`${name} is mapped as ${mapper}`, async () => {
        assert.equal(await responseTo(call, `POST ${target}`, init), [
          499,
          [mapper, ...(expected as [])],
        ])
      })
    }
  },
)

valueContract(
  'JSON errors with unwrap',
  pipe(
    books,
    withMapper(unwrap(BadRequest)),
    withMapper(mapError(SyntaxError, () => reply(422, 'no JSON'))),
    withMapper(mapError(ParserError, () => reply(423, 'parser error'))),
  ),
  (test, call) => {
    test('malformed JSON is mapped as a SyntaxError', async () =>
      assert.equal(await responseTo(call, 'POST /standard', jsonInit('{')), [422, 'no JSON']))
    test('an error of a deserializer is mapped by its class', async () =>
      assert.equal(await responseTo(call, 'POST /custom', jsonInit('1')), [423, 'parser error']))
    test('a validation error without a cause returns 400', async () =>
      assert.is((await responseTo(call, 'POST /standard', jsonInit('[]')))[0], 400))
  },
)

valueContract('JSON errors without mappers', books, (test, call) =>
  table<Row>(test, rows, async (_, target, init) => {
    const [status, responseBody] = await responseTo(call, `POST ${target}`, init)
    assert.is(status, 400)
    assert.not.match(JSON.stringify(responseBody), /cause|hunter2|SyntaxError/)
  }),
)
