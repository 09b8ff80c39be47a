import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  fails,
  form,
  get,
  header,
  implementAll,
  int,
  json,
  needs,
  optionalPart,
  path,
  post,
  prefix,
  problem,
  produces,
  put,
  query,
  queryMap,
  representation,
  requestFilter,
  responds,
  rolesAllowed,
  routes,
  slot,
  string,
  upload,
  withFilter,
} from '../../src/index.ts'
import { describeContract } from '../../src/node.ts'
import { describe } from '../support/describe.ts'

const Book = t.type({ title: t.string }, 'book')
const sentence = representation({
  mediaType: 'text/plain',
  write: ({ title }: t.TypeOf<typeof Book>) => title,
})
const Tenant = slot(int)('tenant')
const book = pipe(path('/books/{id}', { id: int }), needs({ tenant: Tenant }))
const library = routes({
  find: pipe(
    book,
    get(),
    query({ page: int }),
    queryMap,
    produces(json(Book), sentence),
    fails(404, problem),
  ),
  change: pipe(
    book,
    put(),
    rolesAllowed('librarian'),
    header({ ifMatch: string }),
    body(json(Book)),
    responds(204),
    responds(201, json(Book)),
  ),
  cover: pipe(book, post(), form({ cover: optionalPart(upload), size: int })),
})
const inTenant = prefix('/t/{tenant}', { tenant: Tenant })
const contract = routes({ library: pipe(library, inTenant) })

const implemented = implementAll(library, {
  find: ({ path: { id } }) => ({ title: String(id) }),
  change: () => undefined as never,
  cover: () => undefined,
})
const ownTenant = requestFilter(
  { needs: { tenant: Tenant }, fails: { 403: problem } },
  () => undefined,
)
const api = routes({ library: pipe(implemented, withFilter(ownTenant), inTenant) })

describe('describeContract', (test) => {
  test('describes names, methods, paths, inputs and responses', () =>
    assert.equal(describeContract(contract).split('\n'), [
      'GET /t/{tenant}/books/{id}  (library.find)',
      '  path tenant: int, fills the slot tenant',
      '  path id: int',
      '  query page: int',
      '  query: all parameters as a map',
      '  responds 200 application/json: book',
      '  responds 200 text/plain',
      '  fails 404 application/problem+json: ProblemDocument',
      '',
      'PUT /t/{tenant}/books/{id}  (library.change)',
      '  path tenant: int, fills the slot tenant',
      '  path id: int',
      '  header if-match: string',
      '  body application/json: book',
      '  responds 204 without a body',
      '  responds 201 application/json: book',
      '',
      'POST /t/{tenant}/books/{id}  (library.cover)',
      '  path tenant: int, fills the slot tenant',
      '  path id: int',
      '  form cover: upload, optional',
      '  form size: int',
      '  responds 204 without a body',
    ]))
  test('a service has the description of its contract', () =>
    assert.equal(describeContract(api), describeContract(contract)))
  test('a service without a prefix of its contract has another description', () =>
    assert.is.not(describeContract(routes({ library: implemented })), describeContract(contract)))
  test('values that are not trees and invalid declarations are configuration errors', () => {
    assert.throws(() => describeContract(book as never), /FW-ROUTE-008/)
    assert.throws(
      () => describeContract(routes({ a: pipe(path('/a'), post(), body(3 as never)) })),
      /FW-MEDIA-003/,
    )
  })
})
