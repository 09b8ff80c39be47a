/** Parameters that are missing, empty, given twice or not what their codec reads: the status, and what the client is told. */
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
} from '../../src/index.ts'
import type { Call } from '../../src/testing.ts'
import { answers, ask, faultsOf, shown } from '../support/ask.ts'
import type { Test } from '../support/describe.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const answer = produces(rawJson)

/** Refuses by an error: one with a status, one without. */
const strict = fromString(
  'strict',
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
    answer,
    handle(shown),
  ),
  required: pipe(
    path('/required'),
    get(),
    query({ q: int }),
    header({ xH: string }),
    cookie({ c: string }),
    matrix({ m: string }),
    answer,
    handle(shown),
  ),
  field: pipe(path('/field'), post(), form({ f: int }), answer, handle(shown)),
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
    answer,
    handle((input) => shown(input.query)),
  ),
  one: pipe(
    path('/one'),
    get(),
    query({ q: int }),
    answer,
    handle((input) => shown(input.query)),
  ),
  thrown: pipe(path('/thrown'), get(), query({ q: optional(strict) }), answer, handle(shown)),
  segment: pipe(path('/thrown/{p}', { p: strict }), get(), answer, handle(shown)),
})

/** A request in which one parameter is not a number. */
const wrong = (kind: string): readonly [line: string, init: RequestInit] => {
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

const refuses = (test: Test, call: Call, rows: ReadonlyArray<Row>): void =>
  rows.forEach(([kind, name, status]) =>
    test(`a non-numeric ${kind} parameter returns ${status}`, async () => {
      const response = await ask(call, ...wrong(kind))
      assert.is(response.status, status)
      assert.equal(await faultsOf(response), [[kind, name, 'must be an integer']])
    }),
  )

contract('parameters that are refused', api, (test, call) => {
  refuses(test, call, [
    ['path', 'p', 404],
    ['query', 'q', 400],
    ['matrix', 'm', 400],
    ['header', 'x-h', 400],
    ['cookie', 'c', 400],
    ['form', 'f', 400],
  ])

  test('what is required and missing is told, all of it', async () => {
    const response = await ask(call, 'GET /required')
    assert.is(response.status, 400)
    assert.equal(await faultsOf(response), [
      ['query', 'q', 'is required: an integer'],
      ['header', 'x-h', 'is required: a string'],
      ['cookie', 'c', 'is required: a string'],
      ['matrix', 'm', 'is required: a string'],
    ])
  })

  test('a field of a form too', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await ask(call, 'POST /field', { headers })
    assert.is(response.status, 400)
    assert.equal(await faultsOf(response), [['form', 'f', 'is required: an integer']])
  })

  const nothing = { texts: [], ints: [] }
  answers(test, call, [
    ['empty is a value of a string', 'GET /empty?text=', { ...nothing, text: '' }],
    ['and of a list of them', 'GET /empty?texts=&texts=a', { ...nothing, texts: ['', 'a'] }],
    ['for anything else it is missing', 'GET /empty?int=', nothing],
    ['also in a list', 'GET /empty?ints=&ints=1', { ...nothing, ints: [1] }],
    ['the next one counts', 'GET /one?q=&q=1', { q: 1 }],
    ['where one is required it is refused', 'GET /one?q=', 400],
    ['a name alone is the empty string', 'GET /empty?text', { ...nothing, text: '' }],
    ['and true for a boolean', 'GET /empty?flag', { ...nothing, flag: true }],
    ['which an empty value is not', 'GET /empty?flag=', nothing],
    ['and missing for anything else', 'GET /empty?int&ints', nothing],
    ['of two the first counts', 'GET /one?q=1&q=2', { q: 1 }],
    ['and has to be right', 'GET /one?q=x&q=2', 400],
    ['an escape that is not UTF-8', 'GET /one?q=%FF', 400],
    ['an error with a status is the answer', 'GET /thrown?q=taken', 409],
    ['of a path variable too', 'GET /thrown/taken', 409],
    ['any other error is a refusal', 'GET /thrown?q=x', 400],
    ['of a path variable too', 'GET /thrown/x', 404],
  ])

  test('with its own words', async () => {
    const response = await ask(call, 'GET /thrown?q=taken')
    const { title, detail } = (await response.json()) as Readonly<Record<string, unknown>>
    assert.equal([title, detail], ['Conflict', 'It is taken.'])
  })

  table(
    test,
    [
      ['the error stays inside', 'GET /thrown?q=value'],
      ['the value is not repeated', 'GET /one?q=value'],
    ] as const,
    async (_, line) => assert.not.match(await (await ask(call, line)).text(), /value|secret|Error/),
  )
})

contract(
  'parameters that are refused, as Jakarta REST has it',
  api,
  (test, call) =>
    refuses(test, call, [
      ['path', 'p', 404],
      ['query', 'q', 404],
      ['matrix', 'm', 404],
      ['header', 'x-h', 400],
      ['cookie', 'c', 400],
      ['form', 'f', 400],
    ]),
  { 'fw.rest.conversion-failure': 'jakarta' },
)

contract(
  'parameters given twice, where that is refused',
  api,
  (test, call) => {
    answers(test, call, [
      ['once is right', 'GET /one?q=1', { q: 1 }],
      ['an empty one does not count', 'GET /one?q=1&q=', { q: 1 }],
      ['a collection may have several', 'GET /empty?ints=1&ints=1', { texts: [], ints: [1, 1] }],
    ])

    test('twice is not', async () => {
      const response = await ask(call, 'GET /one?q=1&q=1')
      assert.is(response.status, 400)
      assert.equal(await faultsOf(response), [['query', 'q', 'must be given once']])
    })
  },
  { 'fw.rest.duplicate-scalar': 'reject' },
)
