/** The paths of documents, and operations that share a path. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  bytes,
  del,
  deprecated,
  get,
  inLanguage,
  int,
  json,
  list,
  matrix,
  method,
  optional,
  path,
  post,
  prefix,
  produces,
  put,
  query,
  routes,
  slot,
  string,
  summary,
  tags,
  text,
} from '../../src/index.ts'
import { describe } from '../support/describe.ts'
import { describeTree, operationOf, responseOf } from './document.ts'

describe('paths', (test) => {
  // prettier-ignore
  const rows: ReadonlyArray<readonly [title: string, tree: Parameters<typeof describeTree>[0], paths: ReadonlyArray<string>]> = [
    ['a regular expression', routes({ a: pipe(path('/{id:\\d{3}}'), get()) }), ['/{id}']],
    ['the root', routes({ a: pipe(path('/'), get()) }), ['/']],
    ['literal text that must be escaped', routes({ a: pipe(path('/ä b'), get()) }), ['/%C3%A4%20b']],
    ['a prefix with a variable', pipe(routes({ a: pipe(path('/x'), get()) }), prefix('/t/{tenant}', { tenant: slot(int)('tenant') })), ['/t/{tenant}/x']],
    ['a required matrix parameter', routes({ a: pipe(path('/cars'), get(), matrix({ color: string })) }), ['/cars{color}']],
    ['different names of a variable', routes({ a: pipe(path('/{a}'), get()), b: pipe(path('/{b}'), put()) }), ['/{a}']],
    ['different regular expressions', routes({ a: pipe(path('/{a:\\d+}'), get()), b: pipe(path('/{b}'), get()), c: pipe(path('/{c}'), put()) }), ['/{a}', '/{b}#b']],
    ['different codecs of one method', routes({ a: pipe(path('/{a}', { a: int }), get(), produces(text)), b: pipe(path('/{b}'), get(), produces(json(string))) }), ['/{a}', '/{b}#b']],
  ]
  for (const [title, tree, paths] of rows)
    test(`${title}: ${paths.join(' ')}`, () => {
      assert.equal(Object.keys(describeTree(tree).paths ?? {}), paths)
    })

  test('the path of fw.rest.path precedes all paths', () => {
    const settings = { 'fw.rest.path': '/api' }
    const document = describeTree(routes({ a: pipe(path('/x'), get()) }), { settings })
    assert.equal(Object.keys(document.paths ?? {}), ['/api/x'])
  })

  test('a variable has the name that the first template gives it', () => {
    const document = describeTree(
      routes({ a: pipe(path('/{first}'), get()), b: pipe(path('/{second}'), del()) }),
    )
    assert.is(operationOf(document, 'b').parameters?.[0]?.name, 'first')
  })
})

describe('methods without a member in path items', (test) => {
  const tree = routes({ purge: pipe(path('/cache'), method('PURGE')()) })

  test('are an extension in OpenAPI 3.1', () => {
    const item = describeTree(tree).paths?.['/cache']
    assert.equal(Object.keys(item ?? {}), ['x-additional-operations'])
    assert.is(item?.['x-additional-operations']?.['PURGE']?.operationId, 'purge')
  })

  test('are additional operations in OpenAPI 3.2', () => {
    const item = describeTree(tree, { version: '3.2' }).paths?.['/cache']
    assert.is(item?.additionalOperations?.['PURGE']?.operationId, 'purge')
  })

  test('QUERY has a member in OpenAPI 3.2 only', () => {
    const search = routes({ search: pipe(path('/'), method('QUERY')(), body(json(string))) })
    assert.is(describeTree(search, { version: '3.2' }).paths?.['/']?.query?.operationId, 'search')
    const inOlderVersions = describeTree(search).paths?.['/']
    assert.equal(Object.keys(inOlderVersions ?? {}), ['x-additional-operations'])
  })

  test('the responses of a path with QUERY have Accept-Query, and QUERY requires Content-Type', () => {
    const queried = routes({
      read: pipe(path('/'), get(), produces(text)),
      search: pipe(path('/'), method('QUERY')(), body(bytes), produces(text)),
    })
    const document = describeTree(queried, { version: '3.2' })
    for (const id of ['read', 'search'])
      assert.equal(
        responseOf(document, operationOf(document, id), 200)?.headers?.['Accept-Query'],
        { schema: { type: 'string', examples: ['application/octet-stream'] } },
      )
    assert.ok(responseOf(document, operationOf(document, 'search'), 400))
    assert.is(responseOf(document, operationOf(document, 'read'), 400), undefined)
  })
})

describe('operations with one path and method', (test) => {
  const document = describeTree(
    routes({
      asText: pipe(
        path('/books'),
        post(),
        summary('Add a book'),
        tags('books'),
        query({ dryRun: int }),
        body(text),
        produces(text),
        deprecated(),
      ),
      asJson: pipe(
        path('/books'),
        post(),
        tags('books', 'json'),
        query({ dryRun: list(int), page: int }),
        body(json(string)),
        produces(json(string)),
      ),
    }),
  )
  const operation = operationOf(document, 'asText')

  test('are merged into the first one', () => {
    assert.is(operation.summary, 'Add a book')
    assert.equal(operation['x-operation-ids'], ['asText', 'asJson'])
    assert.equal(operation.tags, ['books', 'json'])
    assert.is(operation.deprecated, undefined)
  })

  test('have the media types of all of them', () => {
    assert.equal(Object.keys(operation.requestBody?.content ?? {}), [
      'text/plain',
      'application/json',
    ])
    const response = operation.responses['200']
    assert.equal(
      response !== undefined && 'content' in response ? Object.keys(response.content ?? {}) : [],
      ['text/plain', 'application/json'],
    )
  })

  test('have optional parameters unless all of them require one', () => {
    assert.equal(
      operation.parameters?.map(({ name, required }) => [name, required]),
      [
        ['dryRun', undefined],
        ['page', undefined],
      ],
    )
    assert.is(operation.parameters?.[0]?.schema?.anyOf?.length, 2)
  })

  test('that differ in language have one media type', () => {
    const translated = describeTree(
      routes({
        en: pipe(path('/'), get(), produces(inLanguage('en')(text))),
        de: pipe(path('/'), get(), produces(inLanguage('de')(text))),
      }),
    )
    const response = operationOf(translated, 'en').responses['200']
    assert.equal(response !== undefined && 'content' in response ? response.content : {}, {
      'text/plain': { schema: { type: 'string' } },
    })
  })

  test('with an optional body have an optional body', () => {
    const merged = describeTree(
      routes({
        none: pipe(path('/'), post(), produces(text)),
        some: pipe(
          path('/'),
          post(),
          query({ q: optional(int) }),
          body(json(int)),
          produces(json(int)),
        ),
      }),
    )
    assert.is(operationOf(merged, 'none').requestBody?.required, undefined)
  })
})
