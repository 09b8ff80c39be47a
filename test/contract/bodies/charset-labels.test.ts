/** All labels of a charset are treated alike, in requests and in responses. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  form,
  get,
  handle,
  json,
  path,
  post,
  produces,
  routes,
  sse,
  string,
  text,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { xml } from '../../../src/xml.ts'
import { base, valueContract } from '../../support/contract.ts'
import { describe, table } from '../../support/describe.ts'
import { encodeMultipart, encodePart, multipartRequest } from '../../support/multipart.ts'

const Book = t.type({ title: t.string }, 'Book')

const api = routes({
  book: pipe(
    path('/book'),
    post(),
    body(json(Book), xml(Book)),
    produces(text),
    handle((input) => input.body.title),
  ),
  form: pipe(
    path('/form'),
    post(),
    form({ title: string }),
    produces(text),
    handle((input) => input.form.title),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
})

const bodies: ReadonlyArray<[target: string, type: string, content: string]> = [
  ['/book', 'application/json', '{"title":"Emma"}'],
  ['/book', 'application/xml', '<book><title>Emma</title></book>'],
  ['/form', 'application/x-www-form-urlencoded', 'title=Emma'],
  ['/text', 'text/plain', 'Emma'],
]

valueContract('charset labels of requests', api, (test, call) => {
  for (const [target, type, content] of bodies)
    table<readonly [label: string]>(
      test,
      [['utf-8'], ['UTF8'], ['unicode11utf8'], ['US-ASCII'], ['ascii'], ['"ANSI_X3.4-1968"']],
      async (label) => {
        const headers = { 'Content-Type': `${type}; charset=${label}` }
        const response = await call(
          new Request(`${base}${target}`, { method: 'POST', headers, body: content }),
        )
        assert.equal([response.status, await response.text()], [200, 'Emma'])
      },
    )
  table<readonly [label: string, bytes: ReadonlyArray<number>, content: string]>(
    test,
    [
      ['windows-1252', [0x80, 0x31, 0x92, 0xe9], '€1’é'],
      ['cp1252', [0x80], '€'],
      ['latin1', [0x93, 0x94], '“”'],
      ['ISO-8859-1', [0x80], '€'],
      ['windows-1251', [0xdf], 'Я'],
      ['iso-8859-16', [0xaa], 'Ș'],
      ['koi8-u', [0xae], 'ў'],
      ['windows-1255', [0xca], '\u05ba'],
      ['utf-16', [0xe9, 0], 'é'],
      ['gbk', [0xa2, 0xe3], '€'],
      ['shift_jis', [0x93, 0x8c], '東'],
    ],
    async (label, encoded, content) => {
      const headers = { 'Content-Type': `text/plain; charset=${label}` }
      const sent = Uint8Array.from(encoded)
      const whole = await call(new Request(`${base}/text`, { method: 'POST', headers, body: sent }))
      assert.equal([whole.status, await whole.text()], [200, content])
      const [before = '', after = ''] = encodeMultipart(
        encodePart('title', '|', { type: headers['Content-Type'] }),
      ).split('|')
      const part = Buffer.concat([Buffer.from(before), sent, Buffer.from(after)])
      const asPart = await call(multipartRequest('/form', part))
      assert.equal([asPart.status, await asPart.text()], [200, content])
    },
  )
  table(
    test,
    [['replacement'], ['hz-gb-2312'], ['utf-7'], ['x-unknown']] as const,
    async (label) => {
      const headers = { 'Content-Type': `text/plain; charset=${label}` }
      const response = await call(
        new Request(`${base}/text`, { method: 'POST', headers, body: 'Emma' }),
      )
      assert.is(response.status, 415)
    },
  )
  table(test, [['UTF-8'], ['utf8'], ['ascii'], ['us-ascii']] as const, async (label) => {
    const response = await call(
      new Request(`${base}/book`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/xml' },
        body: `<?xml version="1.0" encoding="${label}"?><book><title>Emma</title></book>`,
      }),
    )
    assert.is(response.status, 200)
  })
})

describe('charset labels of responses', (test) => {
  table<readonly [label: string, bytes: ReadonlyArray<number>]>(
    test,
    [
      ['utf8', [0xc3, 0xa9]],
      ['unicode-1-1-utf-8', [0xc3, 0xa9]],
      ['latin1', [0xe9]],
      ['iso8859-1', [0xe9]],
      ['L1', [0xe9]],
    ],
    async (label, bytes) => {
      const type = `text/plain;charset=${label}`
      const word = pipe(
        path('/'),
        get(),
        produces(as(type)(text)),
        handle(() => 'é'),
      )
      const response = await inMemory(routes({ word }))('http://localhost/')
      assert.is(response.headers.get('Content-Type'), type)
      assert.equal([...new Uint8Array(await response.arrayBuffer())], bytes)
    },
  )
  test('event data can be declared in any label of US-ASCII', async () => {
    for (const label of ['us-ascii', 'ascii']) {
      const events = pipe(
        path('/'),
        get(),
        produces(sse(as(`text/plain;charset=${label}`)(text))),
        handle(() => ['a']),
      )
      const response = await inMemory(routes({ events }))('http://localhost/')
      assert.is(await response.text(), 'data: a\n\n')
    }
  })
})
