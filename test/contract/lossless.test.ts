/** JSON with every digit, both ways: the second JSON library (spec: `rest-jsonb`). */
import * as fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  bigint,
  body,
  decimal,
  entity,
  event,
  form,
  formDataPart,
  handle,
  inView,
  int,
  json,
  jsonStream,
  jsonView,
  multipartOutput,
  ndjson,
  ok,
  optional,
  part,
  path,
  post,
  produces,
  routes,
  secureField,
  sse,
  view,
} from '../../src/index.ts'
import {
  jsonArray,
  jsonObject,
  jsonStructure,
  jsonValue,
  lossless,
  standardJson,
} from '../../src/json.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'

const Price = t.type({ id: bigint, amount: decimal })
const price = { id: 9007199254740993n, amount: { unscaled: 1250n, scale: 2 } }
const exactly = '{"id":9007199254740993,"amount":12.50}'
const asTexts = '{"id":"9007199254740993","amount":"12.50"}'

const [Public, Internal] = [view('Public'), view('Internal')]
const Secured = t.type({
  id: bigint,
  amount: inView(Public)(decimal),
  cost: secureField('owner')(bigint),
  margin: inView(Internal)(bigint),
})

/** Whatever the codec gives, sent again. */
const echo = (to: string, codec: t.Mixed) => {
  const representation = json(codec as t.Type<unknown>)
  return pipe(
    path(to),
    post(),
    body(representation),
    produces(representation),
    handle((input) => ok(input.body)),
  )
}

const api = routes({
  under: pipe(
    routes({
      price: echo('/price', Price),
      value: echo('/value', jsonValue),
      object: echo('/object', jsonObject),
      array: echo('/array', jsonArray),
      structure: echo('/structure', jsonStructure),
      unknown: echo('/unknown', t.unknown),
      record: echo('/record', t.record(t.string, t.unknown)),
      number: echo('/number', t.type({ n: t.number, i: optional(int) })),
      member: echo('/member', t.type({ of: jsonObject })),
      secured: pipe(
        path('/secured'),
        post(),
        jsonView(Public),
        produces(json(Secured)),
        handle(() => ok({ ...price, cost: 10n ** 20n, margin: 1n })),
      ),
      again: pipe(echo('/standard', Price), standardJson),
      entity: pipe(
        path('/entity'),
        post(),
        body(entity(Price)),
        produces(entity(Price)),
        handle((input) => ok(input.body)),
      ),
      array2: pipe(
        path('/stream'),
        post(),
        produces(jsonStream(Price), ndjson(Price)),
        handle(() => ok([price, price])),
      ),
      events: pipe(
        path('/events'),
        post(),
        produces(sse(Price)),
        handle(() => ok([price, event('price', price)])),
      ),
      texts: pipe(
        path('/texts'),
        post(),
        produces(sse(json(bigint))),
        handle(() => ok([2n ** 64n])),
      ),
      parts: pipe(
        path('/parts'),
        post(),
        produces(multipartOutput({ price: json(Price) })),
        handle(() => ok({ price })),
      ),
      given: pipe(
        path('/given'),
        post(),
        produces(multipartOutput),
        handle(() => ok([formDataPart('price', price, json(Price))])),
      ),
      form: pipe(
        path('/form'),
        post(),
        form({ price: part(json(Price)) }),
        produces(json(Price)),
        handle((input) => ok(input.form.price)),
      ),
    }),
    lossless,
  ),
  beside: echo('/beside', Price),
  only: pipe(
    path('/only'),
    post(),
    body(json(Price)),
    produces(lossless(json(Price))),
    handle((input) => ok(input.body)),
  ),
})

const typed = { 'content-type': 'application/json' }

contract('lossless JSON', api, (test, call) => {
  const send = async (to: string, sent: string, accept = '*/*') =>
    call(
      new Request(`${base}${to}`, {
        method: 'POST',
        headers: { ...typed, accept },
        body: new TextEncoder().encode(sent),
      }),
    )
  const answer = async (to: string, sent: string, accept?: string) => {
    const response = await send(to, sent, accept)
    return [response.status, response.status === 200 ? await response.text() : ''] as const
  }
  table<
    readonly [name: string, to: string, sent: string, expected: string | number, accept?: string]
  >(
    test,
    [
      ['every digit comes through', '/price', exactly, exactly],
      ['texts are read as well', '/price', asTexts, exactly],
      ['blanks mean nothing', '/price', ' {"id" : 1, "amount":\n1.0 } ', '{"id":1,"amount":1.0}'],
      [
        '1000 digits',
        '/price',
        `{"id":${'9'.repeat(1000)},"amount":0}`,
        `{"id":${'9'.repeat(1000)},"amount":0}`,
      ],
      ['more of them', '/price', `{"id":${'9'.repeat(1001)},"amount":0}`, 400],
      ['a fraction is no bigint', '/price', '{"id":1.5,"amount":0}', 400],
      [
        'undeclared members are dropped',
        '/price',
        '{"id":1,"amount":2,"z":1.0}',
        '{"id":1,"amount":2}',
      ],
      ['what is hidden stays hidden', '/secured', '', exactly],
      ['entities too', '/entity', exactly, exactly],
      ['the nearest wins', '/standard', asTexts, asTexts],
      ['which refuses numbers', '/standard', exactly, 400],
      ['beside the tree nothing changes', '/beside', asTexts, asTexts],
      ['one representation: read as usual', '/only', asTexts, exactly],
      ['one representation: not read otherwise', '/only', exactly, 400],
      ['a number is the nearest double', '/number', '{"n":0.1000000000000000055}', '{"n":0.1}'],
      ['a whole number has many letters', '/number', '{"n":-0,"i":1e2}', '{"n":0,"i":100}'],
      ['a number beyond doubles is refused', '/number', '{"n":1e400}', 400],
      ['an int that is not exact is refused', '/number', '{"n":1,"i":9007199254740993}', 400],
      [
        'anything keeps its digits',
        '/unknown',
        '[1.0,-0,1e400,{"a":12.50}]',
        '[1.0,-0,1e400,{"a":12.50}]',
      ],
      ['so do records', '/record', '{"a":1.0,"b":[2.50]}', '{"a":1.0,"b":[2.50]}'],
      ['a number is no record', '/record', '1.0', 400],
      ['a number is no object', '/object', '1.0', 400],
      ['a member', '/member', '{"of":{"n":1.0}}', '{"of":{"n":1.0}}'],
      ['of two members with one name the last', '/object', '{"a":1.0,"a":2.0}', '{"a":2.0}'],
      ['a stream', '/stream', '', `[${exactly},${exactly}]`],
      ['a value a line', '/stream', '', `${exactly}\n${exactly}\n`, 'application/x-ndjson'],
      ['events', '/events', '', `data: ${exactly}\n\nevent: price\ndata: ${exactly}\n\n`],
      ['events by a representation', '/texts', '', 'data: 18446744073709551616\n\n'],
      ['no content', '/price', '', 400],
      ['what is no JSON', '/price', '{"id":1.0,}', 400],
      ['what is no UTF-8 in the end', '/price', '{"id":1.0', 400],
      ['a name that reaches a prototype', '/unknown', '{"a":1.0,"__proto__":{"b":1}}', 400],
      ['an escaped one', '/unknown', '{"a":1.0,"\\u005f_proto__":{"b":1}}', 400],
      ['another', '/unknown', '{"a":1.0,"constructor":{"prototype":{}}}', 400],
      [
        'as deep as is allowed',
        '/unknown',
        `${'['.repeat(100)}1.0${']'.repeat(100)}`,
        `${'['.repeat(100)}1.0${']'.repeat(100)}`,
      ],
      ['deeper', '/unknown', `${'['.repeat(101)}1.0${']'.repeat(101)}`, 400],
      ['so deep that a stack would end', '/unknown', `${'['.repeat(200_000)}1.0`, 400],
    ],
    async (_, to, sent, expected, accept) => {
      const [status, text] = await answer(to, sent, accept)
      assert.equal([status, text], typeof expected === 'number' ? [expected, ''] : [200, expected])
    },
  )
  for (const to of ['/parts', '/given'])
    test(`the parts of a form that is sent: ${to}`, async () => {
      const text = await (await send(to, '')).text()
      assert.ok(text.includes(`\r\n\r\n${exactly}\r\n`), text)
    })
  test('the parts of a form that is received', async () => {
    const sent = new FormData()
    sent.set('price', exactly)
    const request = new Request(`${base}/form`, { method: 'POST', body: sent })
    assert.is(await (await call(request)).text(), exactly)
  })
  const number = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?(?:[eE][-+]?\d{1,3})?$/)
  const text: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      number,
      fc.string().map((one) => JSON.stringify(one)),
      fc.array(tie('value'), { maxLength: 3 }).map((all) => `[${all.join()}]`),
      fc.tuple(tie('value'), tie('value')).map(([a, b]) => `{"b":${a},"a":${b}}`),
    ),
  })).value
  const kinds: ReadonlyArray<readonly [to: string, fc.Arbitrary<string>]> = [
    ['/value', text],
    ['/unknown', text],
    ['/object', text.map((one) => `{"a":${one}}`)],
    ['/array', text.map((one) => `[${one}]`)],
    ['/structure', text.map((one) => `[{"a":${one}}]`)],
  ]
  for (const [to, texts] of kinds)
    test(`${to} keeps all of it, letter by letter`, () =>
      fc.assert(
        fc.asyncProperty(texts, async (sent) => assert.equal(await answer(to, sent), [200, sent])),
        { numRuns: 40 },
      ))
})

contract(
  'fw.rest.json-library',
  routes({ price: echo('/price', Price), standard: pipe(echo('/standard', Price), standardJson) }),
  (test, call) => {
    const answer = async (to: string, sent: string) =>
      (
        await call(new Request(`${base}${to}`, { method: 'POST', headers: typed, body: sent }))
      ).text()
    test('holds where nothing is said', async () =>
      assert.is(await answer('/price', exactly), exactly))
    test('and nowhere else', async () => assert.is(await answer('/standard', asTexts), asTexts))
  },
  { 'fw.rest.json-library': 'lossless' },
)
