/** Unusual but valid responses of a plain node:http server. */
import * as assert from 'uvu/assert'
import { headerOf } from '../../src/client.ts'
import { right } from '../support/clients.ts'
import type { Test } from '../support/describe.ts'
import { describe, table } from '../support/describe.ts'
import type { Answering, Getting } from '../support/services.ts'
import { answering, with200 } from '../support/services.ts'

const latin1 = Buffer.from('{"title":"é"}', 'latin1')

type Read = readonly [name: string, answer: Answering, call: Getting, expected: unknown]

const reads = (test: Test, rows: ReadonlyArray<Read>): void =>
  table<Read>(test, rows, (_, answer, call, expected) =>
    answering(answer, async (library) => {
      const { body: got } = await right<unknown, { readonly body: unknown }>(library[call]())
      assert.equal(got instanceof Uint8Array ? [...got] : got, expected)
    }),
  )

describe('unusual responses of other services are decoded', (test) => {
  reads(test, [
    ['no media type: the first that is declared', with200('{"title":"a"}'), 'json', { title: 'a' }],
    ['a media type that is none', with200('{"title":"a"}', 'json'), 'json', { title: 'a' }],
    [
      'a media type with parameters',
      with200('{"title":"a"}', 'Application/JSON ; v="1"'),
      'json',
      { title: 'a' },
    ],
    [
      'a charset that JSON does not have',
      with200(latin1, 'application/json;charset=ISO-8859-1'),
      'json',
      { title: 'é' },
    ],
    [
      'a charset in quotes',
      with200('{"title":"é"}', 'application/json; charset="UTF-8"'),
      'json',
      { title: 'é' },
    ],
    [
      'text in another charset',
      with200(Buffer.from('é', 'latin1'), 'text/plain;charset=latin1'),
      'text',
      'é',
    ],
    ['the second representation', with200('a', 'text/plain'), 'either', 'a'],
    ['octets of any image', with200(new Uint8Array([1, 2]), 'image/png'), 'bytes', [1, 2]],
    [
      'a byte order mark',
      with200('\uFEFF{"title":"a"}', 'application/json'),
      'json',
      { title: 'a' },
    ],
    [
      'members that are not declared',
      with200('{"title":"a","more":[{"x":1}]}', 'application/json'),
      'json',
      { title: 'a' },
    ],
    ['no content where there may be none', with200('', 'application/json'), 'maybe', undefined],
    ['no content and no media type', with200(''), 'text', ''],
    [
      'content where none is declared',
      (response) => {
        response.statusCode = 202
        response.end('queued')
      },
      'nothing',
      undefined,
    ],
    [
      '204 where something might have been',
      (response) => {
        response.statusCode = 204
        response.end()
      },
      'maybe',
      undefined,
    ],
    [
      'early hints before',
      (response) => {
        response.writeEarlyHints({ link: '</a.css>; rel=preload' })
        response.writeProcessing()
        response.end('{"title":"a"}')
      },
      'json',
      { title: 'a' },
    ],
    [
      'in many small pieces',
      (response) => {
        for (const piece of '{"title":"a"}') response.write(piece)
        response.end()
      },
      'json',
      { title: 'a' },
    ],
  ])
  test('a repeated header is combined', () =>
    answering(
      (response) => {
        response.setHeader('X-It', ['1', '2'])
        response.setHeader('Set-Cookie', ['a=1, 2', 'b=3'])
        response.end('{"title":"a"}')
      },
      async (library) => {
        const answer = await right(library.json())
        assert.is(headerOf('X-It')(answer), '1, 2')
        assert.equal(
          answer.headers.flatMap((name, at) =>
            name === 'set-cookie' ? answer.headers[at + 1] : [],
          ),
          ['a=1, 2', 'b=3'],
        )
      },
    ))
  test('POST without a body sends Content-Length: 0', async () => {
    const seen: unknown[] = []
    await answering(
      (response, { headers }) => {
        seen.push(headers['content-length'], headers['content-type'], headers['transfer-encoding'])
        response.statusCode = 204
        response.end()
      },
      async (library) => void (await right(library.ping())),
    )
    const none = ['0', undefined, undefined]
    assert.equal(seen, [...none, ...none])
  })
})
