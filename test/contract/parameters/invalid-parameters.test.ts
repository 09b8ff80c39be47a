/** Missing, empty, duplicate and invalid parameters: status and problem document of the response. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  Conflict,
  boolean,
  cookie,
  form,
  fromString,
  get,
  handle,
  header,
  int,
  list,
  matrix,
  optional,
  path,
  post,
  produces,
  query,
  rawJson,
  routes,
  string,
} from '../../../src/index.ts'
import type { InMemoryCall } from '../../../src/testing.ts'
import {
  testRequests,
  sendRequest,
  validationErrorsOf,
  inputAsJson,
} from '../../support/send-request.ts'
import type { Test } from '../../support/describe.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const producesJson = produces(rawJson)

/** Throws an error with a status for `taken`, and one without a status for all other values. */
const throwing = fromString(
  'throwing',
  (written): string => {
    if (written === 'taken') throw new Conflict('taken', { detail: 'It is taken.' })
    throw new Error(`secret ${written}`)
  },
  (value) => value,
)

const api = routes({
  kinds: pipe(
    path('/kinds/{p}', { p: int }),
    post(),
    query({ q: optional(int) }),
    header({ xH: optional(int) }),
    cookie({ c: optional(int) }),
    matrix({ m: optional(int) }),
    form({ f: optional(int) }),
    producesJson,
    handle(inputAsJson),
  ),
  required: pipe(
    path('/required'),
    get(),
    query({ q: int }),
    header({ xH: string }),
    cookie({ c: string }),
    matrix({ m: string }),
    producesJson,
    handle(inputAsJson),
  ),
  form: pipe(path('/form'), post(), form({ f: int }), producesJson, handle(inputAsJson)),
  empty: pipe(
    path('/empty'),
    get(),
    query({
      text: optional(string),
      int: optional(int),
      flag: optional(boolean),
      texts: list(string),
      ints: list(int),
    }),
    producesJson,
    handle((input) => inputAsJson(input.query)),
  ),
  single: pipe(
    path('/single'),
    get(),
    query({ q: int }),
    producesJson,
    handle((input) => inputAsJson(input.query)),
  ),
  thrown: pipe(
    path('/thrown'),
    get(),
    query({ q: optional(throwing) }),
    producesJson,
    handle(inputAsJson),
  ),
  segment: pipe(path('/thrown/{p}', { p: throwing }), get(), producesJson, handle(inputAsJson)),
})

/** A request with one parameter that is not a number. */
const invalidRequest = (kind: string): readonly [line: string, init: RequestInit] => {
  const value = kind === 'path' ? 'x' : '1'
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(kind === 'header' ? { 'x-h': 'x' } : {}),
    ...(kind === 'cookie' ? { cookie: 'c=x' } : {}),
  }
  const line = `POST /kinds/${value}${kind === 'matrix' ? ';m=x' : ''}${kind === 'query' ? '?q=x' : ''}`
  return [line, { headers, body: kind === 'form' ? 'f=x' : '' }]
}

type Row = readonly [kind: string, name: string, status: number]

const rejectsNonNumeric = (
  test: Test,
  call: InMemoryCall,
  rows: ReadonlyArray<Row>,
  suffix = '',
): void =>
  rows.forEach(([kind, name, status]) =>
    test(`a non-numeric ${kind} parameter returns ${status}${suffix}`, async () => {
      const response = await sendRequest(call, ...invalidRequest(kind))
      assert.is(response.status, status)
      assert.equal(await validationErrorsOf(response), [[kind, name, 'must be an integer']])
    }),
  )

valueContract('invalid parameters', api, (test, call) => {
  rejectsNonNumeric(test, call, [
    ['path', 'p', 404],
    ['query', 'q', 400],
    ['matrix', 'm', 400],
    ['header', 'x-h', 400],
    ['cookie', 'c', 400],
    ['form', 'f', 400],
  ])

  test('all missing required parameters are reported', async () => {
    const response = await sendRequest(call, 'GET /required')
    assert.is(response.status, 400)
    assert.equal(await validationErrorsOf(response), [
      ['query', 'q', 'is required and must be an integer'],
      ['header', 'x-h', 'is required and must be a string'],
      ['cookie', 'c', 'is required and must be a string'],
      ['matrix', 'm', 'is required and must be a string'],
    ])
  })

  test('a missing form field returns 400', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await sendRequest(call, 'POST /form', { headers })
    assert.is(response.status, 400)
    assert.equal(await validationErrorsOf(response), [
      ['form', 'f', 'is required and must be an integer'],
    ])
  })

  const noValues = { texts: [], ints: [] }
  testRequests(test, call, [
    ['an empty string', 'GET /empty?text=', { ...noValues, text: '' }],
    [
      'an empty string in a list of strings',
      'GET /empty?texts=&texts=a',
      { ...noValues, texts: ['', 'a'] },
    ],
    ['an empty optional integer is missing', 'GET /empty?int=', noValues],
    [
      'an empty value in a list of integers is ignored',
      'GET /empty?ints=&ints=1',
      { ...noValues, ints: [1] },
    ],
    ['an empty value before an integer is ignored', 'GET /single?q=&q=1', { q: 1 }],
    ['an empty required integer', 'GET /single?q=', 400],
    ['a name without a value is an empty string', 'GET /empty?text', { ...noValues, text: '' }],
    [
      'a name without a value is true for a boolean',
      'GET /empty?flag',
      { ...noValues, flag: true },
    ],
    ['an empty boolean is missing', 'GET /empty?flag=', noValues],
    ['a name without a value is missing for integers', 'GET /empty?int&ints', noValues],
    ['the first of two values is used', 'GET /single?q=1&q=2', { q: 1 }],
    ['an invalid first value', 'GET /single?q=x&q=2', 400],
    ['an escape that is not UTF-8', 'GET /single?q=%FF', 400],
    ['a codec that throws an HttpError with status 409', 'GET /thrown?q=taken', 409],
    ['a path variable whose codec throws an HttpError', 'GET /thrown/taken', 409],
    ['a codec that throws another error', 'GET /thrown?q=x', 400],
    ['a path variable whose codec throws another error', 'GET /thrown/x', 404],
  ])

  test('an HttpError thrown by a codec determines title and detail', async () => {
    const response = await sendRequest(call, 'GET /thrown?q=taken')
    const { title, detail } = (await response.json()) as Readonly<Record<string, unknown>>
    assert.equal([title, detail], ['Conflict', 'It is taken.'])
  })

  table(
    test,
    [
      ['the message of an error thrown by a codec is not sent', 'GET /thrown?q=value'],
      ['an invalid value is not repeated', 'GET /single?q=value'],
    ] as const,
    async (_, line) =>
      assert.not.match(await (await sendRequest(call, line)).text(), /value|secret|Error/),
  )
})

valueContract(
  'invalid parameters with fw.rest.conversion-failure jakarta',
  api,
  (test, call) =>
    rejectsNonNumeric(
      test,
      call,
      [
        ['path', 'p', 404],
        ['query', 'q', 404],
        ['matrix', 'm', 404],
        ['header', 'x-h', 400],
        ['cookie', 'c', 400],
        ['form', 'f', 400],
      ],
      ' with fw.rest.conversion-failure jakarta',
    ),
  { 'fw.rest.conversion-failure': 'jakarta' },
)

valueContract(
  'duplicate parameters with fw.rest.duplicate-scalar reject',
  api,
  (test, call) => {
    testRequests(test, call, [
      ['a single value', 'GET /single?q=1', { q: 1 }],
      ['an empty second value', 'GET /single?q=1&q=', { q: 1 }],
      ['two values of a list', 'GET /empty?ints=1&ints=1', { texts: [], ints: [1, 1] }],
    ])

    test('two values of a scalar return 400', async () => {
      const response = await sendRequest(call, 'GET /single?q=1&q=1')
      assert.is(response.status, 400)
      assert.equal(await validationErrorsOf(response), [
        ['query', 'q', 'must not occur more than once'],
      ])
    })
  },
  { 'fw.rest.duplicate-scalar': 'reject' },
)
