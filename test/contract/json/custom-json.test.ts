/** `customSerialization` and `customDeserialization`: JSON written and read by functions of the application. */
import * as assert from 'uvu/assert'
import type { Row } from '../../support/send-request.ts'
import { sendRequest } from '../../support/send-request.ts'
import { customJson } from './custom-json.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const jsonInit = (sent: string, type = 'application/json'): RequestInit => ({
  headers: { 'content-type': type },
  body: sent,
})

type TextRow = readonly [name: string, target: string, expected: string, accept?: string]

const book = { title: 'Emma', pages: 474 }
const indented = '{\n  "title": "Emma",\n  "pages": 474\n}'

valueContract('custom JSON functions', customJson, (test, call) => {
  const send = async (line: string, init?: RequestInit) => {
    const response = await sendRequest(call, line, init)
    return [response.status, await response.text()] as const
  }
  const rows: ReadonlyArray<Row> = [
    ['a serializer of a tree', '/tree', ['tree', 'Book', book]],
    ['a serializer of a resource', '/resource', ['resource', 'Book', book]],
    [
      'a serializer of an operation overrides that of its resource',
      '/operation',
      ['operation', 'Book', book],
    ],
    [
      'a serializer of a representation overrides that of its operation',
      '/representation',
      ['representation', 'Book', book],
    ],
    [
      'a representation with another media type keeps its serializer',
      '/retyped',
      ['representation', 'Book', book],
    ],
    [
      'a serializer receives only visible members',
      '/viewed',
      ['tree', 'Viewed', { title: 'Emma' }],
    ],
    ['a serializer of a representation with an ETag', '/etag', ['representation', 'Book', book]],
    ['an entity', '/entity', ['tree', 'Book', book]],
    ['a declared response', '/created', ['tree', 'Book', book]],
    ['a declared failure', '/fails', ['tree', 'Missing', { missing: 'Emma' }]],
    ['a mapped error', '/mapped', ['tree', 'Missing', { missing: 'Emma' }]],
  ]
  table<Row>(test, rows, async (_, target, expected) =>
    assert.is((await send(`GET ${target}`))[1], JSON.stringify(expected)),
  )
  const texts: ReadonlyArray<TextRow> = [
    ['a text response is unaffected', '/text', 'unchanged'],
    ['a JSON stream', '/lines', `[${indented},${indented}]`, 'application/json'],
    [
      'an NDJSON stream removes line breaks',
      '/lines',
      '{"title": "Emma","pages": 474}\n'.repeat(2),
      'application/x-ndjson',
    ],
    ['server-sent events', '/events', `${indented.replaceAll(/^/gm, 'data: ')}\n\n`.repeat(2)],
    ['server-sent events of integers are unaffected', '/numbers', 'data: 1\n\ndata: 2\n\n'],
    ['server-sent events of JSON integers', '/data', 'data: ["tree","int",1]\n\n'],
    ['omitNull', '/non-null', '[{"b":[]},{"a":"","b":[""],"c":"12.50"}]'],
    ['omitEmpty', '/non-empty', '[{},{"b":[""],"c":"12.50"}]'],
    ['omitNull with lossless', '/lossless', '[{"b":[]},{"a":"","b":[""],"c":12.50}]'],
    [
      'a serializer that fails for other values',
      '/broken/Emma',
      '[{"title":"Emma"},{"title":"Emma"}]',
    ],
  ]
  table<TextRow>(test, texts, async (_, target, expected, accept = '*/*') =>
    assert.equal(await send(`GET ${target}`, { headers: { accept } }), [200, expected]),
  )
  test('a multipart part is written by the serializer', async () => {
    const [, sent] = await send('GET /parts')
    assert.ok(sent.includes(`\r\n\r\n${JSON.stringify(['tree', 'Book', book])}\r\n`), sent)
  })
  test('a problem document is not written by the serializer', async () => {
    const [status, sent] = await send('GET /problem')
    assert.is(status, 409)
    assert.is(JSON.parse(sent).status, 409)
  })
  table(
    test,
    [
      ['a serializer that throws while writing', '/broken/Persuasion'],
      ['a serializer factory that throws', '/failing-factory'],
      ['a serializer that returns a number', '/not-a-string'],
      ['a serializer that returns undefined', '/undefined'],
      ['a cyclic value', '/cyclic'],
      ['a serializer that throws for the first element of a stream', '/stream/Persuasion'],
    ] as const,
    async (_, target) => {
      const [status, sent] = await send(`GET ${target}`)
      assert.is(status, 500)
      assert.not.match(sent, /Emma|Persuasion|secret/)
      assert.is((await send(`GET ${target}`))[0], 500) // a failure is not cached
    },
  )
  const emmaOnly = '{"title":"Emma"}'
  table<
    readonly [name: string, line: string, init: RequestInit, status: number, expected?: string]
  >(
    test,
    [
      [
        'a deserializer adds a member',
        '/book',
        jsonInit(emmaOnly),
        200,
        '{"title":"Emma","pages":1}',
      ],
      [
        'a representation of another media type is unaffected',
        '/book',
        jsonInit(emmaOnly, 'application/vnd.book+json'),
        400,
      ],
      ['a deserializer chosen by the codec', '/title', jsonInit(emmaOnly), 200, emmaOnly],
      ['an invalid result of a deserializer', '/book', jsonInit('{"title":1}'), 400],
      ['a deserializer that throws', '/throwing', jsonInit(emmaOnly), 400],
      ['a deserializer that throws an HttpError', '/conflict', jsonInit(emmaOnly), 409],
      ['a deserializer with lossless', '/exact', jsonInit('pounds'), 200, '12.50'],
      ['an empty body', '/throwing', jsonInit(''), 400],
    ],
    async (_, target, init, status, expected) => {
      const [actual, received] = await send(`POST ${target}`, init)
      assert.is(actual, status)
      if (expected !== undefined) assert.is(received, expected)
      assert.not.match(received, /secret/)
    },
  )
  test('a form part is read by the deserializer', async () => {
    const sent = new FormData()
    sent.set('book', emmaOnly)
    assert.equal(await send('POST /part', { body: sent }), [200, '{"title":"Emma","pages":1}'])
  })
  test('a serializer is created once for each codec', async () => {
    const sent = jsonInit(JSON.stringify(book))
    for (const accept of ['*/*', 'application/vnd.book+json', '*/*'])
      assert.is(
        (
          await send('POST /count', {
            ...sent,
            headers: { 'content-type': 'application/json', accept },
          })
        )[0],
        200,
      )
    assert.equal(JSON.parse((await send('GET /codecs'))[1]), ['in Book', 'Book'])
  })
})
