/** Bodies in HAL, read and written under the rules of JSON. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { hal } from '../../src/hal.ts'
import {
  bigint,
  body,
  decimal,
  exact,
  handle,
  int,
  json,
  path,
  post,
  produces,
  routes,
} from '../../src/index.ts'
import { customDeserialization, lossless } from '../../src/json.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const Price = t.type({ id: bigint, amount: decimal }, 'Price')
const Open = t.intersection([t.type({ a: int }), t.record(t.string, t.unknown)], 'Open')
const Same = t.type({ a: int }, 'Same')

/** Answers as JSON what it was sent as HAL. */
const echo = (at: `/${string}`, codec: t.Mixed) =>
  pipe(
    path(at),
    post(),
    body(hal(codec as t.Type<unknown>)),
    produces(json(codec as t.Type<unknown>)),
    handle((input) => input.body),
  )

const bodies = routes({
  price: lossless(echo('/price', Price)),
  open: echo('/open', Open),
  exact: echo('/exact', exact(Same)),
  same: echo('/same', Same),
  commented: customDeserialization((_, parse) => (given) => parse(given.replace(/^#.*\n/, '')))(
    echo('/commented', Same),
  ),
})

const around = '"_links":{"self":{"href":"/a"}},"_embedded":{"b":[]}'

type BodyRow = readonly [name: string, line: string, sent: string, expected: string | number]

const given = (text: string): RequestInit => ({
  headers: { 'Content-Type': 'application/hal+json' },
  body: Buffer.from(text),
})

const received: ReadonlyArray<BodyRow> = [
  [
    'with every digit',
    '/price',
    `{"id":9007199254740993,"amount":12.50,${around}}`,
    '{"id":9007199254740993,"amount":12.50}',
  ],
  ['by a function', '/commented', `# of today\n{"a":1,${around}}`, '{"a":1}'],
  [
    'without what HAL adds, where anything goes',
    '/open',
    `{${around},"a":1,"b":2}`,
    '{"a":1,"b":2}',
  ],
  ['and where nothing else goes', '/exact', `{"a":1,${around}}`, '{"a":1}'],
  ['an exact codec refuses others', '/exact', '{"a":1,"b":2}', 400],
  [
    'within an entity it is a member as any other',
    '/open',
    '{"a":1,"b":{"_links":1}}',
    '{"a":1,"b":{"_links":1}}',
  ],
  ['no entity', '/same', '[]', 400],
  ['nothing', '/same', '', 400],
]

contract('bodies in HAL', bodies, (test, call) => {
  table<BodyRow>(test, received, async (_, line, text, expected) => {
    const response = await ask(call, `POST ${line}`, given(text))
    if (typeof expected === 'number') assert.is(response.status, expected)
    else assert.is(await response.text(), expected)
  })
})

contract(
  'bodies in HAL where undeclared members are refused',
  bodies,
  (test, call) => {
    test('links are none', async () =>
      assert.is(
        await (await ask(call, 'POST /same', given(`{"a":1,${around}}`))).text(),
        '{"a":1}',
      ))
    test('others are', async () =>
      assert.is((await ask(call, 'POST /same', given('{"a":1,"b":2}'))).status, 400))
  },
  { 'fw.rest.jsonlib.fail-on-unknown-properties': true },
)
