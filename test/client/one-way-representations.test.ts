/** Read-only and write-only custom representations. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { client } from '../../src/client.ts'
import {
  body,
  get,
  handle,
  json,
  path,
  post,
  produces,
  representation,
  routes,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'

const Book = t.type({ title: t.string })
type Book = t.TypeOf<typeof Book>
const emma = { title: 'Emma' }

const writeOnly = representation({ mediaType: 'text/plain', write: ({ title }: Book) => title })
const readOnly = representation({
  mediaType: 'text/plain',
  read: (data): Book => ({ title: new TextDecoder().decode(data) }),
})

const acceptHeaders: Array<string | undefined> = []
const api = routes({
  find: pipe(
    path('/book'),
    get(),
    produces(writeOnly, json(Book)),
    handle((_, { request }) => {
      acceptHeaders.push(request.header('Accept'))
      return emma
    }),
  ),
  add: pipe(
    path('/book'),
    post(),
    body(readOnly, json(Book)),
    produces(json(Book)),
    handle((input) => input.body),
  ),
})
const calls = client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })

describe('read-only and write-only representations', (test) => {
  test('Accept lists only readable media types', async () => {
    const result = await calls.find()()
    assert.equal(E.isRight(result) && result.right.body, emma)
    assert.equal(acceptHeaders, ['application/json, application/problem+json'])
  })
  test('a response in a write-only representation results in a DecodeError', async () => {
    const result = await calls.find({}, { headers: { Accept: 'text/plain' } })()
    assert.is(
      E.isLeft(result) && result.left.message,
      'find: invalid body in a response with status 200: body: must be application/json, got text/plain;charset=utf-8',
    )
  })
  test('a body is sent in the first writable representation', async () => {
    const result = await calls.add({ body: emma })()
    assert.equal(E.isRight(result) && result.right.body, emma)
  })
  test('a read-only representation in the option `as` results in an EncodeError', async () => {
    const result = await calls.add({ body: emma }, { as: 'text/plain' })()
    assert.is(
      E.isLeft(result) && '_tag' in result.left && result.left.message,
      'add: invalid input: body: cannot be sent as text/plain: the operation accepts application/json',
    )
  })
})
