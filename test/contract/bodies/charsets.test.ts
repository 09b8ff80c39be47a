/** Text responses are encoded in the charset of their `Content-Type`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  as,
  formDataPart,
  get,
  handle,
  multipartOutput,
  path,
  produces,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { api, ascii, latin } from '../../programs/charsets-api.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

type Row = readonly [path: string, status: number, type: string, bytes: ReadonlyArray<number>]
const eAcute = 0xe9
const caf = [0x63, 0x61, 0x66]
const inLatin = [...caf, eAcute]
const inUtf8 = [...caf, 0xc3, 0xa9]

contract('charset of a response', api, (test, call) => {
  table<Row>(
    test,
    [
      ['/text', 200, latin, inLatin],
      ['/quoted', 200, 'text/plain; charset="latin1"', inLatin],
      ['/codec', 200, latin, inLatin],
      ['/html', 200, 'text/html;charset=ISO-8859-1', inLatin],
      ['/custom', 200, 'text/csv;charset=ISO-8859-1', inLatin],
      ['/custom-bytes', 200, 'text/plain;charset=windows-1251', [eAcute]],
      ['/bytes', 200, 'text/plain;charset=windows-1251', [eAcute]],
      ['/tagged', 200, latin, inLatin],
      ['/stream', 200, latin, inLatin],
      ['/ascii', 200, ascii, [...caf, 0x65]],
      ['/json-ascii', 200, 'application/json;charset=US-ASCII', [0x22, 0x61, 0x22]],
      ['/utf8', 200, 'text/plain;charset="utf-8"', inUtf8],
      ['/reply', 200, latin, inLatin],
      ['/reply-utf8', 200, 'text/plain;charset=UTF-8', inUtf8],
      ['/reply-without', 200, 'text/plain', inUtf8],
      ['/reply-stream', 200, latin, inLatin],
      ['/reply-bytes', 200, 'text/plain;charset=windows-1251', [eAcute]],
      ['/fixed', 200, latin, inLatin],
      ['/failure', 404, latin, inLatin],
      ['/filtered', 200, latin, inLatin],
      ['/answered', 403, latin, inLatin],
      ['/mapped', 418, latin, inLatin],
      ['/intercepted', 200, latin, inLatin],
      ['/retyped', 200, latin, inLatin],
      ['/relabelled', 200, latin, inLatin],
    ],
    async (target, status, type, bytes) => {
      const response = await sendRequest(call, `GET ${target}`)
      assert.equal([response.status, response.headers.get('Content-Type')], [status, type])
      assert.equal([...new Uint8Array(await response.arrayBuffer())], [...bytes])
    },
  )

  test('a declared media range is sent in the charset of the negotiated type', async () => {
    const response = await sendRequest(call, 'GET /ranged', { headers: { accept: 'text/css' } })
    assert.is(response.headers.get('Content-Type'), 'text/css;charset=UTF-8')
    assert.equal([...new Uint8Array(await response.arrayBuffer())], inUtf8)
  })

  table(
    test,
    [
      ['/not-ascii'],
      ['/not-latin'],
      ['/control'],
      ['/custom-text'],
      ['/reply-unknown'],
      ['/reply-json'],
    ] as const,
    async (target) => {
      const response = await sendRequest(call, `GET ${target}`)
      assert.is(response.status, 500)
      assert.not.match(await response.text(), /café|€|klingon/)
    },
  )

  test('HEAD sends the length of the encoded text', async () => {
    const response = await sendRequest(call, 'HEAD /text')
    assert.is(response.headers.get('Content-Length') ?? '4', '4')
  })
})

const parts = routes({
  parts: pipe(
    path('/parts'),
    get(),
    produces(multipartOutput),
    handle(() => [
      formDataPart('declared', 'é', as(latin)(text)),
      formDataPart('own', 'é', text, { headers: { 'Content-Type': latin } }),
      formDataPart('utf8', 'é', as(latin)(text), { headers: { 'Content-Type': 'text/plain' } }),
      formDataPart('codec', 'é', string, { headers: { 'Content-Type': latin } }),
    ]),
  ),
})

contract('charset of a part', parts, (test, call) => {
  test('a part is encoded in the charset of its Content-Type', async () => {
    const response = await sendRequest(call, 'GET /parts')
    const body = Buffer.from(await response.arrayBuffer()).toString('latin1')
    assert.equal(
      [...body.matchAll(/name="?(\w+)"?[^]*?\r\n\r\n([^\r]*)/g)].map(([, name, value]) => [
        name,
        value,
      ]),
      [
        ['declared', '\xe9'],
        ['own', '\xe9'],
        ['utf8', '\xc3\xa9'],
        ['codec', '\xe9'],
      ],
    )
  })
})
