/** JSON by functions of the application's own. */
import * as assert from 'uvu/assert'
import type { Row } from '../support/ask.ts'
import { ask } from '../support/ask.ts'
import { customJson } from '../support/custom-json.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const typed = (sent: string, type = 'application/json'): RequestInit => ({
  headers: { 'content-type': type },
  body: sent,
})

type Text = readonly [name: string, to: string, expected: string, accept?: string]

const book = { title: 'Emma', pages: 474 }
const indented = '{\n  "title": "Emma",\n  "pages": 474\n}'

contract('JSON by functions', customJson, (test, call) => {
  const answer = async (line: string, init?: RequestInit) => {
    const response = await ask(call, line, init)
    return [response.status, await response.text()] as const
  }
  const rows: ReadonlyArray<Row> = [
    ['on a tree', '/tree', ['tree', 'Book', book]],
    ['on a resource', '/resource', ['resource', 'Book', book]],
    ['the operation wins', '/operation', ['operation', 'Book', book]],
    ['and so does the representation', '/representation', ['one', 'Book', book]],
    ['which keeps it under another type', '/retyped', ['one', 'Book', book]],
    ['it is given what is shown', '/viewed', ['tree', 'Viewed', { title: 'Emma' }]],
    ['and beside its tag', '/tagged', ['one', 'Book', book]],
    ['for entities', '/entity', ['tree', 'Book', book]],
    ['for declared answers', '/created', ['tree', 'Book', book]],
    ['for failures', '/fails', ['tree', 'Missing', { missing: 'Emma' }]],
    ['for mapped errors', '/mapped', ['tree', 'Missing', { missing: 'Emma' }]],
  ]
  table<Row>(test, rows, async (_, to, expected) =>
    assert.is((await answer(`GET ${to}`))[1], JSON.stringify(expected)),
  )
  const texts: ReadonlyArray<Text> = [
    ['not for text', '/text', 'as it is'],
    ['in a stream', '/lines', `[${indented},${indented}]`, 'application/json'],
    [
      'a value a line, whatever is written',
      '/lines',
      '{"title": "Emma","pages": 474}\n'.repeat(2),
      'application/x-ndjson',
    ],
    ['as events', '/events', `${indented.replaceAll(/^/gm, 'data: ')}\n\n`.repeat(2)],
    ['single values of events stay as they are', '/numbers', 'data: 1\n\ndata: 2\n\n'],
    ['unless they are JSON', '/data', 'data: ["tree","int",1]\n\n'],
    ['non-null', '/non-null', '[{"b":[]},{"a":"","b":[""],"c":"12.50"}]'],
    ['non-empty', '/non-empty', '[{},{"b":[""],"c":"12.50"}]'],
    ['with every digit', '/exactly', '[{"b":[]},{"a":"","b":[""],"c":12.50}]'],
    ['what can be written is', '/broken/Emma', '[{"title":"Emma"},{"title":"Emma"}]'],
  ]
  table<Text>(test, texts, async (_, to, expected, accept = '*/*') =>
    assert.equal(await answer(`GET ${to}`, { headers: { accept } }), [200, expected]),
  )
  test('in the parts of a form', async () => {
    const [, sent] = await answer('GET /parts')
    assert.ok(sent.includes(`\r\n\r\n${JSON.stringify(['tree', 'Book', book])}\r\n`), sent)
  })
  test('not for problems', async () => {
    const [status, sent] = await answer('GET /problem')
    assert.is(status, 409)
    assert.is(JSON.parse(sent).status, 409)
  })
  table(
    test,
    [
      ['what throws while it writes', '/broken/Persuasion'],
      ['what throws when it is made', '/unmade'],
      ['what gives no text', '/untold'],
      ['what gives nothing', '/silent'],
      ['what has itself inside', '/cyclic'],
      ['what throws before a stream has begun', '/stream/Persuasion'],
    ] as const,
    async (_, to) => {
      const [status, sent] = await answer(`GET ${to}`)
      assert.is(status, 500)
      assert.not.match(sent, /Emma|Persuasion|secret/)
      assert.is((await answer(`GET ${to}`))[0], 500) // and again
    },
  )
  const emmaOnly = '{"title":"Emma"}'
  table<
    readonly [name: string, line: string, init: RequestInit, status: number, expected?: string]
  >(
    test,
    [
      ['reads', '/one', typed(emmaOnly), 200, '{"title":"Emma","pages":1}'],
      ['not as another type', '/one', typed(emmaOnly, 'application/vnd.book+json'), 400],
      ['chooses by the codec', '/other', typed(emmaOnly), 200, emmaOnly],
      ['what it gives is decoded', '/one', typed('{"title":1}'), 400],
      ['what throws', '/refusing', typed(emmaOnly), 400],
      ['an HttpError is the answer', '/saying', typed(emmaOnly), 409],
      ['with every digit', '/exact', typed('pounds'), 200, '12.50'],
      ['no content is not given to it', '/refusing', typed(''), 400],
    ],
    async (_, to, init, status, expected) => {
      const [found, sent] = await answer(`POST ${to}`, init)
      assert.is(found, status)
      if (expected !== undefined) assert.is(sent, expected)
      assert.not.match(sent, /secret/)
    },
  )
  test('the parts of forms', async () => {
    const sent = new FormData()
    sent.set('book', emmaOnly)
    assert.equal(await answer('POST /part', { body: sent }), [200, '{"title":"Emma","pages":1}'])
  })
  test('functions are made once for a codec', async () => {
    const sent = typed(JSON.stringify(book))
    for (const accept of ['*/*', 'application/vnd.book+json', '*/*'])
      assert.is(
        (
          await answer('POST /count', {
            ...sent,
            headers: { 'content-type': 'application/json', accept },
          })
        )[0],
        200,
      )
    assert.equal(JSON.parse((await answer('GET /made'))[1]), ['in Book', 'Book'])
  })
})
