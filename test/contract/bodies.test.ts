/** What arrives as the content of a request, and what the same value is sent as. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Problem } from '../../src/http/problem.ts'
import {
  UnprocessableContent,
  bigint,
  body,
  boolean,
  bytes,
  decimal,
  exact,
  formMap,
  handle,
  int,
  json,
  number,
  optional,
  path,
  plainDate,
  post,
  produces,
  rawJson,
  representation,
  routes,
  text,
} from '../../src/index.ts'
import type { Test } from '../support/describe.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/doors.ts'

const Book = t.type({ title: t.string, pages: int })
const shelved = { title: 'Emma', pages: 474, shelfmark: 'secret' }

/** Names, one a line; `!` is refused, `?` means nothing. */
const names = representation({
  mediaType: 'text/x-names',
  read: (octets) => {
    const all = new TextDecoder().decode(octets)
    if (all.includes('?')) throw new UnprocessableContent('asked')
    if (all.includes('!')) throw new Error('shouted')
    return all.split('\n')
  },
  write: (all: ReadonlyArray<string>) => all.join('\n'),
})
const reversed = representation({
  mediaType: 'application/x-reversed',
  read: (octets) => octets.toReversed(),
  write: (octets: Uint8Array) => octets.toReversed(),
})

const api = routes({
  boolean: pipe(
    path('/boolean'),
    post(),
    body(boolean),
    produces(boolean),
    handle((input) => input.body),
  ),
  int: pipe(
    path('/int'),
    post(),
    body(int),
    produces(int),
    handle((input) => input.body),
  ),
  perhaps: pipe(
    path('/perhaps'),
    post(),
    body(optional(int)),
    produces(text),
    handle((input) => String(input.body)),
  ),
  bigint: pipe(
    path('/bigint'),
    post(),
    body(bigint),
    produces(bigint),
    handle((input) => input.body + 1n),
  ),
  decimal: pipe(
    path('/decimal'),
    post(),
    body(decimal),
    produces(decimal),
    handle((input) => input.body),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  bytes: pipe(
    path('/bytes'),
    post(),
    body(bytes),
    produces(bytes),
    handle((input) => input.body),
  ),
  object: pipe(
    path('/object'),
    post(),
    body(json(t.UnknownRecord)),
    produces(json(t.UnknownRecord)),
    handle((input) => input.body),
  ),
  array: pipe(
    path('/array'),
    post(),
    body(json(t.UnknownArray)),
    produces(json(t.UnknownArray)),
    handle((input) => input.body),
  ),
  inside: pipe(
    path('/inside'),
    post(),
    body(json(t.type({ any: t.unknown }))),
    produces(json(t.type({ any: t.unknown }))),
    handle((input) => input.body),
  ),
  book: pipe(
    path('/book'),
    post(),
    body(json(Book), text),
    produces(json(t.type({ members: t.array(t.string) }))),
    handle((input) => ({
      members: typeof input.body === 'string' ? ['text'] : Object.keys(input.body),
    })),
  ),
  books: pipe(
    path('/books'),
    post(),
    body(json(t.array(Book))),
    produces(json(t.array(Book))),
    handle((input) => input.body.map((book) => ({ ...shelved, ...book }))),
  ),
  exact: pipe(
    path('/exact'),
    post(),
    body(json(exact(Book))),
    produces(json(exact(Book))),
    handle(() => shelved),
  ),
  counts: pipe(
    path('/counts'),
    post(),
    body(json(t.record(t.string, int))),
    produces(json(t.record(t.string, int))),
    handle((input) => input.body),
  ),
  perhapsBook: pipe(
    path('/perhaps-book'),
    post(),
    body(json(optional(Book))),
    produces(text),
    handle((input) => input.body?.title ?? 'nothing'),
  ),
  number: pipe(
    path('/number'),
    post(),
    body(json(number)),
    produces(json(number)),
    handle((input) => input.body),
  ),
  due: pipe(
    path('/due'),
    post(),
    body(json(t.type({ due: plainDate }))),
    produces(json(t.type({ due: plainDate }))),
    handle((input) => ({ due: input.body.due.add({ days: 1 }) })),
  ),
  form: pipe(
    path('/form'),
    post(),
    body(formMap),
    produces(formMap),
    handle((input) => input.body),
  ),
  rawJson: pipe(
    path('/raw-json'),
    post(),
    body(rawJson),
    produces(rawJson),
    handle((input) => input.body),
  ),
  names: pipe(
    path('/names'),
    post(),
    body(names),
    produces(names),
    handle((input) => input.body.toReversed()),
  ),
  reversed: pipe(
    path('/reversed'),
    post(),
    body(reversed),
    produces(bytes),
    handle((input) => input.body),
  ),
  unreversed: pipe(
    path('/unreversed'),
    post(),
    body(bytes),
    produces(reversed),
    handle((input) => input.body),
  ),
})

/** As octets, so that Fetch adds no `Content-Type` to a text. */
const octets = (content: string | ReadonlyArray<number>): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content)

const sending = (
  to: string,
  type: string | undefined,
  content: string | ReadonlyArray<number>,
): Request =>
  new Request(`${base}${to}`, {
    method: 'POST',
    headers: type === undefined ? {} : { 'content-type': type },
    body: octets(content),
  })

const problemOf = async (response: Response): Promise<Problem> => {
  assert.is(response.headers.get('content-type'), 'application/problem+json')
  return (await response.json()) as Problem
}

const [plain, jsonType, formType] = [
  'text/plain',
  'application/json',
  'application/x-www-form-urlencoded',
]
const longDigits = '9'.repeat(1001)

type Sent = string | ReadonlyArray<number>
type Taken = readonly [
  name: string,
  to: string,
  type: string | undefined,
  sent: Sent,
  answered: Sent,
  as: string,
]
type Refused = readonly [
  name: string,
  to: string,
  type: string,
  sent: Sent,
  status: number,
  detail: string,
]

contract('bodies', api, (test, call) => {
  table<Taken>(test, taken, async (_, to, type, sent, answered, as) => {
    const response = await call(sending(to, type, sent))
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-type'), as)
    assert.equal(new Uint8Array(await response.arrayBuffer()), octets(answered))
  })

  table<Refused>(test, refused, async (_, to, type, sent, status, detail) => {
    const response = await call(sending(to, type, sent))
    assert.is(response.status, status)
    const problem = await problemOf(response)
    assert.is(problem.errors?.[0]?.detail ?? problem.detail, detail)
  })
})
