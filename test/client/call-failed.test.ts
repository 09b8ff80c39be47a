/** `CallFailed`, the error of promises and streams of a client: its message, its JSON form and masked secrets. */
import * as assert from 'uvu/assert'
import { createMasker } from '../../src/client/call-failed.ts'
import { describe, table } from '../support/describe.ts'
import { inspect } from 'node:util'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Fetch } from '../../src/client.ts'
import { CallFailed, promiseClient } from '../../src/client.ts'
import {
  fails,
  get,
  json,
  ndjson,
  path,
  produces,
  query,
  routes,
  string,
  optional,
} from '../../src/index.ts'

describe('createMasker: URLs', (test) => {
  table(
    test,
    [
      ['http://books.test/?page=2', 'http://books.test/?page=2'],
      ['http://books.test/?access_token=a&page=2', 'http://books.test/?access_token=***&page=2'],
      ['http://books.test/?user=a', 'http://books.test/?user=***'],
      ['http://books.test/?us%65r=a', 'http://books.test/?us%65r=***'],
      ['http://books.test/?%=a&token', 'http://books.test/?%=a&token'],
      ['http://ann:plum@books.test/', 'http://***@books.test/'],
      ['/a@b?c=d@e', '/a@b?c=d@e'],
    ] as const,
    (url, masked) => assert.is(createMasker(['user']).url(url), masked),
  )
})

describe('createMasker: headers', (test) => {
  test('masks credentials, names that suggest a secret, and configured names, case-insensitively', () =>
    assert.equal(
      createMasker(['X-User']).headers([
        'authorization',
        'a',
        'Set-Cookie',
        'b',
        'X-API-Key',
        'c',
        'x-user',
        'd',
        'Accept',
        '*/*',
      ]),
      {
        authorization: '***',
        'Set-Cookie': '***',
        'X-API-Key': '***',
        'x-user': '***',
        Accept: '*/*',
      },
    ))
  test('joins several values of a name, and masks URLs', () =>
    assert.equal(createMasker([]).headers(['A', 'b', 'A', 'c', 'Location', '/?token=d']), {
      A: 'b, c',
      Location: '/?token=***',
    }))
})

const Book = t.type({ title: t.string })
const api = routes({
  books: routes({
    find: pipe(
      path('/books/{isbn}'),
      get(),
      query({ page: optional(string), accessToken: optional(string) }),
      produces(json(Book)),
      fails(404, json(t.type({ missing: t.bigint }))),
    ),
    all: pipe(path('/books'), get(), produces(ndjson(Book))),
  }),
})

const baseUrl = 'http://ann:plum@localhost:8080/api'
const input = { path: { isbn: '0 13' }, query: { page: '2', accessToken: 's3cret' } }

const failureOf = async (fetch: Fetch, callInput = input): Promise<CallFailed> => {
  try {
    await promiseClient(api, { baseUrl, fetch, maxBodySize: 100 }).books.find(callInput)
  } catch (error) {
    if (error instanceof CallFailed) return error
    throw error
  }
  throw new Error('expected a CallFailed')
}

const respondWith =
  (status: number, body: unknown, type = 'application/json'): Fetch =>
  async () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'Content-Type': type, 'Set-Cookie': 'session=s3cret' },
    })

const failedConnection: Fetch = () =>
  Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))

const problem = 'application/problem+json'
const location = '(GET http://localhost:8080/api/books/0%2013?page=2&accessToken=***)'

const cases: ReadonlyArray<readonly [name: string, fetch: Fetch, expected: string]> = [
  ['a failed connection', failedConnection, 'network error: connect ECONNREFUSED'],
  [
    'an invalid body',
    respondWith(200, { title: 1 }),
    'invalid body in a response with status 200: body #/title must be a string',
  ],
  [
    'an undeclared status with a detail',
    respondWith(500, { detail: ' The shelf\nis\u0000 empty ' }, problem),
    'undeclared status 500 Internal Server Error: The shelf is empty',
  ],
  [
    'an undeclared status with validation errors',
    respondWith(
      400,
      {
        title: 'Bad Request',
        errors: [{ in: 'query', name: 'page', detail: 'must be a number' }, {}],
      },
      problem,
    ),
    'undeclared status 400 Bad Request: Bad Request: query page must be a number',
  ],
  [
    'an undeclared status with a long title',
    respondWith(500, { title: 'a'.repeat(300) }, problem),
    `undeclared status 500 Internal Server Error: ${'a'.repeat(200)}`,
  ],
  [
    'a body above maxBodySize',
    respondWith(200, { title: 'a'.repeat(100) }),
    'the body of a response with status 200 exceeds 100 bytes (maxBodySize)',
  ],
]

describe('CallFailed', (test) => {
  table<(typeof cases)[number]>(test, cases, async (_, fetch, expected) => {
    const error = await failureOf(fetch)
    assert.is(error.message, `books.find: ${expected} ${location}`)
    assert.not.match(JSON.stringify(error) + String(error), /s3cret|plum/)
  })
  test('the message of an invalid input contains the path template', async () => {
    const error = await failureOf(failedConnection, { ...input, path: { isbn: '..' } })
    assert.match(error.message, /^books\.find: invalid input: .* \(GET \/books\/\{isbn\}\)$/)
  })
  test('the message contains the URL of the request', async () => {
    const error = await failureOf(async () => {
      const response = new Response('{"missing":"1"}', { status: 404 })
      Object.defineProperty(response, 'url', { value: 'http://elsewhere.test/' })
      return response
    })
    assert.match(
      error.message,
      /^books\.find: invalid body in a response with status 404: .* \(GET http:\/\/localhost:8080/,
    )
  })
  test('the message of a failed stream contains the URL of the request', async () => {
    const fetch = respondWith(200, { title: 1 }, 'application/x-ndjson')
    const { body } = await promiseClient(api, { baseUrl, fetch }).books.all()
    try {
      for await (const { title } of body) assert.unreachable(title)
    } catch (error) {
      assert.ok(error instanceof CallFailed)
      assert.match(error.message, /^books\.all: .* \(GET http:\/\/localhost:8080\/api\/books\)$/)
    }
  })
  test('`cause` is the underlying error, and missing without one', async () => {
    const { cause, failure } = await failureOf(failedConnection)
    assert.ok(cause instanceof TypeError)
    assert.is('cause' in failure && failure.cause, cause)
    assert.not(Object.hasOwn(await failureOf(respondWith(500, {})), 'cause'))
  })
  test('the stack and the inspected error start with the name and the message', async () => {
    const error = await failureOf(failedConnection)
    const line = `CallFailed: ${error.message}`
    assert.is(error.name, 'CallFailed')
    assert.is(String(error), line)
    assert.ok(error.stack?.startsWith(`${line}\n`), error.stack)
    const inspected = inspect(error)
    assert.ok(inspected.startsWith(`${line}\n`), inspected)
    assert.match(inspected, /_tag: 'NetworkError'/)
    assert.match(inspected, /\[cause\]: (?:TypeError: fetch failed|\[?TypeError)/)
  })
  test('JSON omits bodies, headers and causes', async () => {
    const error = await failureOf(respondWith(200, { title: 1 }))
    assert.equal(JSON.parse(JSON.stringify(error)), {
      name: 'CallFailed',
      message: error.message,
      failure: {
        _tag: 'DecodeError',
        operation: 'books.find',
        status: 200,
        errors: [{ in: 'body', pointer: '#/title', detail: 'must be a string' }],
      },
    })
    const declared = { status: 404, headers: ['Set-Cookie', 'a'], body: { missing: 1n }, url: 'a' }
    const created = new CallFailed(declared, 'lost')
    assert.is(
      JSON.stringify(created),
      '{"name":"CallFailed","message":"lost","failure":{"status":404}}',
    )
    assert.is(
      JSON.stringify(new CallFailed('text', 'lost')),
      '{"name":"CallFailed","message":"lost"}',
    )
  })
  test('a structured clone is an Error with the same message', async () => {
    const error = await failureOf(failedConnection)
    const clone: unknown = structuredClone(error)
    assert.ok(clone instanceof Error)
    assert.is(clone.message, error.message)
    assert.ok(clone.stack?.startsWith('CallFailed: '))
    assert.equal(structuredClone(error.failure), { ...error.failure })
  })
})
