/** `lossless` and `standardJson`: JSON numbers that keep every digit when read and written. */
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
} from '../../../src/index.ts'
import {
  jsonArray,
  jsonObject,
  jsonStructure,
  jsonValue,
  lossless,
  standardJson,
} from '../../../src/json.ts'
import { table } from '../../support/describe.ts'
import { base, valueContract } from '../../support/contract.ts'

const Price = t.type({ id: bigint, amount: decimal })
const price = { id: 9007199254740993n, amount: { unscaled: 1250n, scale: 2 } }
const asNumbers = '{"id":9007199254740993,"amount":12.50}'
const asStrings = '{"id":"9007199254740993","amount":"12.50"}'

const [Public, Internal] = [view('Public'), view('Internal')]
const Secured = t.type({
  id: bigint,
  amount: inView(Public)(decimal),
  cost: secureField('owner')(bigint),
  margin: inView(Internal)(bigint),
})

/** Returns the decoded request body. */
const echo = (target: string, codec: t.Mixed) => {
  const representation = json(codec as t.Type<unknown>)
  return pipe(
    path(target),
    post(),
    body(representation),
    produces(representation),
    handle((input) => ok(input.body)),
  )
}

const api = routes({
  tree: pipe(
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
      standard: pipe(echo('/standard', Price), standardJson),
      entity: pipe(
        path('/entity'),
        post(),
        body(entity(Price)),
        produces(entity(Price)),
        handle((input) => ok(input.body)),
      ),
      stream: pipe(
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
      dynamicParts: pipe(
        path('/dynamic-parts'),
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
  outside: echo('/outside', Price),
  responseOnly: pipe(
    path('/response-only'),
    post(),
    body(json(Price)),
    produces(lossless(json(Price))),
    handle((input) => ok(input.body)),
  ),
})

const jsonHeaders = { 'content-type': 'application/json' }

valueContract('lossless JSON', api, (test, call) => {
  const send = async (target: string, sent: string, accept = '*/*') =>
    call(
      new Request(`${base}${target}`, {
        method: 'POST',
        headers: { ...jsonHeaders, accept },
        body: new TextEncoder().encode(sent),
      }),
    )
  const exchange = async (target: string, sent: string, accept?: string) => {
    const response = await send(target, sent, accept)
    return [response.status, response.status === 200 ? await response.text() : ''] as const
  }
  type Row = readonly [string, target: string, sent: string, string | number, accept?: string]
  table<Row>(
    test,
    [
      ['reads and writes every digit', '/price', asNumbers, asNumbers],
      ['reads numbers sent as strings', '/price', asStrings, asNumbers],
      ['ignores white space', '/price', ' {"id" : 1, "amount":\n1.0 } ', '{"id":1,"amount":1.0}'],
      [
        'a number of 1000 digits',
        '/price',
        `{"id":${'9'.repeat(1000)},"amount":0}`,
        `{"id":${'9'.repeat(1000)},"amount":0}`,
      ],
      ['a number of 1001 digits', '/price', `{"id":${'9'.repeat(1001)},"amount":0}`, 400],
      ['a fraction for a bigint', '/price', '{"id":1.5,"amount":0}', 400],
      ['strips undeclared members', '/price', '{"id":1,"amount":2,"z":1.0}', '{"id":1,"amount":2}'],
      ['omits restricted members and members outside the view', '/secured', '', asNumbers],
      ['an entity', '/entity', asNumbers, asNumbers],
      ['standardJson overrides lossless on the tree', '/standard', asStrings, asStrings],
      ['standardJson rejects numbers for bigints', '/standard', asNumbers, 400],
      ['an operation outside the lossless tree', '/outside', asStrings, asStrings],
      ['a lossless response writes every digit', '/response-only', asStrings, asNumbers],
      ['a lossless response does not affect the request', '/response-only', asNumbers, 400],
      ['t.number reads the nearest double', '/number', '{"n":0.1000000000000000055}', '{"n":0.1}'],
      ['reads -0 and an exponent as integers', '/number', '{"n":-0,"i":1e2}', '{"n":0,"i":100}'],
      ['a t.number beyond the range of doubles', '/number', '{"n":1e400}', 400],
      ['an int beyond the safe integers', '/number', '{"n":1,"i":9007199254740993}', 400],
      [
        't.unknown keeps every digit',
        '/unknown',
        '[1.0,-0,1e400,{"a":12.50}]',
        '[1.0,-0,1e400,{"a":12.50}]',
      ],
      ['a record keeps every digit', '/record', '{"a":1.0,"b":[2.50]}', '{"a":1.0,"b":[2.50]}'],
      ['a number for a record', '/record', '1.0', 400],
      ['a number for jsonObject', '/object', '1.0', 400],
      ['jsonObject as a member', '/member', '{"of":{"n":1.0}}', '{"of":{"n":1.0}}'],
      ['the last of two members with the same name', '/object', '{"a":1.0,"a":2.0}', '{"a":2.0}'],
      ['a JSON stream', '/stream', '', `[${asNumbers},${asNumbers}]`],
      ['an NDJSON stream', '/stream', '', `${asNumbers}\n${asNumbers}\n`, 'application/x-ndjson'],
      [
        'server-sent events',
        '/events',
        '',
        `data: ${asNumbers}\n\nevent: price\ndata: ${asNumbers}\n\n`,
      ],
      ['server-sent events of a JSON codec', '/texts', '', 'data: 18446744073709551616\n\n'],
      ['an empty body', '/price', '', 400],
      ['malformed JSON', '/price', '{"id":1.0,}', 400],
      ['truncated JSON', '/price', '{"id":1.0', 400],
      ['a member named __proto__', '/unknown', '{"a":1.0,"__proto__":{"b":1}}', 400],
      ['an escaped member name __proto__', '/unknown', '{"a":1.0,"\\u005f_proto__":{"b":1}}', 400],
      ['a member named constructor', '/unknown', '{"a":1.0,"constructor":{"prototype":{}}}', 400],
      [
        'the maximum depth',
        '/unknown',
        `${'['.repeat(100)}1.0${']'.repeat(100)}`,
        `${'['.repeat(100)}1.0${']'.repeat(100)}`,
      ],
      ['a depth above the maximum', '/unknown', `${'['.repeat(101)}1.0${']'.repeat(101)}`, 400],
      ['a depth that would overflow the stack', '/unknown', `${'['.repeat(200_000)}1.0`, 400],
    ],
    async (_, target, sent, expected, accept) => {
      const [status, text] = await exchange(target, sent, accept)
      assert.equal([status, text], typeof expected === 'number' ? [expected, ''] : [200, expected])
    },
  )
  for (const target of ['/parts', '/dynamic-parts'])
    test(`GET ${target} writes a multipart part with every digit`, async () => {
      const text = await (await send(target, '')).text()
      assert.ok(text.includes(`\r\n\r\n${asNumbers}\r\n`), text)
    })
  test('a multipart part of the request keeps every digit', async () => {
    const sent = new FormData()
    sent.set('price', asNumbers)
    const request = new Request(`${base}/form`, { method: 'POST', body: sent })
    assert.is(await (await call(request)).text(), asNumbers)
  })
  const number = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?(?:[eE][-+]?\d{1,3})?$/)
  const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      number,
      fc.string().map((value) => JSON.stringify(value)),
      fc.array(tie('value'), { maxLength: 3 }).map((elements) => `[${elements.join()}]`),
      fc.tuple(tie('value'), tie('value')).map(([a, b]) => `{"b":${a},"a":${b}}`),
    ),
  })).value
  const cases: ReadonlyArray<readonly [target: string, fc.Arbitrary<string>]> = [
    ['/value', jsonText],
    ['/unknown', jsonText],
    ['/object', jsonText.map((value) => `{"a":${value}}`)],
    ['/array', jsonText.map((value) => `[${value}]`)],
    ['/structure', jsonText.map((value) => `[{"a":${value}}]`)],
  ]
  for (const [target, texts] of cases)
    test(`POST ${target} returns the JSON text unchanged`, () =>
      fc.assert(
        fc.asyncProperty(texts, async (sent) =>
          assert.equal(await exchange(target, sent), [200, sent]),
        ),
        { numRuns: 40 },
      ))
})

valueContract(
  'fw.rest.json-library',
  routes({ price: echo('/price', Price), standard: pipe(echo('/standard', Price), standardJson) }),
  (test, call) => {
    const send = async (target: string, sent: string) =>
      (
        await call(
          new Request(`${base}${target}`, { method: 'POST', headers: jsonHeaders, body: sent }),
        )
      ).text()
    test('lossless applies to an operation without a JSON library', async () =>
      assert.is(await send('/price', asNumbers), asNumbers))
    test('standardJson overrides the setting', async () =>
      assert.is(await send('/standard', asStrings), asStrings))
  },
  { 'fw.rest.json-library': 'lossless' },
)
