/** JSON as a body and as an answer: what is read, what is refused, and which members are let through. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Problem } from '../../src/http/problem.ts'
import {
  body,
  exact,
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
  routes,
  text,
} from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'

const Book = t.type({ title: t.string, pages: int })

/** A book by its type, with more members than the codec declares. */
const shelved = { title: 'Emma', pages: 474, shelfmark: 'hidden' }

const Meta = t.type({ meta: t.unknown })
const Counts = t.record(t.string, int)
const Loan = t.type({ due: plainDate })

const api = routes({
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
    body(json(Meta)),
    produces(json(Meta)),
    handle((input) => input.body),
  ),
  book: pipe(
    path('/book'),
    post(),
    body(json(Book), text),
    produces(json(Book)),
    handle((input) =>
      typeof input.body === 'string' ? { title: input.body, pages: 0 } : input.body,
    ),
  ),
  read: pipe(
    path('/read'),
    post(),
    body(json(t.array(Book))),
    produces(rawJson),
    handle((input) => JSON.stringify(input.body)),
  ),
  written: pipe(
    path('/written'),
    post(),
    produces(json(t.array(Book))),
    handle(() => [shelved]),
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
    body(json(Counts)),
    produces(json(Counts)),
    handle((input) => input.body),
  ),
  perhaps: pipe(
    path('/perhaps'),
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
  anyNumber: pipe(
    path('/any-number'),
    post(),
    body(json(t.number)),
    produces(json(t.number)),
    handle((input) => input.body),
  ),
  price: pipe(
    path('/price'),
    post(),
    body(json(t.type({ price: t.number }))),
    produces(json(t.number)),
    handle((input) => input.body.price),
  ),
  loan: pipe(
    path('/loan'),
    post(),
    body(json(Loan)),
    produces(json(Loan)),
    handle((input) => ({ due: input.body.due.add({ days: 1 }) })),
  ),
  rawJson: pipe(
    path('/raw-json'),
    post(),
    body(rawJson),
    produces(rawJson),
    handle((input) => input.body),
  ),
})

const sending = (to: string, content: string, type = 'application/json'): Request =>
  new Request(`${base}${to}`, {
    method: 'POST',
    headers: type === '' ? {} : { 'content-type': type },
    body: new TextEncoder().encode(content), // Fetch adds a Content-Type to texts
  })

const emma = '{"title":"Emma","pages":474}'

contract('JSON bodies', api, (test, call) => {
  table<readonly [name: string, to: string, sent: string, answered: string, type?: string]>(
    test,
    [
      ['any object', '/object', '{"b":[1,{}],"a":null}', '{"b":[1,{}],"a":null}'],
      ['any array', '/array', '[1,"a",[]]', '[1,"a",[]]'],
      ['in UTF-8, said so', '/array', '["é"]', '["é"]', 'application/json; charset=utf-8'],
      ['in capitals and quotes', '/array', '[1]', '[1]', 'Application/JSON;charset="UTF-8"'],
      ['inside another object', '/inside', '{"meta":{"a":[]}}', '{"meta":{"a":[]}}'],
      ['any other type', '/book', emma, emma],
      ['with blanks around it', '/book', ` \r\n\t${emma}\n`, emma],
      ['no content where that is allowed', '/perhaps', '', 'nothing'],
      ['or a value', '/perhaps', emma, 'Emma'],
      ['the largest double', '/number', `${Number.MAX_VALUE}`, `${Number.MAX_VALUE}`],
      ['a thousand digits behind the point', '/any-number', `0.${'1'.repeat(1000)}`, `${1 / 9}`],
      ['undeclared members are not read', '/read', `[{"x":1,${emma.slice(1)}]`, `[${emma}]`],
      ['nor written', '/written', '', `[${emma}]`],
      ['a record keeps what it has', '/counts', '{"a":1,"b":2}', '{"a":1,"b":2}'],
      ['dates are text', '/loan', '{"due":"2024-02-28"}', '{"due":"2024-02-29"}'],
      ['exact writes what is declared', '/exact', emma, emma],
      ['without Content-Type, the first is assumed', '/book', emma, emma, ''],
      ['text that is JSON already', '/raw-json', ' {"a" : 1.50}', ' {"a" : 1.50}'],
      ['is not checked', '/raw-json', '{"a"', '{"a"'],
    ],
    async (_, to, sent, answered, type) => {
      const response = await call(sending(to, sent, type))
      assert.is(response.status, 200)
      assert.is(await response.text(), answered)
    },
  )

  table<readonly [name: string, to: string, sent: string, errors: ReadonlyArray<string>]>(
    test,
    [
      ['no content', '/book', '', ['# is required: { title: string, pages: int }']],
      [
        'where it ends to be JSON',
        '/book',
        '{\n "title": "a"\n "pages": 1}',
        ['# malformed JSON at line 3, column 2'],
      ],
      ['text behind the value', '/number', '1 2', ['# malformed JSON at line 1, column 3']],
      ['another type', '/book', '[]', ['# must be { title: string, pages: int }']],
      [
        'every member that is wrong',
        '/book',
        '{"pages":"474"}',
        ['#/title is required: a string', '#/pages must be an integer'],
      ],
      [
        'inside',
        '/read',
        `[${emma},{"title":1,"pages":1.5}]`,
        ['#/1/title must be a string', '#/1/pages must be an integer'],
      ],
      ['1001 digits', '/number', '9'.repeat(1001), ['# must be a number']],
      ['an exponent beyond doubles', '/number', '1e999', ['# must be a number']],
      ['where any number may be', '/any-number', '9'.repeat(1001), ['# number out of range']],
      ['where anything may be', '/object', '{"a":[-1e999]}', ['# number out of range']],
      ['in a field', '/price', '{"price":1e309}', ['# number out of range']],
      [
        'an undeclared member, where the codec is exact',
        '/exact',
        `{"x":1,${emma.slice(1)}`,
        ['#/x is not declared'],
      ],
    ],
    async (_, to, sent, errors) => {
      const response = await call(sending(to, sent))
      assert.is(response.status, 400)
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      const problem = (await response.json()) as Problem
      assert.equal(
        problem.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`),
        errors,
      )
    },
  )

  test('the text is not repeated', async () => {
    const response = await call(sending('/book', 'Emma'))
    assert.is(response.status, 400)
    const document = await response.text()
    assert.match(document, 'malformed JSON')
    assert.not.match(document, 'Emma')
  })

  table<readonly [type: string, status: number]>(
    test,
    [
      ['application/json;charset=us-ascii', 200], // every octet of it is the same in UTF-8
      ['application/json;charset=iso-8859-1', 415],
      ['application/json;charset=utf-16', 415], // RFC 8259, 8.1: JSON is UTF-8
    ],
    async (type, status) => assert.is((await call(sending('/book', emma, type))).status, status),
  )

  test('a text that is not UTF-8 is not JSON', async () => {
    const response = await call(
      new Request(`${base}/array`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Uint8Array.from([0x5b, 0x22, 0xe9, 0x22, 0x5d]),
      }),
    )
    assert.is(response.status, 400)
  })
})

contract(
  'fw.rest.jsonlib.fail-on-unknown-properties',
  api,
  (test, call) => {
    table<readonly [name: string, to: string, sent: string, status: number]>(
      test,
      [
        ['refuses what is not declared', '/book', `{"x":1,${emma.slice(1)}`, 400],
        ['inside too', '/read', `[${emma},{"x":1,${emma.slice(1)}]`, 400],
        ['takes what is declared', '/book', emma, 200],
        ['lets a record have what it has', '/counts', '{"a":1}', 200],
        ['and any object', '/object', '{"a":1}', 200],
        ['does not refuse what is written', '/written', '', 200],
      ],
      async (_, to, sent, status) => assert.is((await call(sending(to, sent))).status, status),
    )
  },
  { 'fw.rest.jsonlib.fail-on-unknown-properties': true },
)
