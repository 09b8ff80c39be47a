/** Links between operations. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  get,
  int,
  json,
  list,
  operationId,
  path,
  post,
  prefix,
  produces,
  routes,
  slot,
  string,
  text,
} from '../../../src/index.ts'
import { rel } from '../../../src/links.ts'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import { describe } from '../../support/describe.ts'
import { describeTree, operationOf, responseOf } from '../document.ts'

const Book = t.type({ id: int, title: t.string }, 'Book')

const linksOf = (described: AnyNode, id: string, settings = {}) => {
  const document = describeTree(described, { settings })
  return responseOf(document, operationOf(document, id), 200)?.links
}

describe('links between operations', (test) => {
  const getBook = pipe(path('/books/{id}', { id: int }), get(), produces(json(Book)), rel())
  const tree = routes({
    getBook,
    listBooks: pipe(path('/books'), get(), produces(json(list(Book))), rel()),
    addBook: pipe(path('/books'), post(), body(json(Book)), produces(json(Book)), rel()),
    pages: pipe(
      path('/books/{id}/pages', { id: int }),
      get(),
      produces(text),
      rel('https://rels.example/pages', { entity: Book, title: 'Pages' }),
    ),
  })

  test('of an entity have parameters from the body', () => {
    assert.equal(linksOf(tree, 'addBook'), {
      self: { operationId: 'getBook', parameters: { id: '$response.body#/id' } },
      list: { operationId: 'listBooks' },
      'https___rels.example_pages': {
        operationId: 'pages',
        parameters: { id: '$response.body#/id' },
        description: 'Pages',
      },
    })
  })

  test('have the declared ids of operations', () => {
    const renamed = routes({
      getBook: pipe(getBook, operationId('findBook')),
      addBook: pipe(path('/books'), post(), body(json(Book)), produces(json(Book))),
    })
    assert.is(linksOf(renamed, 'addBook')?.['self']?.operationId, 'findBook')
  })

  test('of a collection have no parameters', () => {
    assert.equal(linksOf(tree, 'listBooks'), { add: { operationId: 'addBook' } })
  })

  test('below a prefix have its variables from the request', () => {
    const tenant = slot(string)('tenant')
    const below = pipe(tree, prefix('/{tenant}', { tenant }))
    assert.equal(linksOf(below, 'addBook')?.['self'], {
      operationId: 'getBook',
      parameters: { tenant: '$request.path.tenant', id: '$response.body#/id' },
    })
  })
})
