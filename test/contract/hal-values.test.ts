/** Values of all kinds in HAL, and what is none. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { addLinks, hal, halCollection, halEntity } from '../../src/hal.ts'
import {
  body,
  exact,
  fails,
  get,
  handle,
  int,
  json,
  list,
  noContent,
  ok,
  optional,
  path,
  post,
  produces,
  reply,
  responseFilter,
  routes,
  set,
  string,
  withEtag,
  withFilter,
  withInterceptor,
  writerInterceptor,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const inHal = { headers: { Accept: 'application/hal+json' } }
const inJson = { headers: { Accept: 'application/json' } }

type HalRow = readonly [name: string, line: string, text: string]

const Thing = t.type({ a: int }, 'Thing')
const Open = t.intersection([Thing, t.record(t.string, t.unknown)], 'Open')

contract(
  'HAL without links',
  routes({
    empty: pipe(
      path('/empty'),
      get(),
      produces(hal(t.partial({ a: int }))),
      handle(() => ({})),
    ),
    set: pipe(
      path('/set'),
      get(),
      produces(hal(set(Thing))),
      handle(() => new Set([{ a: 1 }, { a: 2 }])),
    ),
    none: pipe(
      path('/none'),
      get(),
      produces(hal(list(Thing))),
      handle(() => []),
    ),
    wrappedSet: pipe(
      path('/wrapped-set'),
      get(),
      produces(json(list(Thing)), hal(list(Thing))),
      handle(() => halCollection(new Set([{ a: 1 }]))),
    ),
    reply: pipe(
      path('/reply'),
      get(),
      produces(hal(Thing)),
      handle(() => ok(pipe(halEntity({ a: 1 }), addLinks({ rel: ['x', 'y'], target: '/é' })))),
    ),
    undeclared: pipe(
      path('/undeclared'),
      get(),
      produces(hal(Thing)),
      handle(() => ({ a: 1, b: 2 })),
    ),
    exact: pipe(
      path('/exact'),
      get(),
      produces(hal(exact(Thing))),
      handle(() => ({ a: 1 })),
    ),
    open: pipe(
      path('/open'),
      get(),
      produces(hal(Open)),
      handle(() => ({ a: 1, b: 2 })),
    ),
    own: pipe(
      path('/own'),
      get(),
      produces(hal(Open)),
      handle(() => ({ a: 1, _links: {} })),
    ),
    optional: pipe(
      path('/optional'),
      get(),
      produces(hal(list(optional(Thing)))),
      handle(() => [{ a: 1 }, undefined]),
    ),
    failure: pipe(
      path('/failure'),
      get(),
      produces(json(int)),
      fails(409, hal(Thing)),
      handle(() => ({ _tag: 'Left', left: { a: 1 } }) as const),
    ),
    tagged: pipe(
      path('/tagged'),
      get(),
      produces(withEtag('strong')(hal(Thing))),
      handle(() => ({ a: 1 })),
    ),
  }),
  (test, call) => {
    const cases: ReadonlyArray<HalRow> = [
      ['an entity without members', 'GET /empty', '{"_links":{}}'],
      [
        'a set',
        'GET /set',
        '{"_embedded":{"items":[{"a":1,"_links":{}},{"a":2,"_links":{}}]},"_links":{}}',
      ],
      ['no elements', 'GET /none', '{"_embedded":{"items":[]},"_links":{}}'],
      ['a wrapper of any iterable', 'GET /wrapped-set', '[{"a":1}]'],
      [
        'a wrapper in a reply, several relations',
        'GET /reply',
        '{"a":1,"_links":{"x":{"href":"/%C3%A9"},"y":{"href":"/%C3%A9"}}}',
      ],
      ['members that are not declared are left out', 'GET /undeclared', '{"a":1,"_links":{}}'],
      ['an exact codec', 'GET /exact', '{"a":1,"_links":{}}'],
      ['a record', 'GET /open', '{"a":1,"b":2,"_links":{}}'],
      ['a failure', 'GET /failure', '{"a":1,"_links":{}}'],
    ]
    table<HalRow>(test, cases, async (_, line, text) =>
      assert.is(await (await ask(call, line)).text(), text),
    )
    test('links of its own at run time are a defect', async () =>
      assert.is((await ask(call, 'GET /own')).status, 500))
    test('is tagged', async () =>
      assert.match((await ask(call, 'GET /tagged')).headers.get('ETag') ?? '', /^"/))
  },
)

contract(
  'HAL through interceptors',
  pipe(
    routes({
      wrapped: pipe(
        path('/wrapped'),
        get(),
        produces(json(Thing), hal(Thing)),
        handle(() => halEntity({ a: 1 })),
      ),
    }),
    withInterceptor(writerInterceptor((_, proceed) => proceed())),
  ),
  (test, call) => {
    test('a wrapper is written', async () =>
      assert.is(await (await ask(call, 'GET /wrapped', inHal)).text(), '{"a":1,"_links":{}}'))
    test('a wrapper is unwrapped for JSON', async () =>
      assert.is(await (await ask(call, 'GET /wrapped', inJson)).text(), '{"a":1}'))
  },
)

contract(
  'HAL of which nobody says how it is written',
  pipe(
    routes({
      one: pipe(
        path('/one'),
        get(),
        produces(json(Thing), hal(Thing)),
        handle(() => halEntity({ a: 1 })),
      ),
    }),
    withFilter(
      responseFilter(({ status, entity }) =>
        reply(418, status === 404 ? halEntity({ b: 2 }) : entity),
      ),
    ),
  ),
  (test, call) => {
    test('a wrapper is its value', async () =>
      assert.is(await (await ask(call, 'GET /one', inJson)).text(), '{"a":1}'))
    test('a wrapper where nothing was matched is its value', async () =>
      assert.is(await (await ask(call, 'GET /nowhere', inJson)).text(), '{"b":2}'))
  },
)

contract(
  'HAL with results checked',
  routes({
    right: pipe(
      path('/right'),
      get(),
      produces(json(Thing), hal(Thing)),
      handle(() => halEntity({ a: 1 })),
    ),
    wrong: pipe(
      path('/wrong'),
      get(),
      produces(hal(Thing)),
      handle(() => halEntity({ a: 'x' }) as never),
    ),
  }),
  (test, call) => {
    test('a wrapper of what is right is sent', async () => {
      assert.is((await ask(call, 'GET /right', inHal)).status, 200)
      assert.is((await ask(call, 'GET /right', inJson)).status, 200)
    })
    test('a wrapper of what is wrong is not', async () =>
      assert.is((await ask(call, 'GET /wrong', inHal)).status, 500))
  },
  { 'fw.rest.check-results': true },
)

type MistakeRow = readonly [name: string, codec: t.Mixed, expected: RegExp]

describe('mistakes in HAL', (test) => {
  table<MistakeRow>(
    test,
    [
      [
        'a member _links',
        t.type({ _links: t.unknown }, 'Own'),
        /FW-HAL-001[^]*Own has a member _links/,
      ],
      [
        'a member _embedded',
        list(t.partial({ _embedded: t.unknown }, 'Own')),
        /FW-HAL-001[^]*_embedded/,
      ],
      ['no object', int, /FW-HAL-001[^]*neither/],
      ['a collection of no objects', list(string), /FW-HAL-001[^]*neither/],
    ],
    (_, codec, expected) =>
      assert.throws(
        () =>
          inMemory(
            routes({
              one: pipe(
                path('/'),
                get(),
                produces(hal(codec)),
                handle(() => undefined as never),
              ),
            }),
          ),
        expected,
      ),
  )
  test('a collection as a body', () =>
    assert.throws(
      () =>
        inMemory(
          routes({
            one: pipe(
              path('/'),
              post(),
              body(hal(list(Thing))),
              handle(() => noContent),
            ),
          }),
        ),
      /FW-HAL-001[^]*only sent/,
    ))
})
