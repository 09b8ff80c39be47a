/** JSON request and response bodies: decoding, validation errors and undeclared members. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Problem } from '../../../src/http/problem.ts'
import {
  body,
  strict,
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
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'

const Book = t.type({ title: t.string, pages: int })

/** A `Book` with an undeclared member. */
const withUndeclaredMember = { title: 'Emma', pages: 474, shelfmark: 'hidden' }

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
  nested: pipe(
    path('/nested'),
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
    handle(() => [withUndeclaredMember]),
  ),
  strict: pipe(
    path('/strict'),
    post(),
    body(json(strict(Book))),
    produces(json(strict(Book))),
    handle(() => withUndeclaredMember),
  ),
  counts: pipe(
    path('/counts'),
    post(),
    body(json(Counts)),
    produces(json(Counts)),
    handle((input) => input.body),
  ),
  optional: pipe(
    path('/optional'),
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

const jsonRequest = (target: string, requestBody: string, type = 'application/json'): Request =>
  new Request(`${base}${target}`, {
    method: 'POST',
    headers: type === '' ? {} : { 'content-type': type },
    body: new TextEncoder().encode(requestBody), // Fetch adds a Content-Type to texts
  })

const emma = '{"title":"Emma","pages":474}'

contract('JSON bodies', api, (test, call) => {
  table<readonly [name: string, target: string, sent: string, expected: string, type?: string]>(
    test,
    [
      ['any object', '/object', '{"b":[1,{}],"a":null}', '{"b":[1,{}],"a":null}'],
      ['any array', '/array', '[1,"a",[]]', '[1,"a",[]]'],
      ['a charset parameter', '/array', '["é"]', '["é"]', 'application/json; charset=utf-8'],
      [
        'an upper-case media type and a quoted charset',
        '/array',
        '[1]',
        '[1]',
        'Application/JSON;charset="UTF-8"',
      ],
      ['an unknown member of an object', '/nested', '{"meta":{"a":[]}}', '{"meta":{"a":[]}}'],
      ['an object type', '/book', emma, emma],
      ['surrounding white space', '/book', ` \r\n\t${emma}\n`, emma],
      ['no body for an optional codec', '/optional', '', 'nothing'],
      ['a body for an optional codec', '/optional', emma, 'Emma'],
      ['the largest double', '/number', `${Number.MAX_VALUE}`, `${Number.MAX_VALUE}`],
      ['a fraction of 1000 digits', '/any-number', `0.${'1'.repeat(1000)}`, `${1 / 9}`],
      [
        'strips undeclared members of the request',
        '/read',
        `[{"x":1,${emma.slice(1)}]`,
        `[${emma}]`,
      ],
      ['strips undeclared members of the response', '/written', '', `[${emma}]`],
      ['keeps all members of a record', '/counts', '{"a":1,"b":2}', '{"a":1,"b":2}'],
      ['a date as a string', '/loan', '{"due":"2024-02-28"}', '{"due":"2024-02-29"}'],
      ['strips undeclared members of a strict response', '/strict', emma, emma],
      ['assumes the first representation without a Content-Type', '/book', emma, emma, ''],
      ['rawJson copies the text verbatim', '/raw-json', ' {"a" : 1.50}', ' {"a" : 1.50}'],
      ['rawJson does not validate the text', '/raw-json', '{"a"', '{"a"'],
    ],
    async (_, target, sent, expected, type) => {
      const response = await call(jsonRequest(target, sent, type))
      assert.is(response.status, 200)
      assert.is(await response.text(), expected)
    },
  )

  table<readonly [name: string, target: string, sent: string, errors: ReadonlyArray<string>]>(
    test,
    [
      ['an empty body', '/book', '', ['# is required and must be { title: string, pages: int }']],
      [
        'a syntax error',
        '/book',
        '{\n "title": "a"\n "pages": 1}',
        ['# malformed JSON at line 3, column 2'],
      ],
      ['text after the value', '/number', '1 2', ['# malformed JSON at line 1, column 3']],
      ['an array instead of an object', '/book', '[]', ['# must be { title: string, pages: int }']],
      [
        'several invalid members',
        '/book',
        '{"pages":"474"}',
        ['#/title is required and must be a string', '#/pages must be an integer'],
      ],
      [
        'invalid members of an array element',
        '/read',
        `[${emma},{"title":1,"pages":1.5}]`,
        ['#/1/title must be a string', '#/1/pages must be an integer'],
      ],
      ['a number of 1001 digits', '/number', '9'.repeat(1001), ['# must be a number']],
      ['an exponent beyond the range of doubles', '/number', '1e999', ['# must be a number']],
      ['1001 digits for t.number', '/any-number', '9'.repeat(1001), ['# number out of range']],
      [
        'a number out of range for an unknown member',
        '/object',
        '{"a":[-1e999]}',
        ['# number out of range'],
      ],
      [
        'a number out of range for a declared member',
        '/price',
        '{"price":1e309}',
        ['# number out of range'],
      ],
      [
        'an undeclared member of a strict codec',
        '/strict',
        `{"x":1,${emma.slice(1)}`,
        ['#/x is not declared'],
      ],
    ],
    async (_, target, sent, errors) => {
      const response = await call(jsonRequest(target, sent))
      assert.is(response.status, 400)
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      const problem = (await response.json()) as Problem
      assert.equal(
        problem.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`),
        errors,
      )
    },
  )

  test('a malformed JSON error does not repeat the text', async () => {
    const response = await call(jsonRequest('/book', 'Emma'))
    assert.is(response.status, 400)
    const document = await response.text()
    assert.match(document, 'malformed JSON')
    assert.not.match(document, 'Emma')
  })

  table<readonly [type: string, status: number]>(
    test,
    [
      ['application/json;charset=us-ascii', 200], // a subset of UTF-8
      ['application/json;charset=ascii', 200],
      ['application/json;charset=ANSI_X3.4-1968', 200],
      ['application/json;charset=utf8', 200],
      ['application/json;charset="UTF8"', 200],
      ['application/json;charset=unicode-1-1-utf-8', 200],
      ['application/json;charset=x-unicode20utf8', 200],
      ['application/json;charset=latin1', 415],
      ['application/json;charset=utf7', 415],
      ['application/json;charset=iso-8859-1', 415],
      ['application/json;charset=utf-16', 415], // RFC 8259, 8.1: JSON is UTF-8
    ],
    async (type, status) =>
      assert.is((await call(jsonRequest('/book', emma, type))).status, status),
  )

  test('a body in ISO 8859-1 returns 400', async () => {
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
    table<readonly [name: string, target: string, sent: string, status: number]>(
      test,
      [
        ['rejects an undeclared member', '/book', `{"x":1,${emma.slice(1)}`, 400],
        [
          'rejects an undeclared member of an array element',
          '/read',
          `[${emma},{"x":1,${emma.slice(1)}]`,
          400,
        ],
        ['accepts declared members', '/book', emma, 200],
        ['accepts any member of a record', '/counts', '{"a":1}', 200],
        ['accepts any member of t.UnknownRecord', '/object', '{"a":1}', 200],
        ['does not affect responses', '/written', '', 200],
      ],
      async (_, target, sent, status) =>
        assert.is((await call(jsonRequest(target, sent))).status, status),
    )
  },
  { 'fw.rest.jsonlib.fail-on-unknown-properties': true },
)
