/** The lending library, as a stranger would try it: over HTTP without a socket, and its handlers as functions. */
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { testContext } from '../../../src/testing.ts'
import { library } from '../../../src/showcase/api.ts'
import { createBook, getBook } from '../../../src/showcase/routes/books.ts'
import type { Book } from '../../../src/showcase/domain/book.ts'
import { activityFeed } from '../../../src/showcase/routes/activity.ts'
import { inMemoryBookStore } from '../../../src/showcase/domain/book-store.ts'
import { answers, ask } from '../../support/ask.ts'
import { describe } from '../../support/describe.ts'
import { contract } from '../../support/doors.ts'
import { asLibrarian, served } from '../../support/library.ts'

const sicp = '9780262510875'
const taocp = '9780201896831'
const book: Book = { isbn: '9780000000002', title: 'T', author: 'A', published: 2000, copies: 1 }
/** As a librarian would. */
const sent = (value: unknown, type = 'application/json'): RequestInit => ({
  headers: { 'content-type': type, ...asLibrarian },
  body: typeof value === 'string' ? value : JSON.stringify(value),
})
const titles = async (response: Response): Promise<ReadonlyArray<string>> =>
  ((await response.json()) as ReadonlyArray<Book>).map(({ title }) => title)

contract(
  'the library lists books',
  library,
  (test, call) => {
    test('all of them, with their number', async () => {
      const response = await ask(call, 'GET /books')
      assert.is(response.headers.get('x-total-count'), '3')
      assert.is(response.headers.get('cache-control'), 'max-age=5')
      assert.is((await titles(response)).length, 3)
    })
    test('by author, tags and year', async () => {
      assert.equal(await titles(await ask(call, 'GET /books?author=Knuth')), [
        'The Art of Computer Programming',
      ])
      assert.equal(await titles(await ask(call, 'GET /books?tag=algorithms&tag=functional')), [
        'Purely Functional Data Structures',
      ])
      assert.equal(await titles(await ask(call, 'GET /books?since=1986')), [
        'Purely Functional Data Structures',
      ])
    })
    test('by pages', async () => {
      assert.equal(await titles(await ask(call, 'GET /books?size=1&page=2')), [
        'The Art of Computer Programming',
      ])
      assert.is((await ask(call, 'GET /books?size=101')).status, 400)
    })
    test('as comma-separated values', async () => {
      const response = await ask(call, 'GET /books?author=Knuth', {
        headers: { accept: 'text/csv' },
      })
      assert.is(response.headers.get('content-type'), 'text/csv;charset=UTF-8')
      assert.is(
        await response.text(),
        `isbn,title,author,published,copies\r\n"${taocp}","The Art of Computer Programming","Knuth","1968","1"\r\n`,
      )
    })
  },
  served,
)

contract(
  'the library keeps books',
  library,
  (test, call) => {
    test('gets one, in the representation that is asked for', async () => {
      const asText = await ask(call, `GET /books/${sicp}`, { headers: { accept: 'text/plain' } })
      assert.is(
        await asText.text(),
        'Structure and Interpretation of Computer Programs by Abelson, 1985\n',
      )
      assert.is(asText.headers.get('vary'), 'Accept')
      assert.is((await ask(call, 'GET /books/9780000000001')).status, 404)
      assert.is((await ask(call, 'GET /books/978')).status, 404)
    })
    test('creates one, once', async () => {
      const response = await ask(call, 'POST /books', sent({ ...book, secret: true }))
      assert.is(response.status, 201)
      assert.is(response.headers.get('location'), `/books/${book.isbn}`)
      assert.equal(await response.json(), book)
      assert.is((await ask(call, 'POST /books', sent(book))).status, 409)
    })
    test('replaces one, or makes it', async () => {
      const { isbn: _, ...description } = book
      assert.is((await ask(call, 'PUT /books/9780000000003', sent(description))).status, 201)
      assert.is(
        (await ask(call, 'PUT /books/9780000000003', sent({ ...description, copies: 2 }))).status,
        200,
      )
      assert.is(
        (await ask(call, 'PUT /books/9780000000003', sent({ ...description, copies: -1 }))).status,
        400,
      )
    })
    test('deletes one', async () => {
      assert.is((await ask(call, `DELETE /books/${taocp}`, { headers: asLibrarian })).status, 204)
      assert.is((await ask(call, `DELETE /books/${taocp}`, { headers: asLibrarian })).status, 404)
    })
    test('searches by every kind of parameter', async () => {
      const response = await ask(
        call,
        'POST /books/search/title;decade=1980?sort=author,title&size=5',
        {
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            cookie: 'member=ann',
            'accept-language': 'en',
          },
          body: 'text=program&tag=lisp',
        },
      )
      const found = (await response.json()) as { member: string; books: ReadonlyArray<Book> }
      assert.is(found.member, 'ann')
      assert.equal(
        found.books.map(({ isbn }) => isbn),
        [sicp],
      )
      assert.is(response.headers.get('cache-control'), 'no-cache')
    })
  },
  served,
)

contract(
  "the specification's sample call",
  library,
  (test, call) => {
    answers(test, call, [['its sibling has no parameters', 'GET /demo/hello', 'Hello']])
    test('binds path, matrix, query, cookie, header and form', async () => {
      const response = await ask(call, 'POST /demo/hello/ann/42;variant=blue?q=1', {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie: 'level=9',
          'x-cheese-secret-handshake': 'hi',
        },
        body: 'smell=good',
      })
      assert.is(await response.text(), 'ann/42/blue/1/9/hi/good')
      assert.is((await ask(call, 'POST /demo/hello/ann/old')).status, 404)
    })
  },
  served,
)

describe('handlers of the library, as functions', (test) => {
  const shelf = inMemoryBookStore([book])
  test('a book that is there', async () =>
    assert.equal(
      await getBook.run({ path: { isbn: book.isbn }, needs: { shelf } }, testContext()),
      E.right(book),
    ))
  test('a book that is there already', async () =>
    assert.equal(
      await createBook.run({ body: book, needs: { shelf, feed: activityFeed() } }, testContext()),
      E.left({ _tag: 'AlreadyThere', isbn: book.isbn }),
    ))
})
