/** Documents as a whole: documentation of operations, settings, conditions, contracts, webhooks and errors. */
import { once } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  deprecated,
  description,
  externalDocs,
  get,
  handle,
  hidden,
  int,
  json,
  named,
  needs,
  path,
  post,
  produces,
  profile,
  rolesAllowed,
  routes,
  slot,
  summary,
  tags,
  when,
  withSchema,
} from '../../src/index.ts'
import { ConfigurationError } from '../../src/endpoint/definition/configuration-error.ts'
import { documentWithIssues, logIssues } from '../../src/openapi/describe-tree.ts'
import { compileTree } from '../../src/compiler/compile.ts'
import { openApi } from '../../src/openapi/open-api.ts'
import { describe } from '../support/describe.ts'
import { describeTree, issuesOf, operationOf, responseOf } from './document.ts'

const Book = t.type({ id: int, title: t.string }, 'Book')

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

  test('of a deprecated operation lists its headers, its sunset and its replacement', () => {
    const next = pipe(path('/next'), get())
    const secret = pipe(path('/secret'), get(), hidden())
    const document = describeTree(
      pipe(
        routes({
          next: pipe(next, deprecated(false)),
          secret,
          old: pipe(path('/old'), get(), deprecated({ replacedBy: next })),
          older: pipe(path('/older'), get(), deprecated({ replacedBy: 'https://new.example' })),
          oldest: pipe(path('/oldest'), get(), deprecated({ replacedBy: secret })),
        }),
        deprecated({ since: '2026-01-01', sunset: '2026-11-01T23:00:00Z' }),
      ),
    )
    const described = operationOf(document, 'old')
    assert.equal(
      [described.deprecated, described['x-sunset'], described['x-successor']],
      [true, '2026-11-01', 'next'],
    )
    assert.is(operationOf(document, 'older')['x-successor'], 'https://new.example')
    assert.is(operationOf(document, 'oldest')['x-successor'], undefined)
    assert.is(operationOf(document, 'next').deprecated, undefined)
    const headers = responseOf(document, described, 204)?.headers
    assert.equal(headers?.['Deprecation'], {
      schema: { type: 'string', examples: ['@1767225600'] },
    })
    assert.equal(Object.keys(headers ?? {}), ['Link', 'Deprecation', 'Sunset'])
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

  test('components of the framework give way to codecs of the application', () => {
    const tree = routes({
      a: pipe(path('/a'), get(), produces(json(t.type({ a: int }, 'Problem')))),
      b: pipe(path('/b'), post(), body(json(t.type({ b: int }, 'HalLinks')))),
    })
    const { components, paths } = describeTree(tree)
    const schemas = components?.schemas ?? {}
    assert.equal(Object.keys(schemas), ['HalLinks', 'Problem', 'ProblemDocument'])
    assert.equal(schemas['Problem']?.required, ['a'])
    assert.equal(
      components?.responses?.['BadRequest']?.content?.['application/problem+json']?.schema,
      {
        $ref: '#/components/schemas/ProblemDocument',
      },
    )
    assert.ok(paths?.['/a'])
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
    const created = documentWithIssues(compiled, { info: { title: 'T', version: '1' } })
    const logged = (profileName: string): ReadonlyArray<unknown> => {
      const lines: unknown[] = []
      logIssues(created, profileName, { warn: ({ codecs }) => lines.push(codecs) })
      return lines
    }
    assert.equal(logged('dev'), [['Book'], ['opaque']])
    assert.equal(logged('prod'), [['Book']])
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

describe('openApi', (test) => {
  test('emits a warning for a contract with an access rule and no authentication filter', async () => {
    const contract = routes({ get: pipe(path('/a'), get(), rolesAllowed('staff')) })
    const warning = once(process, 'warning')
    const document = openApi(contract, { info: { title: 'A', version: '1' } })
    assert.equal(document.paths?.['/a']?.get?.security, [])
    const [{ message }] = await warning
    assert.match(message, /describes operations with access rules as public.*GET \/a  \(get\)/)
  })
})
