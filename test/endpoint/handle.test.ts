import * as Either from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../src/index.ts'
import {
  fails,
  get,
  handle,
  implement,
  int,
  json,
  needs,
  path,
  produces,
  query,
  slot,
  string,
} from '../../src/index.ts'
import { testContext } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'

const Book = t.type({ isbn: t.string, pages: t.number })
interface Books {
  readonly pagesOf: (isbn: string) => number | undefined
}
const contract = pipe(
  path('/books/{isbn}'),
  get(),
  query({ least: int }),
  needs({ books: slot<Books>()('books') }),
  produces(json(Book)),
  fails(404, string),
)
const handler: HandlerOf<typeof contract> = ({
  path: { isbn },
  query: { least },
  needs: { books },
}) => {
  const pages = books.pagesOf(isbn)
  return pages === undefined || pages < least ? TE.left(`no ${isbn}`) : TE.right({ isbn, pages })
}
const context = testContext()

describe('handle', (test) => {
  const endpoint = pipe(contract, handle(handler))

  test('run is the handler itself', () => {
    assert.is(endpoint.run, handler)
    assert.is(endpoint.definition.handler, handler)
  })
  test('adds the handler to what was declared, and nothing else', () =>
    assert.equal(endpoint.definition, { ...contract.definition, handler }))
  test('leaves the contract without one', () => assert.is(contract.definition.handler, undefined))
  test('a unit test calls it with what it likes', async () => {
    const books: Books = { pagesOf: (isbn) => (isbn === '1' ? 100 : undefined) }
    const call = async (isbn: string, least: number): Promise<unknown> => {
      const returned = endpoint.run({ path: { isbn }, query: { least }, needs: { books } }, context)
      return typeof returned === 'function' ? returned() : returned
    }
    assert.equal(await call('1', 1), Either.right({ isbn: '1', pages: 100 }))
    assert.equal(await call('1', 101), Either.left('no 1'))
    assert.equal(await call('2', 1), Either.left('no 2'))
  })
})

describe('implement', (test) => {
  test('is handle with the endpoint first', () => {
    const [one, other] = [implement(contract, handler), pipe(contract, handle(handler))]
    assert.equal(one, other)
    assert.is(one.run, handler)
  })
})
