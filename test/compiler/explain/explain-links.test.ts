import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  del,
  get,
  handle,
  int,
  json,
  path,
  produces,
  put,
  routes,
  string,
} from '../../../src/index.ts'
import { compile } from '../../../src/interpreter/program.ts'
import { describeTree } from '../../../src/compiler/explain/explain.ts'
import { injectLinks, linkId, rel } from '../../../src/links.ts'
import { describe } from '../../support/describe.ts'

const Book = t.type({ isbn: linkId(string), pages: int }, 'Book')
const book = path('/books/{id}')

describe('explain', (test) => {
  test('R-281 tells relations, whose they are, and what fills variables by another name', () =>
    assert.is(
      describeTree(
        compile(
          routes({
            get: pipe(
              book,
              get(),
              produces(json(Book)),
              rel(),
              injectLinks('instance'),
              handle(() => ({ isbn: '', pages: 1 })),
            ),
            del: pipe(
              book,
              del('/{pages}/{x}'),
              rel('erase', { title: 'Erase', entity: Book }),
              handle(() => {}),
            ),
            put: pipe(
              path('/shelf'),
              put(),
              injectLinks(),
              handle(() => {}),
            ),
          }),
        ),
      ),
      [
        'GET /books/{id}  (get)',
        '  path id: string',
        '  answers 200 application/json: Book',
        '  response filter injectLinks, priority 5000',
        '  link self of Book, {id} from isbn',
        '  sends instance links',
        '',
        'DELETE /books/{id}/{pages}/{x}  (del)',
        '  path id: string',
        '  path pages: string',
        '  path x: string',
        '  answers 204 without content',
        '  link erase of Book, "Erase", {id} from isbn, {x} from nothing',
        '',
        'PUT /shelf  (put)',
        '  answers 204 without content',
        '  response filter injectLinks, priority 5000',
        '  sends type links',
      ].join('\n'),
    ))
})
