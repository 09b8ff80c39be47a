/** Value types in HAL responses: entities, collections and wrappers, with and without interceptors, and configuration errors. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { addLinks, hal, halCollection, halEntity } from '../../../src/hal.ts'
import {
  body,
  strict,
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
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const acceptHal = { headers: { Accept: 'application/hal+json' } }
const acceptJson = { headers: { Accept: 'application/json' } }

type HalRow = readonly [name: string, line: string, text: string]

const Thing = t.type({ a: int }, 'Thing')
const Open = t.intersection([Thing, t.record(t.string, t.unknown)], 'Open')

valueContract(
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
    emptyList: pipe(
      path('/empty-list'),
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
    strict: pipe(
      path('/strict'),
      get(),
      produces(hal(strict(Thing))),
      handle(() => ({ a: 1 })),
    ),
    open: pipe(
      path('/open'),
      get(),
      produces(hal(Open)),
      handle(() => ({ a: 1, b: 2 })),
    ),
    linksMember: pipe(
      path('/links-member'),
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
    etag: pipe(
      path('/etag'),
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
      ['an empty list', 'GET /empty-list', '{"_embedded":{"items":[]},"_links":{}}'],
      ['a HAL collection of any iterable as JSON', 'GET /wrapped-set', '[{"a":1}]'],
      [
        'a HAL entity in a reply, with two relations for a link',
        'GET /reply',
        '{"a":1,"_links":{"x":{"href":"/%C3%A9"},"y":{"href":"/%C3%A9"}}}',
      ],
      ['an entity with an undeclared member', 'GET /undeclared', '{"a":1,"_links":{}}'],
      ['a strict codec', 'GET /strict', '{"a":1,"_links":{}}'],
      ['an open codec', 'GET /open', '{"a":1,"b":2,"_links":{}}'],
      ['a declared failure', 'GET /failure', '{"a":1,"_links":{}}'],
    ]
    table<HalRow>(test, cases, async (_, line, text) =>
      assert.is(await (await sendRequest(call, line)).text(), text),
    )
    test('a value with a member _links returns 500', async () =>
      assert.is((await sendRequest(call, 'GET /links-member')).status, 500))
    test('withEtag adds an ETag to HAL', async () =>
      assert.match((await sendRequest(call, 'GET /etag')).headers.get('ETag') ?? '', /^"/))
  },
)

valueContract(
  'HAL with a writer interceptor',
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
    test('a HAL entity is written as HAL', async () =>
      assert.is(
        await (await sendRequest(call, 'GET /wrapped', acceptHal)).text(),
        '{"a":1,"_links":{}}',
      ))
    test('a HAL entity is unwrapped for JSON', async () =>
      assert.is(await (await sendRequest(call, 'GET /wrapped', acceptJson)).text(), '{"a":1}'))
  },
)

valueContract(
  'HAL wrappers with an undeclared status',
  pipe(
    routes({
      thing: pipe(
        path('/thing'),
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
    test('a HAL entity is written as its value', async () =>
      assert.is(await (await sendRequest(call, 'GET /thing', acceptJson)).text(), '{"a":1}'))
    test('a HAL entity for an unknown path is written as its value', async () =>
      assert.is(await (await sendRequest(call, 'GET /nowhere', acceptJson)).text(), '{"b":2}'))
  },
)

valueContract(
  'HAL with fw.rest.check-results',
  routes({
    valid: pipe(
      path('/valid'),
      get(),
      produces(json(Thing), hal(Thing)),
      handle(() => halEntity({ a: 1 })),
    ),
    invalid: pipe(
      path('/invalid'),
      get(),
      produces(hal(Thing)),
      handle(() => halEntity({ a: 'x' }) as never),
    ),
  }),
  (test, call) => {
    test('a HAL entity of a valid value returns 200', async () => {
      assert.is((await sendRequest(call, 'GET /valid', acceptHal)).status, 200)
      assert.is((await sendRequest(call, 'GET /valid', acceptJson)).status, 200)
    })
    test('a HAL entity of an invalid value returns 500', async () =>
      assert.is((await sendRequest(call, 'GET /invalid', acceptHal)).status, 500))
  },
  { 'fw.rest.check-results': true },
)

type ErrorRow = readonly [name: string, codec: t.Mixed, expected: RegExp]

describe('HAL configuration errors', (test) => {
  table<ErrorRow>(
    test,
    [
      [
        'a member _links',
        t.type({ _links: t.unknown }, 'Own'),
        /FW-HAL-001[^]*Own declares the reserved member _links/,
      ],
      [
        'a member _embedded',
        list(t.partial({ _embedded: t.unknown }, 'Own')),
        /FW-HAL-001[^]*_embedded/,
      ],
      ['an integer', int, /FW-HAL-001[^]*neither/],
      ['a collection of strings', list(string), /FW-HAL-001[^]*neither/],
    ],
    (_, codec, expected) =>
      assert.throws(
        () =>
          inMemory(
            routes({
              operation: pipe(
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
  test('rejects a collection as a request body', () =>
    assert.throws(
      () =>
        inMemory(
          routes({
            operation: pipe(
              path('/'),
              post(),
              body(hal(list(Thing))),
              handle(() => noContent),
            ),
          }),
        ),
      /FW-HAL-001[^]*cannot be a collection/,
    ))
})
