/** Bodies of plain services that contradict their headers. */
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { followRedirects } from '../../src/client.ts'
import { errorIn, left, right } from '../support/clients.ts'
import { describe, table } from '../support/describe.ts'
import { failing } from '../support/reading.ts'
import type { Answering, Getting, Streaming } from '../support/services.ts'
import { answering, with200 } from '../support/services.ts'

const emma = '{"title":"a"}'

describe('bodies that contradict their headers', (test) => {
  const boundary = 'multipart/form-data; boundary=x'
  table<readonly [name: string, answer: Answering, call: Getting, tag: string, said: RegExp]>(
    test,
    [
      [
        'XML that ends early',
        with200('<Book><title>', 'application/xml'),
        'xml',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'XML of something else',
        with200('<a/>', 'application/xml'),
        'xml',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'no XML',
        with200(emma, 'application/xml'),
        'xml',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'XML with entities of its own',
        with200('<!DOCTYPE a [<!ENTITY b "c">]><Book><title>&b;</title></Book>', 'application/xml'),
        'xml',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'octets that are not UTF-8',
        with200(Uint8Array.of(0x22, 0xff), 'application/json'),
        'json',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'text that is not of its charset',
        with200(Uint8Array.of(0xff), 'text/plain;charset=utf-8'),
        'text',
        'DecodeError',
        /malformed utf-8/,
      ],
      [
        'JSON that is nested too deep',
        with200('['.repeat(100_000), 'application/json'),
        'json',
        'DecodeError',
        /^\w+: invalid body in a response with status 200: body:? ./,
      ],
      [
        'a form without a boundary',
        with200('', 'multipart/form-data'),
        'record',
        'DecodeError',
        /no valid boundary/,
      ],
      [
        'a form that is cut',
        with200('--x\r\nContent-Disposition: form-data; name="title"\r\n\r\na', boundary),
        'record',
        'DecodeError',
        /closing delimiter is missing/,
      ],
      [
        'a part without a name',
        with200('--x\r\n\r\na\r\n--x--\r\n', boundary),
        'record',
        'DecodeError',
        /missing name/,
      ],
    ],
    (_, answer, call, tag, said) =>
      answering(answer, async (library) => {
        const error = await errorIn(library[call]())
        assert.is(error._tag, tag)
        assert.match(error.message, said)
      }),
  )
  table<
    readonly [
      name: string,
      answer: Answering,
      call: Streaming,
      read: number,
      tag: string,
      said: RegExp,
    ]
  >(
    test,
    [
      [
        'a line that is none',
        with200(`${emma}\n{]\n`, 'application/x-ndjson'),
        'lines',
        1,
        'DecodeError',
        /#\/1/,
      ],
      [
        'an event that is none',
        with200(`data: ${emma}\n\ndata: 7\n\n`, 'text/event-stream'),
        'events',
        1,
        'DecodeError',
        /body: /,
      ],
      [
        'parts that are cut',
        with200(
          '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x\r\nCont',
          boundary,
        ),
        'parts',
        1,
        'DecodeError',
        /closing delimiter is missing/,
      ],
      [
        'parts with a header that is none',
        with200('--x\r\nContent-Disposition\r\n\r\n1\r\n--x--', boundary),
        'parts',
        0,
        'DecodeError',
        /header section of a part/,
      ],
    ],
    (_, answer, call, read, tag, said) =>
      answering(answer, async (library) => {
        const { body } = await right<unknown, { readonly body: AsyncIterable<unknown> }>(
          library[call](),
        )
        const [values, failure] = await failing(body)
        assert.is(values.length, read)
        assert.ok('_tag' in failure && failure._tag === tag)
        assert.match(failure.message, said)
      }),
  )
  test('an event stream with all kinds of lines is decoded', () =>
    answering(
      with200(
        `\ufeff:\n\n: hello\nevent\nid:\u0000\nretry: soon\nnonsense: 1\ndata: ${emma}\r\rdata\n\ndata:${emma}\r\n\r\ndata: ${emma}`,
        'text/event-stream',
      ),
      async (library) => {
        const { body } = await right(library.events())
        const [values, failure] = await failing(body)
        assert.equal(
          values.map(({ data }) => data),
          [{ title: 'a' }],
        )
        // an empty data is no book
        assert.ok('_tag' in failure && failure._tag === 'DecodeError')
      },
    ))
  test('a compressed body above maxContentLength after decoding is rejected', () =>
    answering(
      (response) =>
        void response
          .writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' })
          .end(gzipSync('x'.repeat(1_000_000))),
      async (library) => assert.is((await errorIn(library.text()))._tag, 'ContentTooLarge'),
      { maxContentLength: 10_000 },
    ))
  test('redirects in a loop, without Location and to another origin', async () => {
    for (const location of [
      '/it',
      '',
      'http://',
      'ftp://127.0.0.1/',
      'data:text/plain,a',
      undefined,
    ])
      await answering(
        (response) => {
          if (location !== undefined) response.setHeader('Location', location)
          response.statusCode = 302
          response.end('moved')
        },
        async (library) => {
          const error = await errorIn(library.text())
          assert.ok(error._tag === 'UndeclaredStatus' && error.status === 302, String(location))
          assert.is(error.content, 'moved')
        },
        { policies: [followRedirects()] },
      )
  })
  test('the next call succeeds after each invalid body', () => {
    let count = 0
    const answers = [
      with200('{]', 'application/json'),
      with200('<p>', 'text/html'),
      with200('{"why":"x"}', 'application/json'),
    ]
    return answering(
      (response, request) => {
        const answer = answers[count++ % 4]
        if (count % 4 === 3) response.statusCode = 404
        return (answer ?? with200(emma, 'application/json'))(response, request)
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
