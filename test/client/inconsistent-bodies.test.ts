/** Bodies of plain services that contradict their headers. */
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { followRedirects } from '../../src/client.ts'
import { errorIn, left, right } from '../support/clients.ts'
import { describe, table } from '../support/describe.ts'
import { readUntilFailure } from './read-stream.ts'
import type { RequestHandler, BufferedCall, StreamedCall } from './plain-services.ts'
import { withHttpService, respondOk } from './plain-services.ts'

const emma = '{"title":"a"}'

describe('bodies that contradict their headers', (test) => {
  const boundary = 'multipart/form-data; boundary=x'
  table<
    readonly [
      name: string,
      handler: RequestHandler,
      call: BufferedCall,
      tag: string,
      message: RegExp,
    ]
  >(
    test,
    [
      [
        'truncated XML',
        respondOk('<Book><title>', 'application/xml'),
        'xml',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'XML with another root element',
        respondOk('<a/>', 'application/xml'),
        'xml',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'JSON instead of XML',
        respondOk(emma, 'application/xml'),
        'xml',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'XML with a document type declaration',
        respondOk(
          '<!DOCTYPE a [<!ENTITY b "c">]><Book><title>&b;</title></Book>',
          'application/xml',
        ),
        'xml',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'JSON that is not UTF-8',
        respondOk(Uint8Array.of(0x22, 0xff), 'application/json'),
        'json',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'text that is not in its charset',
        respondOk(Uint8Array.of(0xff), 'text/plain;charset=utf-8'),
        'text',
        'DecodeError',
        /malformed utf-8/,
      ],
      [
        'JSON nested too deeply',
        respondOk('['.repeat(100_000), 'application/json'),
        'json',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'a form without a boundary',
        respondOk('', 'multipart/form-data'),
        'record',
        'DecodeError',
        /no valid boundary/,
      ],
      [
        'a truncated form',
        respondOk('--x\r\nContent-Disposition: form-data; name="title"\r\n\r\na', boundary),
        'record',
        'DecodeError',
        /closing delimiter is missing/,
      ],
      [
        'a part without a name',
        respondOk('--x\r\n\r\na\r\n--x--\r\n', boundary),
        'record',
        'DecodeError',
        /missing name/,
      ],
    ],
    (_, handler, call, tag, message) =>
      withHttpService(handler, async (library) => {
        const error = await errorIn(library[call]())
        assert.is(error._tag, tag)
        assert.match(error.message, message)
      }),
  )
  table<
    readonly [
      name: string,
      handler: RequestHandler,
      call: StreamedCall,
      count: number,
      tag: string,
      message: RegExp,
    ]
  >(
    test,
    [
      [
        'an invalid line',
        respondOk(`${emma}\n{]\n`, 'application/x-ndjson'),
        'lines',
        1,
        'DecodeError',
        /#\/1/,
      ],
      [
        'an event with invalid data',
        respondOk(`data: ${emma}\n\ndata: 7\n\n`, 'text/event-stream'),
        'events',
        1,
        'DecodeError',
        /body: /,
      ],
      [
        'a truncated part',
        respondOk(
          '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x\r\nCont',
          boundary,
        ),
        'parts',
        1,
        'DecodeError',
        /closing delimiter is missing/,
      ],
      [
        'a part with an invalid header',
        respondOk('--x\r\nContent-Disposition\r\n\r\n1\r\n--x--', boundary),
        'parts',
        0,
        'DecodeError',
        /header section of a part/,
      ],
    ],
    (_, handler, call, count, tag, message) =>
      withHttpService(handler, async (library) => {
        const { body } = await right<unknown, { readonly body: AsyncIterable<unknown> }>(
          library[call](),
        )
        const [values, failure] = await readUntilFailure(body)
        assert.is(values.length, count)
        assert.ok('_tag' in failure && failure._tag === tag)
        assert.match(failure.message, message)
      }),
  )
  test('an event stream with comments, unknown fields and all line ends is decoded', () =>
    withHttpService(
      respondOk(
        `\ufeff:\n\n: hello\nevent\nid:\u0000\nretry: soon\nnonsense: 1\ndata: ${emma}\r\rdata\n\ndata:${emma}\r\n\r\ndata: ${emma}`,
        'text/event-stream',
      ),
      async (library) => {
        const { body } = await right(library.events())
        const [values, failure] = await readUntilFailure(body)
        assert.equal(
          values.map(({ data }) => data),
          [{ title: 'a' }],
        )
        // empty data is not a book
        assert.ok('_tag' in failure && failure._tag === 'DecodeError')
      },
    ))
  test('a compressed body above maxBodySize after decoding is rejected', () =>
    withHttpService(
      (response) =>
        void response
          .writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' })
          .end(gzipSync('x'.repeat(1_000_000))),
      async (library) => assert.is((await errorIn(library.text()))._tag, 'ResponseTooLarge'),
      { maxBodySize: 10_000 },
    ))
  test('redirects in a loop, and with a missing or invalid Location, are returned as responses', async () => {
    for (const location of [
      '/it',
      '',
      'http://',
      'ftp://127.0.0.1/',
      'data:text/plain,a',
      undefined,
    ])
      await withHttpService(
        (response) => {
          if (location !== undefined) response.setHeader('Location', location)
          response.statusCode = 302
          response.end('moved')
        },
        async (library) => {
          const error = await errorIn(library.text())
          assert.ok(error._tag === 'UndeclaredStatus' && error.status === 302, String(location))
          assert.is(error.text, 'moved')
        },
        { policies: [followRedirects()] },
      )
  })
  test('a call after invalid responses succeeds', () => {
    let count = 0
    const handlers = [
      respondOk('{]', 'application/json'),
      respondOk('<p>', 'text/html'),
      respondOk('{"why":"x"}', 'application/json'),
    ]
    return withHttpService(
      (response, request) => {
        const handler = handlers[count++ % 4]
        if (count % 4 === 3) response.statusCode = 404
        return (handler ?? respondOk(emma, 'application/json'))(response, request)
      },
      async (library) => {
        assert.is((await errorIn(library.json()))._tag, 'DecodeError')
        assert.is((await errorIn(library.json()))._tag, 'DecodeError')
        assert.ok('status' in (await left(library.json())))
        assert.equal((await right(library.json())).body, { title: 'a' })
      },
    )
  })
})
