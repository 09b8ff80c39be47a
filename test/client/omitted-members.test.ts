/** Bodies without members that are optional or have a default, and the errors that name invalid members. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import {
  body,
  form,
  handle,
  instant,
  int,
  json,
  list,
  optional,
  part,
  path,
  post,
  produces,
  routes,
  strict,
  withDefault,
} from '../../src/index.ts'
import { xml, xmlRootElement } from '../../src/xml.ts'
import { clientContract, right } from '../support/clients.ts'
import { table } from '../support/describe.ts'

const now = E.toUnion(instant.decode('2026-01-02T03:04:05Z'))
const Inner = t.type({
  size: withDefault(int, 1),
  name: t.string,
  note: optional(t.string),
  at: withDefault(instant, now as never),
})
const Any = t.type({
  list: withDefault(list(Inner), []),
  record: withDefault(t.record(t.string, Inner), {}),
  tuple: withDefault(t.tuple([Inner, t.string]), [
    { size: 0, name: '', note: undefined, at: now as never },
    '',
  ]),
  union: withDefault(t.union([Inner, t.string]), ''),
  both: withDefault(t.intersection([t.type({ id: int }), t.partial({ inner: Inner })]), { id: 0 }),
  strict: withDefault(strict(Inner), { size: 0, name: '', note: undefined, at: now as never }),
  schema: withDefault(z.object({ size: z.number().default(7) }), { size: 8 }),
})
const Root = xmlRootElement('inner')(Inner)

const api = routes({
  any: pipe(
    path('/any'),
    post(),
    body(json(Any)),
    produces(json(t.unknown)),
    handle(({ body: value }) => JSON.parse(JSON.stringify(value)) as unknown),
  ),
  xml: pipe(
    path('/xml'),
    post(),
    body(xml(Root)),
    produces(json(int)),
    handle(({ body: { size } }) => size),
  ),
  part: pipe(
    path('/part'),
    post(),
    form({ inner: part(json(Inner)) }),
    produces(json(int)),
    handle(({ form: { inner } }) => inner.size),
  ),
  whole: pipe(
    path('/whole'),
    post(),
    body(json(withDefault(int, 5))),
    produces(json(int)),
    handle(({ body: value }) => value),
  ),
})
const moment = 'must be a date and time with an offset such as 2024-01-31T10:15:30Z'
const at = '2026-01-02T03:04:05Z'

clientContract('bodies without omitted members', api, (test, calling) => {
  table<
    readonly [
      name: string,
      sent: Parameters<ReturnType<typeof calling>['any']>[0]['body'],
      received: object,
    ]
  >(
    test,
    [
      ['all members', {}, { list: [], union: '', both: { id: 0 }, schema: { size: 8 } }],
      ['members in a list', { list: [{ name: 'a' }] }, { list: [{ size: 1, name: 'a', at }] }],
      [
        'members in a record',
        { record: { b: { name: 'a' } } },
        { record: { b: { size: 1, name: 'a', at } } },
      ],
      [
        'members in a tuple',
        { tuple: [{ name: 'a' }, 'c'] },
        { tuple: [{ size: 1, name: 'a', at }, 'c'] },
      ],
      ['members in a union', { union: { name: 'a' } }, { union: { size: 1, name: 'a', at } }],
      [
        'members in an intersection',
        { both: { id: 1, inner: { name: 'a' } } },
        { both: { id: 1, inner: { size: 1, name: 'a', at } } },
      ],
      [
        'members of a strict object',
        { strict: { name: 'a' } },
        { strict: { size: 1, name: 'a', at } },
      ],
      ['members of a schema', { schema: {} }, { schema: { size: 7 } }],
      [
        'members that are undefined',
        { list: [{ name: 'a', size: undefined }] },
        { list: [{ size: 1, name: 'a', at }] },
      ],
    ],
    async (_, sent, received) => {
      const { body: value } = await right(calling().any({ body: sent }))
      const actual = value as Readonly<Record<string, unknown>>
      for (const [name, expected] of Object.entries(received)) assert.equal(actual[name], expected)
    },
  )
  test('members of XML, parts and a whole body can be omitted', async () => {
    assert.is((await right(calling().xml({ body: { name: 'a' } }))).body, 1)
    assert.is((await right(calling().part({ form: { inner: { name: 'a' } } }))).body, 1)
    assert.is((await right(calling().whole())).body, 5)
    assert.is((await right(calling().whole({ body: 6 }))).body, 6)
  })
  table<readonly [sent: unknown, pointer: string, detail: string]>(
    test,
    [
      [{ list: [{ name: 'a' }, { size: 2 }] }, '#/list/1/name', 'is required and must be a string'],
      [{ list: [{ name: 'a', size: 'b' }] }, '#/list/0/size', 'must be an integer'],
      [{ list: [{ name: 'a', at: 5 }] }, '#/list/0/at', moment],
      [{ record: { 'b/c': { name: 1 } } }, '#/record/b~1c/name', 'must be a string'],
      [{ both: { id: 1, inner: { name: 'a', at: {} } } }, '#/both/inner/at', moment],
      [{ tuple: [{ name: 'a', at: 'now' }, 'c'] }, '#/tuple/0/at', moment],
    ],
    async (sent, pointer, detail) => {
      const result = await calling().any({ body: sent as never })()
      assert.ok(E.isLeft(result) && '_tag' in result.left && result.left._tag === 'EncodeError')
      const [error] = result.left.errors
      assert.ok(error !== undefined && error.in === 'body')
      assert.equal([error.pointer, error.detail], [pointer, detail])
    },
  )
})
