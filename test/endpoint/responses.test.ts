import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Definition } from '../../src/endpoint/endpoint.ts'
import {
  cache,
  del,
  fails,
  get,
  handle,
  html,
  int,
  json,
  noCache,
  path,
  produces,
  responds,
  responseHeader,
  status,
  string,
  text,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const books = path('/books')
const stringJson = json(string)

describe('produces', (test) => {
  test('keeps the order of its representations', () =>
    assert.equal(pipe(books, produces(stringJson, text)).definition.produces, [stringJson, text]))
  test('a codec of a produced single value becomes text/plain', () =>
    assert.equal(
      pipe(books, produces(int)).definition.produces.map(({ mediaType }) => mediaType),
      ['text/plain'],
    ))
  test('the last call applies', () =>
    assert.equal(pipe(books, produces(stringJson), get(), produces(html)).definition.produces, [
      html,
    ]))
  test('without arguments it removes the body of the resource', () =>
    assert.equal(pipe(books, produces(stringJson), del(), produces()).definition.produces, []))
})

describe('responds, fails, status', (test) => {
  test('keep their order', () => {
    const { responses } = pipe(
      books,
      fails(404, stringJson, text),
      get(),
      responds(201, stringJson),
      responds(204),
      fails(410),
    ).definition
    assert.equal(responses, [
      { status: 404, failure: true, representations: [stringJson, text] },
      { status: 201, failure: false, representations: [stringJson] },
      { status: 204, failure: false, representations: [] },
      { status: 410, failure: true, representations: [] },
    ])
  })
  test('a codec of a single value in a failure becomes text/plain', () => {
    const [response] = pipe(books, fails(404, int)).definition.responses
    assert.equal(
      response?.representations.map(({ mediaType, format }) => [mediaType, format]),
      [['text/plain', { _tag: 'Text', codec: int }]],
    )
  })
  test('the last status applies; without a call it is undefined', () => {
    assert.is(books.definition.status, undefined)
    assert.is(pipe(books, status(201), get(), status(202)).definition.status, 202)
  })
})

describe('responseHeader', (test) => {
  test('accumulates in order', () =>
    assert.equal(
      pipe(books, responseHeader('X-A', '1'), get(), responseHeader('x-a', '2')).definition.headers,
      [
        ['X-A', '1'],
        ['x-a', '2'],
      ],
    ))
})

describe('cache', (test) => {
  table<readonly [string, (endpoint: typeof books) => { readonly definition: Definition }]>(
    test,
    [
      ['max-age=60', cache({ maxAge: 60 })],
      ['public, s-maxage=9, max-age=60', cache({ maxAge: 60, sMaxAge: 9, public: true })],
      ['no-cache', noCache()],
      ['no-cache="Set-Cookie", no-cache="Age"', noCache('Set-Cookie', 'Age')],
      ['no-store', (endpoint) => pipe(endpoint, cache({ maxAge: 60 }), cache({ noStore: true }))],
      ['max-age=1', (endpoint) => pipe(endpoint, noCache(), cache({ maxAge: 1 }))],
    ],
    (expected, step) => assert.is(step(books).definition.cacheControl, expected),
  )

  test('an invalid duration throws a RangeError immediately', () =>
    assert.throws(
      () => cache({ maxAge: -1 }),
      (error: unknown) => error instanceof RangeError,
    ))
})

const handler = (): string => 'text'

describe('responses: combinators after the handler', (test) => {
  test('keep the handler', () => {
    const endpoint = pipe(
      books,
      get(),
      produces(text),
      handle(handler),
      cache({ maxAge: 1 }),
      noCache('Age'),
      responseHeader('X-A', 'b'),
    )
    assert.is(endpoint.run, handler)
    assert.is(endpoint.definition.handler, handler)
    assert.is(endpoint.definition.cacheControl, 'no-cache="Age"')
    assert.equal(endpoint.definition.headers, [['X-A', 'b']])
  })
})
