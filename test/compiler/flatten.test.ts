import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AnyNode } from '../../src/endpoint/routes.ts'
import { get, needs, path, prefix, produces, provide, routes, slot, text } from '../../src/index.ts'
import { flatten } from '../../src/compiler/flatten.ts'
import { describe, table } from '../support/describe.ts'

const ping = pipe(path('/ping'), get(), produces(text))
const root = pipe(path('/'), get(), produces(text))
const bare = pipe(path('books'), get('{isbn}/'), produces(text))

const routeTitles = (api: AnyNode, below: string): ReadonlyArray<string> =>
  flatten(api, below).routes.map(({ name, template }) => `${name} ${template}`)

describe('flatten', (test) => {
  table<readonly [string, AnyNode, string, ReadonlyArray<string>]>(
    test,
    [
      ['an empty tree', routes({}), '/', []],
      ['endpoints in the order of the tree', routes({ ping, a: root }), '/', ['ping /ping', 'a /']],
      ['names joined by dots', routes({ a: routes({ b: ping }) }), '/', ['a.b /ping']],
      ['one endpoint twice', routes({ a: ping, b: ping }), '/', ['a /ping', 'b /ping']],
      ['a tree below a path', routes({ ping, root }), '/rest', ['ping /rest/ping', 'root /rest']],
      [
        'a path with a trailing slash',
        routes({ ping, root }),
        '/rest/',
        ['ping /rest/ping', 'root /rest'],
      ],
      ['templates without slashes', routes({ bare }), '/', ['bare /books/{isbn}/']],
      ['a prefix', pipe(routes({ ping, root }), prefix('/v1')), '/', ['ping /v1/ping', 'root /v1']],
      [
        'the outermost prefix first',
        pipe(routes({ ping }), prefix('/inner'), prefix('outer/')),
        '/',
        ['ping /outer/inner/ping'],
      ],
      [
        'a prefix of a subtree',
        routes({ a: pipe(routes({ ping }), prefix('/a')), ping }),
        '/',
        ['a.ping /a/ping', 'ping /ping'],
      ],
    ],
    (_, api, below, expected) => assert.equal(routeTitles(api, below), expected),
  )

  test('the innermost provided value applies', () => {
    const reading = pipe(ping, needs({ a: slot<number>()('a'), b: slot<number>()('b') }))
    const inner = pipe(routes({ reading }), provide({ a: 1 }))
    const tree = pipe(routes({ inner, reading }), provide({ a: 2, b: 2 }), provide({ b: 3, c: 3 }))
    assert.equal(
      flatten(tree, '/').routes.map(({ chain }) => chain.needs.map(({ source }) => source)),
      [
        [
          { _tag: 'Provided', value: 1 },
          { _tag: 'Provided', value: 2 },
        ],
        [
          { _tag: 'Provided', value: 2 },
          { _tag: 'Provided', value: 2 },
        ],
      ],
    )
  })
  test('keeps the definition of the endpoint', () =>
    assert.is(flatten(routes({ ping }), '/').routes[0]?.definition, ping.definition))
})
