/** Text in pieces, received: `Reader` of the body types. */
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
} from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'

const most = 100_000

const api = routes({
  all: pipe(
    path('/all'),
    post(),
    body(textStream),
    produces(text),
    handle(async (input) => {
      let all = ''
      for await (const piece of input.body) {
        assert.ok(piece.length > 0)
        all += piece
      }
      return all
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
      for await (const piece of input.body) return piece.slice(0, 1)
      return 'nothing'
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
      for await (const piece of input.body) return piece
      return 'nothing'
    }),
  ),
})

contract(
  'a text in pieces',
  api,
  (test, call) => {
    const send = (to: string, content: Uint8Array | string, type?: string) =>
      call(
        new Request(`${base}${to}`, {
          method: 'POST',
          headers: type === undefined ? {} : { 'content-type': type },
          body: Buffer.from(content),
        }),
      )
    // two octets a character, so that pieces end within some
    const long = `x${'é'.repeat(49_999)}`

    table<
      readonly [string, to: string, content: string | Uint8Array, type: string, answer: string]
    >(
      test,
      [
        ['is UTF-8', '/all', 'é', 'text/plain', 'é'],
        ['or what its charset says', '/all', Uint8Array.of(0xe9), 'text/plain;charset=latin1', 'é'],
        ['whose characters may be torn', '/all', long, 'text/plain', long],
        ['may be sent on', '/echo', long, 'text/plain', long],
        ['may be empty', '/all', '', 'text/plain', ''],
        ['need not be read to its end', '/first', long, 'text/plain', 'x'],
        ['nor at all', '/unread', long, 'text/plain', 'not read'],
        ['of another media type', '/csv', 'a,b', 'text/csv', 'a,b'],
      ],
      async (_, to, content, type, answer) => {
        const response = await send(to, content, type)
        assert.equal([response.status, await response.text()], [200, answer])
      },
    )
    test('needs no media type', async () => assert.is(await (await send('/all', 'a')).text(), 'a'))
    test('has its limit where it is read', async () => {
      assert.is((await send('/all', 'x'.repeat(most - 1))).status, 200)
      assert.is((await send('/all', 'x'.repeat(most))).status, 200)
      assert.is((await send('/all', 'x'.repeat(most + 1))).status, 413)
    })
    for (const [title, octets] of [
      ['what is not of its charset', [0x61, 0xe9, 0x61]],
      ['half of a character', [0x61, 0xc3]],
    ] as const)
      test(`${title} shows where it is read`, async () => {
        const response = await send('/all', Uint8Array.from(octets))
        assert.is(response.status, 400)
        assert.match(await response.text(), /"errors":\[\{"in":"body","pointer":"#"/)
        assert.is((await send('/unread', Uint8Array.from(octets))).status, 200)
      })
    test('a charset that is not known, and another media type', async () => {
      assert.is((await send('/all', 'a', 'text/plain;charset=klingon')).status, 415)
      assert.is((await send('/csv', 'a', 'text/plain')).status, 415)
    })
  },
  { 'fw.http.limits.max-body-size': most },
)
