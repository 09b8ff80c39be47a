/** Documents as a whole: documentation of operations, settings, conditions, contracts, links, webhooks and errors. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  deprecated,
  description,
  example,
  externalDocs,
  form,
  get,
  handle,
  hidden,
  int,
  json,
  list,
  named,
  needs,
  path,
  post,
  prefix,
  problem,
  produces,
  profile,
  fails,
  routes,
  secureField,
  slot,
  string,
  summary,
  tags,
  text,
  when,
  withSchema,
} from '../../src/index.ts'
import { hal } from '../../src/hal.ts'
import { rel } from '../../src/links.ts'
import { xml } from '../../src/xml.ts'
import { ConfigurationError } from '../../src/endpoint/internal/configuration-error.ts'
import type { AnyNode } from '../../src/endpoint/routes.ts'
import { documentWithIssues } from '../../src/openapi/open-api.ts'
import { compileTree } from '../../src/compiler/compile.ts'
import { logIssues } from '../../src/openapi/log-issues.ts'
import { describe } from '../support/describe.ts'
import { describeOnly, describeTree, operationOf, responseOf } from './document.ts'

const Book = t.type({ id: int, title: t.string }, 'Book')

/** Returns the codes and remedies of the errors that a function throws. */
const issuesOf = (run: () => unknown): ReadonlyArray<string> => {
  try {
    run()
  } catch (error) {
    if (error instanceof ConfigurationError)
      return error.issues.map(({ code, remedy }) => `${code} ${remedy}`)
    throw error
  }
  return []
}

describe('the documentation of operations', (test) => {
  test('appears in the operation', () => {
    const operation = pipe(
      path('/'),
      get(),
      summary('Get the root'),
      description('Returns *nothing*.'),
      tags('a', { name: 'b', description: 'The second tag' }),
      deprecated(),
      externalDocs('https://docs.example', 'More'),
    )
    const document = describeTree(routes({ operation }))
    const described = operationOf(document, 'operation')
    assert.is(described.summary, 'Get the root')
    assert.is(described.description, 'Returns *nothing*.')
    assert.equal(described.tags, ['a', 'b'])
    assert.is(described.deprecated, true)
    assert.equal(described.externalDocs, { url: 'https://docs.example', description: 'More' })
    assert.equal(document.tags, [{ name: 'a' }, { name: 'b', description: 'The second tag' }])
  })

  test('without a summary, the name is the summary', () => {
    const document = describeTree(
      routes({ books: routes({ getAllBooks: pipe(path('/'), get()) }) }),
    )
    assert.is(operationOf(document, 'books.getAllBooks').summary, 'Get all books')
  })

  test('hidden operations and their components are omitted', () => {
    const tree = pipe(
      routes({
        shown: pipe(path('/a'), get(), hidden(false)),
        secret: pipe(path('/b'), get(), produces(json(Book)), tags('secret')),
      }),
      hidden(),
    )
    const document = describeTree(tree)
    assert.equal(Object.keys(document.paths ?? {}), ['/a'])
    assert.is(document.tags, undefined)
    assert.is(document.components?.schemas?.['Book'], undefined)
  })

  test('options describe tags first', () => {
    const operation = pipe(path('/'), get(), tags('a', 'b'))
    const document = describeTree(routes({ operation }), {
      tags: [{ name: 'b', description: 'Second' }],
      externalDocs: { url: 'https://docs.example' },
    })
    assert.equal(document.tags, [{ name: 'b', description: 'Second' }, { name: 'a' }])
    assert.equal(document.externalDocs, { url: 'https://docs.example' })
  })
})

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
    assert.match(
      String(content['application/xml']?.examples?.['emma']?.value),
      /<id>1<\/id><title>Emma<\/title>/,
    )
    assert.equal(content['application/hal+json']?.examples?.['emma']?.value, {
      ...book,
      _links: {},
    })
    assert.is(content['text/plain']?.examples, undefined)
  })

  test('belong to the request or to the response with a status', () => {
    assert.equal(operation.requestBody?.content['application/json']?.examples, {
      request: { value: { id: 2, title: 'Persuasion' } },
    })
    assert.equal(
      responseOf(document, operation, 409)?.content?.['application/problem+json']?.examples,
      { taken: { value: { detail: 'Taken' } } },
    )
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

describe('settings and conditions', (test) => {
  const tree = routes({
    always: pipe(path('/always'), get()),
    debug: pipe(path('/debug'), get(), when(profile('dev'))),
  })

  test('a condition is evaluated with the profile', () => {
    assert.equal(Object.keys(describeTree(tree).paths ?? {}), ['/always'])
    assert.equal(Object.keys(describeTree(tree, { profile: 'dev' }).paths ?? {}), [
      '/always',
      '/debug',
    ])
  })

  test('the public URL is the server', () => {
    const settings = { 'fw.http.public-url': 'https://api.example/v1' }
    assert.equal(describeTree(tree).servers, [{ url: '/' }])
    assert.equal(describeTree(tree, { settings }).servers, [{ url: 'https://api.example/v1' }])
  })

  test('invalid settings are configuration errors', () => {
    // the types reject the name
    const settings = { 'fw.http.port': 'many', 'fw.rest.pth': '/' } as {}
    assert.equal(
      issuesOf(() => describeTree(tree, { settings })),
      ['FW-CONF-001 did you mean fw.rest.path?', 'FW-CONF-002 expected an integer from 0 to 65535'],
    )
  })

  test('invalid declarations are configuration errors, missing handlers and slots are not', () => {
    const Db = slot<string>()('db')
    const incomplete = routes({ a: pipe(path('/a'), post(), needs({ db: Db })) })
    assert.equal(Object.keys(describeTree(incomplete).paths ?? {}), ['/a'])
    const invalid = routes({
      // the types reject the duplicate path
      a: pipe(path('/{id'), get()) as never,
      b: pipe(
        path('/b'),
        get(),
        handle(() => undefined),
      ),
      c: pipe(path('/b'), get()),
    })
    const codes = issuesOf(() => describeTree(invalid)).map((issue) => issue.slice(0, 12))
    assert.equal(codes, ['FW-ROUTE-001', 'FW-ROUTE-002'])
  })
})

describe('components', (test) => {
  test('two codecs with one name are a configuration error that names both operations', () => {
    const tree = routes({
      a: pipe(path('/a'), get(), produces(json(Book))),
      b: pipe(path('/b'), get(), produces(json(named('Book')(t.type({ other: t.string }))))),
    })
    try {
      describeTree(tree)
      assert.unreachable()
    } catch (error) {
      assert.instance(error, ConfigurationError)
      const [issue] = error instanceof ConfigurationError ? error.issues : []
      assert.is(issue?.code, 'FW-DOC-002')
      assert.equal(issue?.concerns, ['a', 'b'])
    }
  })

  test('defects are logged, opaque codecs only in the profile dev', () => {
    const opaque = new t.Type<string>('opaque', t.string.is, t.string.validate, t.identity)
    const schema = withSchema({ type: 'string' })(
      new t.Type<string>('known', t.string.is, t.string.validate, t.identity),
    )
    const tree = routes({
      a: pipe(path('/a'), get(), produces(json(t.type({ opaque, schema })))),
      b: pipe(path('/b'), get(), produces(json(Book))),
      c: pipe(path('/c'), get(), produces(json(named('Book')(t.string)))),
    })
    const compiled = compileTree(tree, undefined, { isContract: true })
    const { issues } = documentWithIssues(compiled, { info: { title: 'T', version: '1' } })
    const logged = (profileName: string): ReadonlyArray<unknown> => {
      const lines: unknown[] = []
      logIssues(issues, profileName, { warn: ({ codecs }) => lines.push(codecs) })
      return lines
    }
    assert.equal(logged('dev'), [['Book'], ['opaque']])
    assert.equal(logged('prod'), [['Book']])
  })
})

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
  const linksOf = (described: AnyNode, id: string, settings = {}) => {
    const document = describeTree(described, { settings })
    return responseOf(document, operationOf(document, id), 200)?.links
  }

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

describe('webhooks', (test) => {
  const webhooks = routes({
    bookAdded: pipe(path('/'), post(), body(json(Book)), summary('A book was added')),
  })

  test('have the names of their routes, and no errors of this server', () => {
    const document = describeTree(routes({ a: pipe(path('/a'), get()) }), { webhooks })
    assert.equal(Object.keys(document.webhooks ?? {}), ['bookAdded'])
    const webhook = document.webhooks?.['bookAdded']?.post
    assert.is(webhook?.summary, 'A book was added')
    assert.equal(webhook?.requestBody?.content, {
      'application/json': { schema: { $ref: '#/components/schemas/Book' } },
    })
    assert.equal(Object.keys(webhook?.responses ?? {}), ['204'])
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
