/** Book operations of the lending library, by requests and as functions. */
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { testContext } from '../../../src/testing.ts'
import { library } from '../../../src/showcase/api.ts'
import { createBook, getBook } from '../../../src/showcase/routes/books.ts'
import type { Book } from '../../../src/showcase/domain/book.ts'
import { activityFeed } from '../../../src/showcase/routes/activity.ts'
import { inMemoryBookStore } from '../../../src/showcase/domain/book.ts'
import { testRequests, sendRequest } from '../../support/send-request.ts'
import { describe } from '../../support/describe.ts'
import { contract, valueContract } from '../../support/contract.ts'
import { asLibrarian, served } from '../library.ts'

const sicp = '9780262510875'
const taocp = '9780201896831'
const book: Book = { isbn: '9780000000002', title: 'T', author: 'A', published: 2000, copies: 1 }
/** A request of a librarian with a body. */
const sent = (value: unknown, type = 'application/json'): RequestInit => ({
  headers: { 'content-type': type, ...asLibrarian },
  body: typeof value === 'string' ? value : JSON.stringify(value),
})
const titles = async (response: Response): Promise<ReadonlyArray<string>> =>
  ((await response.json()) as ReadonlyArray<Book>).map(({ title }) => title)

valueContract(
  'showcase list of books',
  library,
  (test, call) => {
    test('GET /books returns all books and X-Total-Count', async () => {
      const response = await sendRequest(call, 'GET /books')
      assert.is(response.headers.get('x-total-count'), '3')
      assert.is(response.headers.get('cache-control'), 'max-age=5')
      assert.is((await titles(response)).length, 3)
    })
    test('GET /books filters by author, tags and year', async () => {
      assert.equal(await titles(await sendRequest(call, 'GET /books?author=Knuth')), [
        'The Art of Computer Programming',
      ])
      assert.equal(
        await titles(await sendRequest(call, 'GET /books?tag=algorithms&tag=functional')),
        ['Purely Functional Data Structures'],
      )
      assert.equal(await titles(await sendRequest(call, 'GET /books?since=1986')), [
        'Purely Functional Data Structures',
      ])
    })
    test('GET /books returns pages', async () => {
      assert.equal(await titles(await sendRequest(call, 'GET /books?size=1&page=2')), [
        'The Art of Computer Programming',
      ])
      assert.is((await sendRequest(call, 'GET /books?size=101')).status, 400)
    })
    test('GET /books with Accept: text/csv returns CSV', async () => {
      const response = await sendRequest(call, 'GET /books?author=Knuth', {
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

valueContract(
  'showcase books',
  library,
  (test, call) => {
    test('GET /books/{isbn} returns the requested representation', async () => {
      const asText = await sendRequest(call, `GET /books/${sicp}`, {
        headers: { accept: 'text/plain' },
      })
      assert.is(
        await asText.text(),
        'Structure and Interpretation of Computer Programs by Abelson, 1985\n',
      )
      assert.is(asText.headers.get('vary'), 'Accept')
      assert.is((await sendRequest(call, 'GET /books/9780000000001')).status, 404)
      assert.is((await sendRequest(call, 'GET /books/978')).status, 404)
    })
    test('POST /books creates a book, and returns 409 the second time', async () => {
      const response = await sendRequest(call, 'POST /books', sent({ ...book, secret: true }))
      assert.is(response.status, 201)
      assert.is(response.headers.get('location'), `/books/${book.isbn}`)
      assert.equal(await response.json(), book)
      assert.is((await sendRequest(call, 'POST /books', sent(book))).status, 409)
    })
    test('PUT /books/{isbn} replaces or creates a book', async () => {
      const { isbn: _, ...description } = book
      assert.is(
        (await sendRequest(call, 'PUT /books/9780000000003', sent(description))).status,
        201,
      )
      assert.is(
        (await sendRequest(call, 'PUT /books/9780000000003', sent({ ...description, copies: 2 })))
          .status,
        200,
      )
      assert.is(
        (await sendRequest(call, 'PUT /books/9780000000003', sent({ ...description, copies: -1 })))
          .status,
        400,
      )
    })
    test('DELETE /books/{isbn} deletes a book', async () => {
      assert.is(
        (await sendRequest(call, `DELETE /books/${taocp}`, { headers: asLibrarian })).status,
        204,
      )
      assert.is(
        (await sendRequest(call, `DELETE /books/${taocp}`, { headers: asLibrarian })).status,
        404,
      )
    })
    test('POST /search/{field} reads every kind of parameter', async () => {
      const response = await sendRequest(
        call,
        'POST /search/title;decade=1980?sort=author,title&size=5',
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
  'showcase operation with every kind of parameter',
  library,
  (test, call) => {
    testRequests(test, call, [['an operation without parameters', 'GET /demo/hello', 'Hello']])
    test('binds path, matrix, query, cookie, header and form', async () => {
      const response = await sendRequest(call, 'POST /demo/hello/ann/42;variant=blue?q=1', {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie: 'level=9',
          'x-cheese-secret-handshake': 'hi',
        },
        body: 'smell=good',
      })
      assert.is(await response.text(), 'ann/42/blue/1/9/hi/good')
      assert.is((await sendRequest(call, 'POST /demo/hello/ann/old')).status, 404)
    })
  },
  served,
)

describe('showcase handlers as functions', (test) => {
  const bookStore = inMemoryBookStore([book])
  test('getBook returns a book', async () =>
    assert.equal(
      await getBook.run({ path: { isbn: book.isbn }, needs: { bookStore } }, testContext()),
      E.right(book),
    ))
  test('createBook with an existing ISBN returns a Left', async () =>
    assert.equal(
      await createBook.run(
        { body: book, needs: { bookStore, feed: activityFeed() } },
        testContext(),
      ),
      E.left({ _tag: 'AlreadyThere', isbn: book.isbn }),
    ))
})
