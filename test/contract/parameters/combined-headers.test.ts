/** Header parameters that occur more than once: their combined value, with `combined`, and their first value, without it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  combined,
  fromString,
  get,
  handle,
  header,
  int,
  list,
  optional,
  path,
  produces,
  query,
  rawJson,
  routes,
  separated,
  string,
  withDefault,
} from '../../../src/index.ts'
import * as Grammar from '../../../src/http/grammar.ts'
import type { Server, ServeOptions } from '../../../src/node.ts'
import { client } from '../../../src/client.ts'
import { right } from '../../support/clients.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { inputAsJson, sendRawRequest } from '../../support/send-request.ts'

/** The members of a list, in which quoted members can contain commas. */
const members = fromString('list of members', Grammar.splitList, (values) => values.join(', '))

const api = routes({
  headers: pipe(
    path('/headers'),
    get(),
    header({
      first: optional(string),
      all: optional(combined(string)),
      members: combined(optional(members)),
      number: withDefault(combined(int), 0),
      split: separated(',')(string),
      combinedSplit: combined(separated(',')(list(string))),
      cookie: optional(combined(string)),
    }),
    query({ q: optional(combined(string)) }),
    produces(rawJson),
    handle((input) => inputAsJson({ ...input.header, ...input.query })),
  ),
  one: pipe(
    path('/one'),
    get(),
    header({ accept: combined(string) }),
    produces(rawJson),
    handle((input) => inputAsJson(input.header)),
  ),
})

const missing = { number: 0, split: [], combinedSplit: [] }

/** A title, the headers of a request, and the input of the handler. */
type Row = readonly [title: string, headers: Readonly<Record<string, string[]>>, input: unknown]

const rows: ReadonlyArray<Row> = [
  ['no headers', {}, missing],
  ['the first value of a repeated header', { First: ['a', 'b'] }, { ...missing, first: 'a' }],
  ['a single value', { All: ['a, b'] }, { ...missing, all: 'a, b' }],
  [
    'the combined value of a repeated header',
    { All: ['a, b', 'c'] },
    { ...missing, all: 'a, b, c' },
  ],
  ['an empty value', { All: ['', 'c'] }, { ...missing, all: ', c' }],
  ['quoted commas', { Members: ['a;b="1,2"', 'c'] }, { ...missing, members: ['a;b="1,2"', 'c'] }],
  ['a converted value', { Number: ['5'] }, { ...missing, number: 5 }],
  [
    'a collection',
    { Split: ['a,b', 'c'], 'Combined-Split': ['a,b', 'c'] },
    { ...missing, split: ['a', 'b', 'c'], combinedSplit: ['a', 'b', ' c'] },
  ],
  ['cookies', { Cookie: ['a=1', 'b=2'] }, { ...missing, cookie: 'a=1; b=2' }],
]

/** Settings of the generated and of the interpreted readers of parameters. */
const readers: ReadonlyArray<readonly [title: string, options: ServeOptions]> = [
  ['generated', {}],
  ['interpreted', { 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers': false }],
  ['rejecting duplicates', { 'fw.rest.duplicate-scalar': 'reject' }],
]

for (const [title, options] of readers)
  describe(`repeated header parameters, ${title}`, (test, { before, after }) => {
    let server: Server | undefined
    before(async () => {
      server = await serveLocally(api, options)
    })
    after(() => server?.close())
    const send = (target: string, headers: Readonly<Record<string, string[]>>): Promise<Response> =>
      sendRawRequest(server?.url ?? '', { path: target, headers })
    table<Row>(test, rows, async (row, headers, input) => {
      const response = await send('/headers', headers)
      if (row.includes('first value') && title === 'rejecting duplicates')
        return assert.is(response.status, 400)
      assert.equal([response.status, await response.json()], [200, input])
    })
    test('a combined value that is invalid is rejected', async () =>
      assert.is((await send('/headers', { Number: ['5', '6'] })).status, 400))
    test('a missing required header is rejected', async () =>
      assert.is((await send('/one', {})).status, 400))
    test('the required header Accept is combined', async () => {
      const response = await send('/one', { Accept: ['application/json', 'text/html;q=0.5'] })
      assert.equal(await response.json(), { accept: 'application/json, text/html;q=0.5' })
    })
    if (title !== 'rejecting duplicates')
      test('query parameters are not combined', async () => {
        const response = await send('/headers?q=a&q=b', {})
        assert.equal(await response.json(), { ...missing, q: 'a' })
      })
    test('a client sends a combined value as one header', async () => {
      const calls = client(api, { baseUrl: server?.url ?? '' })
      const { body } = await right(
        calls.headers({ header: { all: 'a, b', members: ['c', 'd'], combinedSplit: [] } }),
      )
      assert.equal(JSON.parse(body), { ...missing, all: 'a, b', members: ['c', 'd'] })
    })
  })
