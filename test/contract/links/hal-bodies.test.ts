/** HAL request bodies, read by JSON libraries and custom functions. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { hal } from '../../../src/hal.ts'
import {
  bigint,
  body,
  decimal,
  strict,
  handle,
  int,
  json,
  path,
  post,
  produces,
  routes,
} from '../../../src/index.ts'
import { customDeserialization, lossless } from '../../../src/json.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const Price = t.type({ id: bigint, amount: decimal }, 'Price')
const Open = t.intersection([t.type({ a: int }), t.record(t.string, t.unknown)], 'Open')
const Same = t.type({ a: int }, 'Same')

/** Decodes a HAL body and returns it as JSON. */
const echo = (target: `/${string}`, codec: t.Mixed) =>
  pipe(
    path(target),
    post(),
    body(hal(codec as t.Type<unknown>)),
    produces(json(codec as t.Type<unknown>)),
    handle((input) => input.body),
  )

const bodies = routes({
  price: lossless(echo('/price', Price)),
  open: echo('/open', Open),
  strict: echo('/strict', strict(Same)),
  same: echo('/same', Same),
  commented: customDeserialization((_, parse) => (source) => parse(source.replace(/^#.*\n/, '')))(
    echo('/commented', Same),
  ),
})

const halMembers = '"_links":{"self":{"href":"/a"}},"_embedded":{"b":[]}'

type BodyRow = readonly [name: string, line: string, sent: string, expected: string | number]

const halInit = (text: string): RequestInit => ({
  headers: { 'Content-Type': 'application/hal+json' },
  body: Buffer.from(text),
})

const received: ReadonlyArray<BodyRow> = [
  [
    'lossless numbers',
    '/price',
    `{"id":9007199254740993,"amount":12.50,${halMembers}}`,
    '{"id":9007199254740993,"amount":12.50}',
  ],
  ['a custom deserializer', '/commented', `# of today\n{"a":1,${halMembers}}`, '{"a":1}'],
  [
    'an open codec ignores _links and _embedded',
    '/open',
    `{${halMembers},"a":1,"b":2}`,
    '{"a":1,"b":2}',
  ],
  ['a strict codec ignores _links and _embedded', '/strict', `{"a":1,${halMembers}}`, '{"a":1}'],
  ['a strict codec rejects other undeclared members', '/strict', '{"a":1,"b":2}', 400],
  [
    'a nested member _links is kept',
    '/open',
    '{"a":1,"b":{"_links":1}}',
    '{"a":1,"b":{"_links":1}}',
  ],
  ['an array instead of an object', '/same', '[]', 400],
  ['an empty body', '/same', '', 400],
]

contract('HAL request bodies', bodies, (test, call) => {
  table<BodyRow>(test, received, async (_, line, text, expected) => {
    const response = await sendRequest(call, `POST ${line}`, halInit(text))
    if (typeof expected === 'number') assert.is(response.status, expected)
    else assert.is(await response.text(), expected)
  })
})

contract(
  'HAL request bodies with fw.rest.jsonlib.fail-on-unknown-properties',
  bodies,
  (test, call) => {
    test('accepts _links and _embedded', async () =>
      assert.is(
        await (await sendRequest(call, 'POST /same', halInit(`{"a":1,${halMembers}}`))).text(),
        '{"a":1}',
      ))
    test('rejects other undeclared members', async () =>
      assert.is((await sendRequest(call, 'POST /same', halInit('{"a":1,"b":2}'))).status, 400))
  },
  { 'fw.rest.jsonlib.fail-on-unknown-properties': true },
)
