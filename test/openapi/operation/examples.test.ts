/** Examples of bodies, and their verification. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  example,
  form,
  get,
  int,
  json,
  path,
  post,
  problem,
  produces,
  fails,
  routes,
  secureField,
  string,
  text,
} from '../../../src/index.ts'
import { hal } from '../../../src/hal.ts'
import { xml } from '../../../src/xml.ts'
import type { AnyNode } from '../../../src/endpoint/routes.ts'
import { describe } from '../../support/describe.ts'
import {
  describeOnly,
  describeTree,
  issuesOf,
  operationOf,
  responseOf,
  schemaErrors,
} from '../document.ts'

const Book = t.type({ id: int, title: t.string }, 'Book')

describe('examples', (test) => {
  const book = { id: 1, title: 'Emma' }
  const tree = routes({
    operation: pipe(
      path('/'),
      post(),
      body(json(Book)),
      produces(json(Book), xml(Book), hal(Book), text),
      fails(409, problem),
      example('emma', book, { summary: 'A novel' }),
      example('request', { id: 2, title: 'Persuasion' }, { in: 'request' }),
      example('taken', { detail: 'Taken' }, { status: 409 }),
    ),
  })
  const document = describeTree(tree)
  const operation = operationOf(document, 'operation')
  const content = responseOf(document, operation, 200)?.content ?? {}

  test('are encoded for each media type that can contain them', () => {
    assert.equal(content['application/json']?.examples, {
      emma: { summary: 'A novel', value: book },
    })
    assert.is(content['application/xml']?.examples, undefined)
    assert.equal(content['application/hal+json']?.examples?.['emma']?.value, {
      ...book,
      _links: {},
    })
    assert.is(content['text/plain']?.examples, undefined)
  })

  test('are serialized as XML in OpenAPI 3.2', () => {
    const in32 = describeTree(tree, { version: '3.2' })
    const xmlContent = responseOf(in32, operationOf(in32, 'operation'), 200)?.content
    const found = xmlContent?.['application/xml']?.examples?.['emma']
    assert.equal(found?.dataValue, book)
    assert.match(found?.serializedValue ?? '', /<id>1<\/id><title>Emma<\/title>/)
  })

  test('belong to the request or to the response with a status', () => {
    assert.equal(operation.requestBody?.content['application/json']?.examples, {
      request: { value: { id: 2, title: 'Persuasion' } },
    })
    const [problemType] = Object.values(responseOf(document, operation, 409)?.content ?? {})
    const value = problemType?.examples?.['taken']?.value
    assert.match(JSON.stringify(value), /"title":"Conflict".*"detail":"Taken","status":409/)
    assert.equal(schemaErrors(document, problemType ?? {}, value), [])
  })

  test('contain members that are restricted to roles', () => {
    const Secret = t.type({ name: t.string, email: secureField('admin')(t.string) })
    const restricted = describeTree(
      routes({
        operation: pipe(
          path('/'),
          get(),
          produces(json(Secret)),
          example('all', { name: 'Ann', email: 'ann@a.example' }),
        ),
      }),
    )
    const response = responseOf(restricted, operationOf(restricted, 'operation'), 200)
    assert.equal(response?.content?.['application/json']?.examples?.['all']?.value, {
      name: 'Ann',
      email: 'ann@a.example',
    })
  })

  const base = pipe(path('/'), post(), produces(json(Book)))
  // prettier-ignore
  const rows: ReadonlyArray<readonly [title: string, tree: AnyNode, issues: ReadonlyArray<string>]> = [
    ['an invalid response', routes({ operation: pipe(base, example('a', { id: 'one' })) }), ['FW-DOC-001 the example "a" is not a value of the response body (application/json: Book): pass the decoded value']],
    ['an invalid request', routes({ operation: pipe(base, body(json(Book)), example('a', 1, { in: 'request' })) }), ['FW-DOC-001 the example "a" is not a value of the request body (application/json: Book): pass the decoded value']],
    ['a request without a body', routes({ operation: pipe(base, example('a', 1, { in: 'request' })) }), ['FW-DOC-001 the example "a" has no request body: declare it, or remove the example']],
    ['an undeclared status', routes({ operation: pipe(base, example('a', 1, { status: 404 })) }), ['FW-DOC-001 the example "a" has no response body with status 404: declare it, or remove the example']],
    ['a tree with an operation without a body', pipe(routes({ operation: pipe(path('/'), get()) }), example('a', 1)), []],
    ['a tree with an operation with another body', pipe(routes({ operation: base }), example('a', 1)), ['FW-DOC-001 the example "a" is not a value of the response body (application/json: Book): pass the decoded value']],
  ]
  for (const [title, invalid, issues] of rows)
    test(`${title}: ${issues.length === 0 ? 'no error' : 'FW-DOC-001'}`, () => {
      assert.equal(
        issuesOf(() => describeTree(invalid)),
        issues,
      )
    })
})

describe('form examples', (test) => {
  test('an operation with a form has no request example', () => {
    const operation = pipe(path('/'), post(), form({ a: string }))
    assert.is(
      describeOnly(routes({ operation })).requestBody?.content['multipart/form-data']?.examples,
      undefined,
    )
  })
})
