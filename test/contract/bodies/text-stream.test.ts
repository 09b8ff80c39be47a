/** Request bodies read as a text stream. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  handle,
  path,
  post,
  produces,
  routes,
  text,
  textStream,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'

const limit = 100_000

const api = routes({
  all: pipe(
    path('/all'),
    post(),
    body(textStream),
    produces(text),
    handle(async (input) => {
      let received = ''
      for await (const chunk of input.body) {
        assert.ok(chunk.length > 0)
        received += chunk
      }
      return received
    }),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(textStream),
    produces(textStream),
    handle((input) => input.body),
  ),
  first: pipe(
    path('/first'),
    post(),
    body(textStream),
    produces(text),
    handle(async (input) => {
      for await (const chunk of input.body) return chunk.slice(0, 1)
      return 'no chunk'
    }),
  ),
  unread: pipe(
    path('/unread'),
    post(),
    body(textStream),
    produces(text),
    handle(() => 'not read'),
  ),
  csv: pipe(
    path('/csv'),
    post(),
    body(as('text/csv')(textStream)),
    produces(text),
    handle(async (input) => {
      for await (const chunk of input.body) return chunk
      return 'no chunk'
    }),
  ),
})

contract(
  'textStream request bodies',
  api,
  (test, call) => {
    const send = (target: string, content: Uint8Array | string, type?: string) =>
      call(
        new Request(`${base}${target}`, {
          method: 'POST',
          headers: type === undefined ? {} : { 'content-type': type },
          body: Buffer.from(content),
        }),
      )
    // Two bytes per character after a first character of one, so that chunks end inside a character.
    const long = `x${'é'.repeat(49_999)}`

    table<
      readonly [
        name: string,
        target: string,
        content: string | Uint8Array,
        type: string,
        expected: string,
      ]
    >(
      test,
      [
        ['text in UTF-8', '/all', 'é', 'text/plain', 'é'],
        ['text in ISO-8859-1', '/all', Uint8Array.of(0xe9), 'text/plain;charset=latin1', 'é'],
        ['characters split across chunks', '/all', long, 'text/plain', long],
        ['text forwarded to the response', '/echo', long, 'text/plain', long],
        ['an empty body', '/all', '', 'text/plain', ''],
        ['a partially read body', '/first', long, 'text/plain', 'x'],
        ['an unread body', '/unread', long, 'text/plain', 'not read'],
        ['a declared media type', '/csv', 'a,b', 'text/csv', 'a,b'],
      ],
      async (_, target, content, type, expected) => {
        const response = await send(target, content, type)
        assert.equal([response.status, await response.text()], [200, expected])
      },
    )
    test('a body without Content-Type is read', async () =>
      assert.is(await (await send('/all', 'a')).text(), 'a'))
    test('a body above max-body-size returns 413 if it is read', async () => {
      assert.is((await send('/all', 'x'.repeat(limit - 1))).status, 200)
      assert.is((await send('/all', 'x'.repeat(limit))).status, 200)
      assert.is((await send('/all', 'x'.repeat(limit + 1))).status, 413)
    })
    for (const [title, bytes] of [
      ['an invalid byte sequence', [0x61, 0xe9, 0x61]],
      ['an incomplete character', [0x61, 0xc3]],
    ] as const)
      test(`${title} returns 400 if the body is read`, async () => {
        const response = await send('/all', Uint8Array.from(bytes))
        assert.is(response.status, 400)
        assert.match(await response.text(), /"errors":\[\{"in":"body","pointer":"#"/)
        assert.is((await send('/unread', Uint8Array.from(bytes))).status, 200)
      })
    test('an unknown charset and an undeclared media type return 415', async () => {
      assert.is((await send('/all', 'a', 'text/plain;charset=klingon')).status, 415)
      assert.is((await send('/csv', 'a', 'text/plain')).status, 415)
    })
  },
  { 'fw.http.limits.max-body-size': limit },
)
