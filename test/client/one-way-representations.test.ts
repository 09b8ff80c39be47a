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

const written = representation({ mediaType: 'text/plain', write: ({ title }: Book) => title })
const read = representation({
  mediaType: 'text/plain',
  read: (octets): Book => ({ title: new TextDecoder().decode(octets) }),
})

const asked: Array<string | undefined> = []
const api = routes({
  find: pipe(
    path('/book'),
    get(),
    produces(written, json(Book)),
    handle((_, { request }) => {
      asked.push(request.header('Accept'))
      return emma
    }),
  ),
  add: pipe(
    path('/book'),
    post(),
    body(read, json(Book)),
    produces(json(Book)),
    handle((input) => input.body),
  ),
})
const calls = client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })

describe('a client of read-only and write-only representations', (test) => {
  test('accepts the media types that it can read', async () => {
    const answer = await calls.find()()
    assert.equal(E.isRight(answer) && answer.right.body, emma)
    assert.equal(asked, ['application/json, application/problem+json'])
  })
  test('rejects a response that it cannot read', async () => {
    const answer = await calls.find({}, { headers: { Accept: 'text/plain' } })()
    assert.is(
      E.isLeft(answer) && answer.left.message,
      'find: invalid body in a response with status 200: body: must be application/json, got text/plain;charset=utf-8',
    )
  })
  test('sends the first representation that it can write', async () => {
    const answer = await calls.add({ body: emma })()
    assert.equal(E.isRight(answer) && answer.right.body, emma)
  })
  test('rejects a media type that it cannot write', async () => {
    const answer = await calls.add({ body: emma }, { as: 'text/plain' })()
    assert.is(
      E.isLeft(answer) && '_tag' in answer.left && answer.left.message,
      'add: invalid input: body: cannot be sent as text/plain: the operation accepts application/json',
    )
  })
})
