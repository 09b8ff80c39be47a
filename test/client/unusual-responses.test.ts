/** Unusual but valid responses of a plain `node:http` server. */
import * as assert from 'uvu/assert'
import { headerOf } from '../../src/client.ts'
import { right } from '../support/clients.ts'
import type { Test } from '../support/describe.ts'
import { describe, table } from '../support/describe.ts'
import type { RequestHandler, BufferedCall } from './plain-services.ts'
import { withHttpService, respondOk } from './plain-services.ts'

const latin1 = Buffer.from('{"title":"é"}', 'latin1')

type DecodedCase = readonly [
  name: string,
  handler: RequestHandler,
  call: BufferedCall,
  expected: unknown,
]

const testDecoded = (test: Test, rows: ReadonlyArray<DecodedCase>): void =>
  table<DecodedCase>(test, rows, (_, handler, call, expected) =>
    withHttpService(handler, async (library) => {
      const { body: received } = await right<unknown, { readonly body: unknown }>(library[call]())
      assert.equal(received instanceof Uint8Array ? [...received] : received, expected)
    }),
  )

describe('unusual responses of other services are decoded', (test) => {
  testDecoded(test, [
    ['a missing media type', respondOk('{"title":"a"}'), 'json', { title: 'a' }],
    ['a malformed media type', respondOk('{"title":"a"}', 'json'), 'json', { title: 'a' }],
    [
      'a media type with parameters',
      respondOk('{"title":"a"}', 'Application/JSON ; v="1"'),
      'json',
      { title: 'a' },
    ],
    [
      'JSON in ISO-8859-1',
      respondOk(latin1, 'application/json;charset=ISO-8859-1'),
      'json',
      { title: 'é' },
    ],
    [
      'a quoted charset',
      respondOk('{"title":"é"}', 'application/json; charset="UTF-8"'),
      'json',
      { title: 'é' },
    ],
    [
      'text in another charset',
      respondOk(Buffer.from('é', 'latin1'), 'text/plain;charset=latin1'),
      'text',
      'é',
    ],
    ['the second declared representation', respondOk('a', 'text/plain'), 'either', 'a'],
    [
      'bytes of a media type in a declared range',
      respondOk(new Uint8Array([1, 2]), 'image/png'),
      'bytes',
      [1, 2],
    ],
    [
      'a byte order mark',
      respondOk('\uFEFF{"title":"a"}', 'application/json'),
      'json',
      { title: 'a' },
    ],
    [
      'undeclared members',
      respondOk('{"title":"a","more":[{"x":1}]}', 'application/json'),
      'json',
      { title: 'a' },
    ],
    ['a missing optional body', respondOk('', 'application/json'), 'maybe', undefined],
    ['an empty body without a media type', respondOk(''), 'text', ''],
    [
      'a body where none is declared',
      (response) => {
        response.statusCode = 202
        response.end('queued')
      },
      'nothing',
      undefined,
    ],
    [
      'a 204 instead of an optional body',
      (response) => {
        response.statusCode = 204
        response.end()
      },
      'maybe',
      undefined,
    ],
    [
      'informational responses before the final one',
      (response) => {
        response.writeEarlyHints({ link: '</a.css>; rel=preload' })
        response.writeProcessing()
        response.end('{"title":"a"}')
      },
      'json',
      { title: 'a' },
    ],
    [
      'a body in one-character chunks',
      (response) => {
        for (const character of '{"title":"a"}') response.write(character)
        response.end()
      },
      'json',
      { title: 'a' },
    ],
  ])
  test('values of a repeated header are combined, except for Set-Cookie', () =>
    withHttpService(
      (response) => {
        response.setHeader('X-It', ['1', '2'])
        response.setHeader('Set-Cookie', ['a=1, 2', 'b=3'])
        response.end('{"title":"a"}')
      },
      async (library) => {
        const { headers } = await right(library.json())
        assert.is(headerOf('X-It')({ headers }), '1, 2')
        assert.equal(headers.getSetCookie(), ['a=1, 2', 'b=3'])
      },
    ))
  test('POST without a body sends Content-Length: 0', async () => {
    const seen: unknown[] = []
    await withHttpService(
      (response, { headers }) => {
        seen.push(headers['content-length'], headers['content-type'], headers['transfer-encoding'])
        response.statusCode = 204
        response.end()
      },
      async (library) => void (await right(library.ping())),
    )
    const expected = ['0', undefined, undefined]
    assert.equal(seen, [...expected, ...expected])
  })
})
