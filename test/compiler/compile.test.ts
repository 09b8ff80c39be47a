/** Tests duplicate operations, and the list of all configuration errors of a tree. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Definition } from '../../src/endpoint/endpoint.ts'
import type { AnyRepresentation } from '../../src/endpoint/representation.ts'
import type { AnyNode } from '../../src/endpoint/routes.ts'
import {
  as,
  body,
  get,
  handle,
  header,
  html,
  json,
  path,
  post,
  prefix,
  produces,
  put,
  routes,
  string,
  inLanguage,
  text,
} from '../../src/index.ts'
import { compile } from '../../src/interpreter/program.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ConfigurationIssue } from '../../src/endpoint/definition/configuration-error.ts'
import { ConfigurationError, format } from '../../src/endpoint/definition/configuration-error.ts'
import { inMemory } from '../../src/testing.ts'
import { responseTo, returns } from '../support/send-request.ts'
import { describe, table } from '../support/describe.ts'

const issuesOf = (api: AnyNode): ReadonlyArray<ConfigurationIssue> => {
  try {
    compile(api)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.issues
    throw error
  }
}

const handled = ({ definition }: { readonly definition: Definition }): AnyNode => ({
  _tag: 'Endpoint',
  definition: { ...definition, handler: returns('a') },
})
const at = (template: string): AnyNode => handled(pipe(path(template), get()))
const gets = (...all: ReadonlyArray<AnyRepresentation>): AnyNode =>
  handled(pipe(path('/a'), get(), produces(...all)))
const posts = (representation: AnyRepresentation): AnyNode =>
  handled(pipe(path('/a'), post(), body(representation)))
const tree = (children: Readonly<Record<string, AnyNode>>): AnyNode => ({
  _tag: 'Routes',
  children: new Map(Object.entries(children)),
  wrappers: [],
})

const value = json(t.string)

const english = inLanguage('en')(text)

/** Two routes, and whether they are duplicates. */
type Row = readonly [name: string, first: AnyNode, second: AnyNode, duplicate: boolean]

const rows: ReadonlyArray<Row> = [
  ['the same path', at('/a'), at('/a'), true],
  ['a trailing slash', at('/a'), at('/a/'), true],
  ['a percent-encoded character', at('/a b'), at('/a%20b'), true],
  ['another variable name', at('/{x}'), at('/{y}'), true],
  ['a variable in a part of a segment', at('/a-{x}'), at('/a-{y}'), true],
  ['the same expression', at('/{x:a+}'), at('/{ y : a+ }'), true],
  ['an equivalent expression', at('/{x:a+}'), at('/{x:aa*}'), false],
  ['an expression and none', at('/{x:[^/]+}'), at('/{x}'), false],
  ['a path in another case', at('/a'), at('/A'), false],
  ['a literal and a variable', at('/a'), at('/{a}'), false],
  ['another method', at('/a'), handled(pipe(path('/a'), put())), false],
  ['the same produced type', gets(text), gets(text), true],
  ['another produced type', gets(text), gets(value), false],
  ['the same produced types in another order', gets(text, value), gets(value, text), true],
  ['a subset of the produced types', gets(text, value), gets(text), true],
  ['an additional produced type', gets(text), gets(text, value), false],
  ['the same type in another case', gets(text), gets(as('Text/PLAIN')(text)), true],
  ['another weight', gets(text), gets(as('text/plain;qs=0.5')(text)), true],
  ['an additional media type parameter', gets(text), gets(as('text/plain;a=b')(text)), false],
  ['a range that contains the type', gets(as('text/*')(text)), gets(text), false],
  ['another language', gets(english), gets(inLanguage('de')(text)), false],
  ['the same language in another case', gets(english), gets(inLanguage('EN')(text)), true],
  ['a language, then none', gets(english), gets(text), false],
  ['a body in another language', posts(english), posts(inLanguage('de')(text)), true],
  ['no produced type, then one', gets(), gets(text), true],
  ['a produced type, then none', gets(text), gets(), false],
  ['the same body type', posts(text), posts(text), true],
  ['another body type', posts(text), posts(value), false],
]

describe('duplicate operations', (test) => {
  table<Row>(test, rows, (_, first, second, duplicate) =>
    assert.equal(
      issuesOf(tree({ first, second })).map(({ code }) => code),
      duplicate ? ['FW-ROUTE-002'] : [],
    ),
  )

  const books = routes({
    get: pipe(path('/books'), get('/{isbn}'), produces(text), handle(returns('first'))),
  })
  const api = routes({
    books: pipe(books, prefix('/v1')),
    shelf: pipe(path('v1/books/{id}'), get(), produces(text), handle(returns('second'))),
  })

  test('an error names both operations', () =>
    assert.equal(issuesOf(api), [
      {
        code: 'FW-ROUTE-002',
        concerns: ['GET /v1/books/{isbn}  (books.get)', 'GET /v1/books/{id}  (shelf)'],
        remedy: 'merge them, or use different paths, methods, media types or languages',
      },
    ]))

  test('with fw.rest.fail-on-duplicate=false log a warning, and the first one responds', async () => {
    const warnings: unknown[] = []
    const call = inMemory(api, {
      'fw.rest.fail-on-duplicate': false,
      logger: { ...silentLogger, warn: (...line) => warnings.push(line) },
    })
    assert.equal(warnings, [[{ category: 'server', issues: 1 }, format(issuesOf(api))]])
    assert.equal(await responseTo(call, 'GET /v1/books/1'), [200, 'first'])
  })

  test('three duplicates are three errors', () =>
    assert.is(issuesOf(tree({ a: at('/a'), b: at('/a'), c: at('/a') })).length, 3))
})

describe('several configuration errors', (test) => {
  const wrong = tree({
    open: at('/{id'),
    wild: at('/{id:(a+)+}'),
    named: handled(pipe(path('/b'), get(), header({ 'a b': string }), produces(as('x')(html)))),
    inner: tree({ bare: path('/c') }),
    one: at('/a'),
    two: at('/a'),
  })

  test('are listed in the order of the tree, duplicates last', () =>
    assert.equal(
      issuesOf(wrong).map(({ code, concerns }) => [code, ...concerns]),
      [
        ['FW-ROUTE-001', 'GET /{id  (open)'],
        ['FW-ROUTE-003', 'GET /{id:(a+)+}  (wild)'],
        ['FW-PARAM-001', 'GET /b  (named)'],
        ['FW-MEDIA-001', 'GET /b  (named)'],
        ['FW-ROUTE-004', '(no method) /c  (inner.bare)'],
        ['FW-ROUTE-004', '(no method) /c  (inner.bare)'],
        ['FW-ROUTE-002', 'GET /a  (one)', 'GET /a  (two)'],
      ],
    ))

  test('are reported by one error, whose message contains all of them', () => {
    const { message } = new ConfigurationError(issuesOf(wrong))
    assert.throws(
      () => compile(wrong),
      (error: unknown) => error instanceof ConfigurationError && error.message === message,
    )
  })

  test('an invalid route is not compared with others', () =>
    assert.equal(
      issuesOf(tree({ a: gets(as('x')(text)), b: gets(text) })).map(({ code }) => code),
      ['FW-MEDIA-001'],
    ))

  test('an error in an expression does not hide later errors', () =>
    assert.equal(
      issuesOf(tree({ a: at('/{id:[}'), b: at('/{id:(}') })).map(({ code }) => code),
      ['FW-ROUTE-003', 'FW-ROUTE-003'],
    ))

  test('a valid tree and an empty tree are accepted', () => {
    assert.is(compile(tree({ a: at('/a') })).plans.length, 1)
    assert.is(compile(tree({})).plans.length, 0)
  })
})
