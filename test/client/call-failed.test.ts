/** What promises and streams of a client fail with, for somebody who sees no more of it than a line of a log. */
import { inspect } from 'node:util'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Fetch } from '../../src/client.ts'
import { CallFailed, client, promising } from '../../src/client.ts'
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
import { describe, table } from '../support/describe.ts'

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

const failedWith = async (fetch: Fetch, given = input): Promise<CallFailed> => {
  try {
    await promising(client(api, { baseUrl, fetch, maxContentLength: 100 })).books.find(given)
  } catch (error) {
    if (error instanceof CallFailed) return error
    throw error
  }
  throw new Error('it resolved')
}

const answering =
  (status: number, content: unknown, type = 'application/json'): Fetch =>
  async () =>
    new Response(JSON.stringify(content), {
      status,
      headers: { 'Content-Type': type, 'Set-Cookie': 'session=s3cret' },
    })

const refused: Fetch = () =>
  Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))

const problem = 'application/problem+json'
const where = '(GET http://localhost:8080/api/books/0%2013?page=2&accessToken=***)'

const cases: ReadonlyArray<readonly [name: string, fetch: Fetch, said: string]> = [
  ['no connection', refused, 'network error: connect ECONNREFUSED'],
  [
    'another content',
    answering(200, { title: 1 }),
    'invalid body in a response with status 200: body #/title must be a string',
  ],
  [
    'a status that nobody declared',
    answering(500, { detail: ' The shelf\nis\u0000 empty ' }, problem),
    'undeclared status 500 Internal Server Error: The shelf is empty',
  ],
  [
    'one with faults',
    answering(
      400,
      { title: 'Bad Request', errors: [{ in: 'query', name: 'page', detail: 'is no number' }, {}] },
      problem,
    ),
    'undeclared status 400 Bad Request: Bad Request: query page is no number',
  ],
  [
    'one that says a title alone, and that is long',
    answering(500, { title: 'a'.repeat(300) }, problem),
    `undeclared status 500 Internal Server Error: ${'a'.repeat(200)}`,
  ],
  [
    'a content that is too large',
    answering(200, { title: 'a'.repeat(100) }),
    'the body of a response with status 200 exceeds 100 bytes (maxContentLength)',
  ],
]

describe('a CallFailed', (test) => {
  table<(typeof cases)[number]>(test, cases, async (_, fetch, said) => {
    const error = await failedWith(fetch)
    assert.is(error.message, `books.find: ${said} ${where}`)
    assert.not.match(JSON.stringify(error) + String(error), /s3cret|plum/)
  })
  test('names what nothing was sent for by its template', async () => {
    const error = await failedWith(refused, { ...input, path: { isbn: '..' } })
    assert.match(error.message, /^books\.find: invalid input: .* \(GET \/books\/\{isbn\}\)$/)
  })
  test('names the URL that answered', async () => {
    const error = await failedWith(async () => {
      const response = new Response('{"missing":"1"}', { status: 404 })
      Object.defineProperty(response, 'url', { value: 'http://elsewhere.test/' })
      return response
    })
    // the body is none of what is declared
    assert.match(
      error.message,
      /^books\.find: invalid body in a response with status 404: .* \(GET http:\/\/localhost:8080/,
    )
  })
  test('where a stream is read names its URL', async () => {
    const fetch = answering(200, { title: 1 }, 'application/x-ndjson')
    const { body } = await promising(client(api, { baseUrl, fetch })).books.all()
    try {
      for await (const { title } of body) assert.unreachable(title)
    } catch (error) {
      assert.ok(error instanceof CallFailed)
      assert.match(error.message, /^books\.all: .* \(GET http:\/\/localhost:8080\/api\/books\)$/)
    }
  })
  test('has the cause, where there is one', async () => {
    const { cause, failure } = await failedWith(refused)
    assert.ok(cause instanceof TypeError)
    assert.is('cause' in failure && failure.cause, cause)
    assert.not(Object.hasOwn(await failedWith(answering(500, {})), 'cause'))
  })
  test('says its name above the stack, and where it is shown', async () => {
    const error = await failedWith(refused)
    const line = `CallFailed: ${error.message}`
    assert.is(error.name, 'CallFailed')
    assert.is(String(error), line)
    assert.ok(error.stack?.startsWith(`${line}\n`), error.stack)
    const shown = inspect(error)
    assert.ok(shown.startsWith(`${line}\n`), shown)
    assert.match(shown, /_tag: 'NetworkError'/)
    assert.match(shown, /\[cause\]: (?:TypeError: fetch failed|\[?TypeError)/)
  })
  test('is JSON without contents, header fields and causes', async () => {
    const error = await failedWith(answering(200, { title: 1 }))
    assert.equal(JSON.parse(JSON.stringify(error)), {
      name: 'CallFailed',
      message: error.message,
      failure: {
        _tag: 'DecodeError',
        operation: 'books.find',
        status: 200,
        faults: [{ in: 'body', pointer: '#/title', detail: 'must be a string' }],
      },
    })
    const declared = { status: 404, headers: ['Set-Cookie', 'a'], body: { missing: 1n }, url: 'a' }
    const own = new CallFailed(declared, 'lost')
    assert.is(
      JSON.stringify(own),
      '{"name":"CallFailed","message":"lost","failure":{"status":404}}',
    )
    assert.is(
      JSON.stringify(new CallFailed('text', 'lost')),
      '{"name":"CallFailed","message":"lost"}',
    )
  })
  test('is an Error with its message behind a structured clone', async () => {
    const error = await failedWith(refused)
    const clone: unknown = structuredClone(error)
    assert.ok(clone instanceof Error)
    assert.is(clone.message, error.message)
    assert.ok(clone.stack?.startsWith('CallFailed: '))
    assert.equal(structuredClone(error.failure), { ...error.failure })
  })
})
