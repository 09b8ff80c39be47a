/** `selectVariant` and `variant`: variants that a handler selects (RFC 9110, 12). */
import { gzipSync } from 'node:zlib'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  bytes,
  fails,
  get,
  handle,
  notAcceptable,
  ok,
  path,
  produces,
  routes,
  selectVariant,
  text,
  variant,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const page = '<h1>Seite</h1>'
const pages = [
  { mediaType: 'text/html', language: 'en', content: Buffer.from('<h1>Page</h1>') },
  { mediaType: 'text/html', language: 'de', content: Buffer.from(page) },
  { mediaType: 'text/html', language: 'de', encoding: 'gzip', content: gzipSync(page) },
  { mediaType: 'text/plain;charset=UTF-8', language: 'en', content: Buffer.from('Page') },
]

const api = routes({
  page: pipe(
    path('/page'),
    get(),
    produces(bytes),
    fails(406),
    handle((_, context) =>
      pipe(
        selectVariant(context, pages),
        O.matchW(
          () => notAcceptable(),
          (selected) => pipe(ok<Uint8Array>(selected.content), variant(selected)),
        ),
      ),
    ),
  ),
  none: pipe(
    path('/none'),
    get(),
    produces(text),
    handle((_, context) => {
      selectVariant(context, [])
      return 'none'
    }),
  ),
})

const headersOf = ({ headers }: Response) =>
  ['content-type', 'content-language', 'content-encoding', 'vary'].map((name) => headers.get(name))

valueContract('variants that a handler selects', api, (test, call) => {
  const all = 'Accept, Accept-Language, Accept-Encoding'
  const send = (headers: Record<string, string>) => sendRequest(call, 'GET /page', { headers })

  table(
    test,
    [
      ['without headers, the first variant', {}, ['text/html', 'en', null, all]],
      [
        'the preferred language',
        { 'Accept-Language': 'de-CH, en;q=0.5' },
        ['text/html', 'de', null, all],
      ],
      [
        'the preferred content coding',
        { 'Accept-Language': 'de', 'Accept-Encoding': 'gzip' },
        ['text/html', 'de', 'gzip', all],
      ],
      [
        'the preferred media type',
        { Accept: '*/*, text/html;q=0.5', 'Accept-Language': 'en' },
        ['text/plain;charset=UTF-8', 'en', null, all],
      ],
    ] as const,
    async (_, headers, expected) => {
      const response = await send(headers)
      await response.arrayBuffer()
      assert.equal([response.status, headersOf(response)], [200, expected])
    },
  )
  test('no acceptable variant results in the response of the handler, with Vary', async () => {
    const response = await send({ 'Accept-Language': 'fr' })
    assert.equal([response.status, response.headers.get('vary')], [406, all])
  })
  test('an empty list is an internal error', async () =>
    assert.is((await sendRequest(call, 'GET /none')).status, 500))
})
