/** Expansion of path variables in links: from members of the entity and from its identifier. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Routes } from '../../../src/index.ts'
import {
  decimal,
  get,
  handle,
  int,
  json,
  list,
  noContent,
  optional,
  path,
  plainDate,
  produces,
  routes,
  segments,
  string,
} from '../../../src/index.ts'
import { injectLinks, linkId, primaryKey, rel } from '../../../src/links.ts'
import { inMemory } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { linksIn } from '../../support/linked-books.ts'

const Dated = t.type({
  day: plainDate,
  price: decimal,
  tags: list(string),
  isOpen: t.boolean,
  nothing: optional(string),
  empty: string,
  dots: string,
  secret: string,
})
const Public = t.type({ day: plainDate }, 'Public')

valueContract(
  'link variables',
  () => {
    const target = (template: '/{day}') =>
      pipe(
        path('/t'),
        get(template),
        rel('t', { entity: Dated }),
        handle(() => noContent),
      )
    const day = plainDate.decode('2020-01-31')
    if (day._tag === 'Left') throw new Error('invalid date')
    const price = decimal.decode('1.50')
    if (price._tag === 'Left') throw new Error('invalid decimal')
    const value = {
      day: day.right,
      price: price.right,
      tags: ['a', 'b/c'],
      isOpen: true,
      nothing: undefined,
      empty: '',
      dots: '..',
      secret: 'canary',
    }
    const at = (template: string) => target(template as '/{day}')
    return routes({
      day: pipe(
        path('/t/{day}', { day: plainDate }),
        get(),
        rel('t', { entity: Dated }),
        handle(() => noContent),
      ),
      text: at('/text/{day}'),
      price: at('/p/{price}/{day}'),
      tags: pipe(
        path('/t/tags/{tags}', { tags: segments(string) }),
        get(),
        rel('t', { entity: Dated }),
        handle(() => noContent),
      ),
      list: at('/list/{tags}/{day}'),
      open: at('/{isOpen}-{day}'),
      nothing: at('/n/{nothing}/{day}'),
      empty: at('/e/{empty}/{day}'),
      dots: at('/d/{dots}/{day}'),
      inDots: at('/x{dots}/{day}'),
      expression: at('/{day:[^/]+}.html'),
      encoded: at('/a%20b ü?/{day}'),
      dated: pipe(
        path('/dated'),
        get(),
        produces(json(Dated)),
        injectLinks('instance'),
        handle(() => value),
      ),
      public: pipe(
        path('/public'),
        get(),
        produces(json(Public)),
        injectLinks('instance'),
        handle(() => value),
      ),
      leak: pipe(
        path('/leak/{secret}/{day}'),
        get(),
        rel('leak', { entity: Public }),
        handle(() => noContent),
      ),
    })
  },
  (test, call) => {
    test('a value is encoded by the codec of the path variable or of the member', async () =>
      assert.equal(
        linksIn(await sendRequest(call, 'GET /dated')).map((link) =>
          link.replace(/^<…\/t(.*)>; rel="t"$/, '$1'),
        ),
        [
          '/2020-01-31',
          '/text/2020-01-31',
          '/p/1.50/2020-01-31',
          '/tags/a/b%2Fc',
          '/list/{tags}/2020-01-31',
          '/true-2020-01-31',
          '/n/{nothing}/2020-01-31',
          '/e/{empty}/2020-01-31',
          '/d/{dots}/2020-01-31',
          '/x../2020-01-31',
          '/2020-01-31.html',
          '/a%20b%20%C3%BC%3F/2020-01-31',
        ],
      ))
    test('an undeclared member is not used', async () =>
      assert.equal(linksIn(await sendRequest(call, 'GET /public')), [
        '<…/leak/{secret}/2020-01-31>; rel="leak"',
      ]))
  },
)

type IdRow = readonly [name: string, members: t.Props, template: string, path: string]

const identifiers: ReadonlyArray<IdRow> = [
  ['a member named id', { id: int, a: int }, '/{id}', '/1'],
  ['a member with linkId', { id: int, a: linkId(int) }, '/{id}', '/2'],
  ['a member with primaryKey', { id: int, a: primaryKey(int) }, '/{id}', '/2'],
  ['linkId before primaryKey', { id: int, a: primaryKey(int), b: linkId(int) }, '/{id}', '/3'],
  ['a variable with the name of the identifier', { id: int, a: linkId(int) }, '/{a}', '/2'],
  ['variables for the identifier and for id', { id: int, a: linkId(int) }, '/{a}/{id}', '/2/1'],
  ['a member, and the identifier as id', { b: int, a: linkId(int) }, '/{b}/{id}', '/3/2'],
  ['linkId inside other codecs', { a: optional(t.readonly(linkId(int))) }, '/{id}', '/2'],
  ['linkId of an optional codec', { a: linkId(optional(int)) }, '/{id}', '/2'],
  ['id does not fill a variable of another name', { id: int }, '/{slugOrId}', '/{slugOrId}'],
  ['the identifier does not fill two variables', { a: linkId(int) }, '/{x}/{y}', '/{x}/{y}'],
  ['the identifier is used once', { a: linkId(int) }, '/{a}/{page}', '/2/{page}'],
  ['a variable with literal text in its segment', { a: linkId(int) }, '/v{id}.html', '/v2.html'],
  ['id below the path of the entity', { a: linkId(int) }, '/things/{id}/parts', '/things/2/parts'],
  ['linkId does not fill a variable of another name', { a: linkId(int) }, '/{slug}', '/{slug}'],
  ['primaryKey does not fill a variable of another name', { a: primaryKey(int) }, '/{x}', '/{x}'],
  [
    'a variable of another name below the path of the entity',
    { a: linkId(int) },
    '/things/{number}/parts',
    '/things/{number}/parts',
  ],
  [
    'a variable of another name after a member',
    { b: int, a: linkId(int) },
    '/{b}/{other}',
    '/3/{other}',
  ],
]

const treeOf = (members: t.Props, template: string): Routes<unknown> => {
  const Thing = t.type(members, 'Thing')
  return routes({
    thing: pipe(
      path('/thing'),
      get(),
      produces(json(Thing)),
      injectLinks('instance'),
      handle(() => ({ id: 1, a: 2, b: 3 })),
    ),
    item: pipe(
      path('/things/{n}'),
      get(),
      produces(json(Thing)),
      handle(() => ({ id: 1, a: 2, b: 3 })),
    ),
    target: pipe(
      path(template as ''),
      get(),
      rel('target', { entity: Thing }),
      handle(() => noContent),
    ),
  })
}

describe('entity identifiers in links', (test) => {
  table<IdRow>(test, identifiers, async (_, members, template, expected) =>
    assert.equal(linksIn(await sendRequest(inMemory(treeOf(members, template)), 'GET /thing')), [
      `<…${expected}>; rel="target"`,
    ]),
  )
})
