/** Number codecs accept one spelling of each number in parameters and text bodies. JSON bodies accept all spellings. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  between,
  bigint,
  body,
  cookie,
  decimal,
  enumOf,
  form,
  get,
  handle,
  header,
  int,
  integer,
  json,
  list,
  matrix,
  number,
  optional,
  path,
  post,
  produces,
  query,
  rawJson,
  routes,
  segments,
  separated,
  set,
  withDefault,
} from '../../../src/index.ts'
import {
  responseTo,
  testRequests,
  validationErrorsOf,
  sendRequest,
  inputAsJson,
} from '../../support/send-request.ts'
import type { Test } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import type { InMemoryCall } from '../../../src/testing.ts'

const producesJson = produces(rawJson)

const api = routes({
  path: pipe(path('/path/{p}', { p: int }), get(), producesJson, handle(inputAsJson)),
  several: pipe(
    path('/several/{p}', { p: segments(int) }),
    get(),
    producesJson,
    handle(inputAsJson),
  ),
  segment: pipe(
    path('/segment/{a}-{b}', { a: int, b: int }),
    get(),
    producesJson,
    handle(inputAsJson),
  ),
  query: pipe(
    path('/query'),
    get(),
    query({
      int: optional(int),
      integer: optional(integer),
      Int: optional(t.Int),
      between: optional(between(-9, 9)(int)),
      brand: optional(
        t.brand(int, (n): n is t.Branded<number, { readonly Id: symbol }> => n < 9, 'Id'),
      ),
      both: optional(t.intersection([int, between(0, 9)(number)])),
      either: optional(t.union([int, t.literal('all')])),
      withDefault: withDefault(int, 1),
      list: list(int),
      set: set(int),
      separated: separated(',')(int),
      number: optional(number),
      double: optional(t.number),
      literal: optional(t.literal(5)),
      enumOf: optional(enumOf(5, 1e21)),
      bigint: optional(bigint),
      decimal: optional(decimal),
    }),
    producesJson,
    handle(({ query: values }) =>
      inputAsJson(
        Object.fromEntries(Object.entries(values).filter(([key, value]) => !isDefault(key, value))),
      ),
    ),
  ),
  kinds: pipe(
    path('/kinds'),
    post(),
    header({ xH: optional(int) }),
    cookie({ c: optional(int) }),
    matrix({ m: optional(int) }),
    form({ f: optional(int) }),
    producesJson,
    handle(inputAsJson),
  ),
  json: pipe(
    path('/json'),
    post(),
    body(json(int)),
    producesJson,
    handle(({ body: value }) => inputAsJson(value)),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(int),
    producesJson,
    handle(({ body: value }) => inputAsJson(value)),
  ),
})

const isDefault = (key: string, value: unknown): boolean =>
  value === undefined ||
  (key === 'withDefault' && value === 1) ||
  (Array.isArray(value) && value.length === 0) ||
  (value instanceof Set && value.size === 0)

const otherSpellings = [
  '7.0',
  '7e0',
  '7E0',
  '70e-1',
  '+7',
  '07',
  '00000007.',
  '7.',
  '-07',
  '-0',
  '00',
  '-0.0',
  '0x7',
  ' 7',
  '7_',
  '٧',
]

const rejects = (
  test: Test,
  call: InMemoryCall,
  kind: string,
  status: number,
  request: (spelling: string) => readonly [line: string, init?: RequestInit],
): void =>
  otherSpellings.forEach((spelling) =>
    test(`int in ${kind} rejects ${JSON.stringify(spelling)} with ${status}`, async () => {
      const [line, init] = request(encodeURIComponent(spelling))
      const response = await sendRequest(call, line, init)
      assert.is(response.status, status)
      assert.match((await validationErrorsOf(response))[0]?.[2] ?? '', /^must be /)
    }),
  )

const formType = 'application/x-www-form-urlencoded'

valueContract('spellings of numbers', api, (test, call) => {
  rejects(test, call, 'a path', 404, (spelling) => [`GET /path/${spelling}`])
  rejects(test, call, 'several segments of a path', 404, (spelling) => [
    `GET /several/1/${spelling}`,
  ])
  for (const name of ['int', 'integer', 'Int', 'between', 'brand', 'both', 'either', 'withDefault'])
    rejects(test, call, `a query as ${name}`, 400, (spelling) => [`GET /query?${name}=${spelling}`])
  for (const name of ['list', 'set'])
    rejects(test, call, `a query as ${name}`, 400, (spelling) => [
      `GET /query?${name}=1&${name}=${spelling}`,
    ])
  rejects(test, call, 'a separated list', 400, (spelling) => [`GET /query?separated=1,${spelling}`])
  rejects(test, call, 'a matrix parameter', 400, (spelling) => [`POST /kinds;m=${spelling}`])
  rejects(test, call, 'a form', 400, (spelling) => [
    'POST /kinds',
    { headers: { 'content-type': formType }, body: `f=${spelling}` },
  ])
  rejects(test, call, 'a multipart form', 400, (spelling) => {
    const data = new FormData()
    data.set('f', decodeURIComponent(spelling))
    return ['POST /kinds', { body: data }]
  })
  for (const spelling of ['7.0', '7e0', '+7', '07', '00000007.', '-0']) {
    test(`int in a header rejects ${spelling}`, async () => {
      const response = await sendRequest(call, 'POST /kinds', { headers: { 'x-h': spelling } })
      assert.equal(await validationErrorsOf(response), [['header', 'x-h', 'must be an integer']])
    })
    test(`int in a cookie rejects ${spelling}`, async () => {
      const response = await sendRequest(call, 'POST /kinds', {
        headers: { cookie: `c=${spelling}` },
      })
      assert.equal(await validationErrorsOf(response), [['cookie', 'c', 'must be an integer']])
    })
    test(`int in a text body rejects ${spelling}`, async () => {
      const init = { headers: { 'content-type': 'text/plain' }, body: spelling }
      assert.is((await sendRequest(call, 'POST /text', init)).status, 400)
    })
  }
  for (const [written, value] of [
    ['7.0', 7],
    ['7e0', 7],
    ['-0', 0],
  ] as const)
    test(`int in a JSON body reads ${written}`, async () => {
      const init = { headers: { 'content-type': 'application/json' }, body: written }
      assert.equal(await responseTo(call, 'POST /json', init), [200, value])
    })
  testRequests(test, call, [
    ['int reads zero', 'GET /query?int=0', { int: 0 }],
    ['int reads a negative number', 'GET /query?int=-7', { int: -7 }],
    ['int reads an escaped digit', 'GET /query?int=%37', { int: 7 }],
    [
      'int reads the largest safe integer',
      'GET /query?int=9007199254740991',
      { int: 9007199254740991 },
    ],
    ['t.Int rejects a number that a double rounds', 'GET /query?Int=9007199254740993', 400],
    ['int inside a segment', 'GET /segment/7-8', { path: { a: 7, b: 8 } }],
    ['int inside a segment rejects a fraction', 'GET /segment/7.0-8', 404],
    ['number reads a fraction', 'GET /query?number=7.50', { number: 7.5 }],
    ['number reads an exponent', 'GET /query?number=1e%2B21', { number: 1e21 }],
    ['number reads a negative exponent', 'GET /query?number=-5E-1', { number: -0.5 }],
    ['number reads negative zero', 'GET /query?number=-0', { number: 0 }],
    ['number rejects a plus sign', 'GET /query?number=%2B7', 400],
    ['number rejects leading zeros', 'GET /query?number=07', 400],
    ['number rejects leading zeros after a minus sign', 'GET /query?number=-00.5', 400],
    ['number rejects a point without a fraction', 'GET /query?number=7.', 400],
    ['number rejects a point without an integer', 'GET /query?number=.5', 400],
    ['number rejects an exponent without digits', 'GET /query?number=7e', 400],
    ['number rejects a text beyond the largest double', 'GET /query?number=1e400', 400],
    ['t.number rejects a text beyond the largest double', 'GET /query?double=1e400', 400],
    ['t.number rejects leading zeros', 'GET /query?double=07', 400],
    ['a number literal has one spelling', 'GET /query?literal=5', { literal: 5 }],
    ['a number literal rejects a fraction', 'GET /query?literal=5.0', 400],
    ['a number literal rejects an exponent', 'GET /query?literal=5e0', 400],
    ['a number literal rejects leading zeros', 'GET /query?literal=05', 400],
    [
      'enumOf reads a number as JavaScript writes it',
      'GET /query?enumOf=1e%2B21',
      { enumOf: 1e21 },
    ],
    ['enumOf rejects a number written in another way', 'GET /query?enumOf=1e21', 400],
    ['bigint reads an integer', 'GET /query?bigint=-7', { bigint: '-7n' }],
    ['bigint rejects a plus sign', 'GET /query?bigint=%2B7', 400],
    ['bigint rejects leading zeros', 'GET /query?bigint=007', 400],
    ['bigint rejects negative zero', 'GET /query?bigint=-0', 400],
    [
      'decimal keeps its digits',
      'GET /query?decimal=7.0',
      { decimal: { unscaled: '70n', scale: 1 } },
    ],
    ['decimal rejects a plus sign', 'GET /query?decimal=%2B7', 400],
    ['decimal rejects leading zeros', 'GET /query?decimal=07', 400],
    ['decimal rejects negative zero', 'GET /query?decimal=-0.00', 400],
  ])
})
