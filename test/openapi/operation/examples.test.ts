/** Examples of bodies, and their verification. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  allFields,
  allUploads,
  bigint,
  body,
  date,
  example,
  form,
  get,
  int,
  json,
  list,
  optional,
  part,
  path,
  post,
  problem,
  produces,
  fails,
  routes,
  secureField,
  string,
  text,
  upload,
  uploads,
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

/** Returns the examples of the only request body, which must match its schema. */
const examplesIn = (api: AnyNode, mediaType: string): unknown => {
  const media = describeOnly(api).requestBody?.content[mediaType]
  for (const { value } of Object.values(media?.examples ?? {}))
    assert.equal(schemaErrors(describeTree(api), media ?? {}, value), [])
  return media?.examples
}

describe('examples of forms', (test) => {
  const Size = t.type({ width: int }, 'Size')
  const fields = { title: string, taken: date, count: optional(bigint), tag: list(string) }
  const base = pipe(path('/'), post())
  const photo = { title: 'Sea', taken: new Date(0), tag: ['a', 'b'] }
  test('text fields are encoded, in both media types', () => {
    const operation = pipe(
      base,
      form(fields),
      example('a', { ...photo, count: 3n }, { in: 'request' }),
    )
    const expected = {
      a: { value: { title: 'Sea', taken: '1970-01-01T00:00:00.000Z', count: 3, tag: ['a', 'b'] } },
    }
    const api = routes({ operation })
    assert.equal(examplesIn(api, 'application/x-www-form-urlencoded'), expected)
    assert.equal(examplesIn(api, 'multipart/form-data'), expected)
  })

  test('files are given by their content, parts by their value, and maps of all fields by their entries', () => {
    const operation = pipe(
      base,
      form({
        cover: upload,
        pages: uploads,
        size: part(json(Size)),
        others: allFields,
        all: allUploads,
      }),
      example(
        'a',
        { cover: '<svg/>', pages: ['1'], size: { width: 2 }, others: new Map([['x', ['y']]]) },
        { in: 'request' },
      ),
      example('b', { cover: '', size: { width: 1 } }, { in: 'request', summary: 'Without pages' }),
    )
    assert.equal(examplesIn(routes({ operation }), 'multipart/form-data'), {
      a: { value: { cover: '<svg/>', pages: ['1'], size: { width: 2 }, x: ['y'] } },
      b: { summary: 'Without pages', value: { cover: '', size: { width: 1 } } },
    })
  })

  // prettier-ignore
  const rows: ReadonlyArray<readonly [title: string, value: unknown, error: string]> = [
    ['another type of value', 'x', 'pass an object with the decoded fields as members'],
    ['an unknown field', { name: 'x', cover: '', size: { width: 1 }, other: 1 }, 'unknown field "other": declare it, or remove it from the example'],
    ['a missing field', { cover: '', size: { width: 1 } }, 'invalid field "name": pass a decoded value of string'],
    ['an invalid field', { name: 1, cover: '', size: { width: 1 } }, 'invalid field "name": pass a decoded value of string'],
    ['a missing file', { name: 'x', size: { width: 1 } }, 'invalid field "cover": pass the content of the file as a string'],
    ['an invalid part', { name: 'x', cover: '', size: { width: 'x' } }, 'invalid field "size": pass the decoded value'],
    ['an invalid list of files', { name: 'x', cover: '', size: { width: 1 }, pages: '1' }, 'invalid field "pages": pass the contents of the files as a list of strings'],
    ['an invalid map', { name: 'x', cover: '', size: { width: 1 }, others: new Map([['a', 'b']]) }, 'invalid field "others": pass a Map of lists of strings'],
    ['all files', { name: 'x', cover: '', size: { width: 1 }, all: [] }, 'invalid field "all": pass undefined'],
  ]
  for (const [title, value, error] of rows)
    test(`${title}: FW-DOC-001`, () => {
      const declared = {
        name: string,
        cover: upload,
        pages: uploads,
        size: part(json(Size)),
        others: allFields,
        all: allUploads,
      }
      const operation = pipe(base, form(declared), example('a', value, { in: 'request' }))
      assert.equal(
        issuesOf(() => describeTree(routes({ operation }))),
        [`FW-DOC-001 the example "a" is not a value of the form: ${error}`],
      )
    })
})
