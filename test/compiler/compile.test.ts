/** What routes do to each other, and how everything that is wrong with a tree is told at once. */
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
  text,
} from '../../src/index.ts'
import { compile } from '../../src/interpreter/program.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Mistake } from '../../src/endpoint/internal/configuration-error.ts'
import { MistakesError, format } from '../../src/endpoint/internal/configuration-error.ts'
import { inMemory } from '../../src/testing.ts'
import { answerTo, says } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'

const mistakesOf = (api: AnyNode): ReadonlyArray<Mistake> => {
  try {
    compile(api)
    return []
  } catch (error) {
    if (error instanceof MistakesError) return error.mistakes
    throw error
  }
}

const handled = ({ definition }: { readonly definition: Definition }): AnyNode => ({
  _tag: 'Endpoint',
  definition: { ...definition, handler: says('a') },
})
const at = (template: string): AnyNode => handled(pipe(path(template), get()))
const gets = (...all: ReadonlyArray<AnyRepresentation>): AnyNode =>
  handled(pipe(path('/a'), get(), produces(...all)))
const posts = (one: AnyRepresentation): AnyNode => handled(pipe(path('/a'), post(), body(one)))
const tree = (children: Readonly<Record<string, AnyNode>>): AnyNode => ({
  _tag: 'Routes',
  children: new Map(Object.entries(children)),
  wrappers: [],
})

const value = json(t.string)

/** Two routes, and whether the second would never be reached. */
type Row = readonly [name: string, first: AnyNode, second: AnyNode, duplicate: boolean]

const rows: ReadonlyArray<Row> = [
  ['R-109 the same path', at('/a'), at('/a'), true],
  ['R-109 with a slash at the end', at('/a'), at('/a/'), true],
  ['R-109 with an escape', at('/a b'), at('/a%20b'), true],
  ['R-109 with another name of its variable', at('/{x}'), at('/{y}'), true],
  ['R-109 in a part of a segment', at('/a-{x}'), at('/a-{y}'), true],
  ['R-109 with the same expression', at('/{x:a+}'), at('/{ y : a+ }'), true],
  ['R-109 with another expression', at('/{x:a+}'), at('/{x:aa*}'), false],
  ['R-109 with none', at('/{x:[^/]+}'), at('/{x}'), false],
  ['R-109 in another case', at('/a'), at('/A'), false],
  ['R-109 a literal and a variable', at('/a'), at('/{a}'), false],
  ['R-109 another method', at('/a'), handled(pipe(path('/a'), put())), false],
  ['R-109 what is produced', gets(text), gets(text), true],
  ['R-109 of it another type', gets(text), gets(value), false],
  ['R-109 the same types in another order', gets(text, value), gets(value, text), true],
  ['R-109 one of them', gets(text, value), gets(text), true],
  ['R-109 one more', gets(text), gets(text, value), false],
  ['R-109 the same type in capitals', gets(text), gets(as('Text/PLAIN')(text)), true],
  ['R-109 with another weight', gets(text), gets(as('text/plain;qs=0.5')(text)), true],
  ['R-109 with a parameter', gets(text), gets(as('text/plain;a=b')(text)), false],
  ['R-109 a range with it inside', gets(as('text/*')(text)), gets(text), false],
  ['R-109 nothing, then something', gets(), gets(text), true],
  ['R-109 something, then nothing', gets(text), gets(), false],
  ['R-109 what is read', posts(text), posts(text), true],
  ['R-109 of it another type', posts(text), posts(value), false],
]

describe('compile, two routes', (test) => {
  table<Row>(test, rows, (_, first, second, duplicate) =>
    assert.equal(
      mistakesOf(tree({ first, second })).map(({ code }) => code),
      duplicate ? ['FW-ROUTE-002'] : [],
    ),
  )

  const books = routes({
    get: pipe(path('/books'), get('/{isbn}'), produces(text), handle(says('first'))),
  })
  const api = routes({
    books: pipe(books, prefix('/v1')),
    shelf: pipe(path('v1/books/{id}'), get(), produces(text), handle(says('second'))),
  })

  test('R-109 a duplicate names both', () =>
    assert.equal(mistakesOf(api), [
      {
        code: 'FW-ROUTE-002',
        concerns: ['GET /v1/books/{isbn}  (books.get)', 'GET /v1/books/{id}  (shelf)'],
        remedy: 'merge them, or use different paths, methods or media types',
      },
    ]))

  test('R-109 where it is allowed it is a warning, and the first one answers', async () => {
    const warnings: unknown[] = []
    const call = inMemory(api, {
      'fw.rest.fail-on-duplicate': false,
      logger: { ...silentLogger, warn: (...line) => warnings.push(line) },
    })
    assert.equal(warnings, [[{ category: 'server', mistakes: 1 }, format(mistakesOf(api))]])
    assert.equal(await answerTo(call, 'GET /v1/books/1'), [200, 'first'])
  })

  test('R-109 each pair of them is told', () =>
    assert.is(mistakesOf(tree({ a: at('/a'), b: at('/a'), c: at('/a') })).length, 3))
})

describe('compile, several mistakes', (test) => {
  const wrong = tree({
    open: at('/{id'),
    wild: at('/{id:(a+)+}'),
    named: handled(pipe(path('/b'), get(), header({ 'a b': string }), produces(as('x')(html)))),
    inner: tree({ bare: path('/c') }),
    one: at('/a'),
    two: at('/a'),
  })

  test('all of them are told, in the order of the tree, duplicates last', () =>
    assert.equal(
      mistakesOf(wrong).map(({ code, concerns }) => [code, ...concerns]),
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

  test('in one error, whose message holds them', () => {
    const { message } = new MistakesError(mistakesOf(wrong))
    assert.throws(
      () => compile(wrong),
      (error: unknown) => error instanceof MistakesError && error.message === message,
    )
  })

  test('a route that is wrong by itself is not compared with others', () =>
    assert.equal(
      mistakesOf(tree({ a: gets(as('x')(text)), b: gets(text) })).map(({ code }) => code),
      ['FW-MEDIA-001'],
    ))

  test('a mistake in the expression of a path does not hide those behind it', () =>
    assert.equal(
      mistakesOf(tree({ a: at('/{id:[}'), b: at('/{id:(}') })).map(({ code }) => code),
      ['FW-ROUTE-003', 'FW-ROUTE-003'],
    ))

  test('a tree without mistakes, and one without routes', () => {
    assert.is(compile(tree({ a: at('/a') })).plans.length, 1)
    assert.is(compile(tree({})).plans.length, 0)
  })
})
