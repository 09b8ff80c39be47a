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
import type { Variant } from '../../../src/index.ts'
import { testContext } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

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

contract('variants that a handler selects', api, (test, call) => {
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

/** Returns the selected variant and the added headers. */
const select = (variants: ReadonlyArray<Variant>, ...headers: ReadonlyArray<string>) => {
  const added: string[] = []
  const context = testContext({
    request: { headers },
    addHeader: (name, value) => added.push(name, value),
  })
  return [O.toUndefined(selectVariant(context, variants)), added]
}

describe('selectVariant', (test) => {
  test('returns the selected element of the list', () => {
    const variants = [{ language: 'en' }, { language: 'de' }]
    assert.is(select(variants, 'Accept-Language', 'de')[0], variants[1])
  })
  test('adds the distinguishing headers to Vary, also if no variant is acceptable', () => {
    assert.equal(select([{ encoding: 'br' }], 'Accept-Encoding', 'gzip'), [
      undefined,
      ['Vary', 'Accept-Encoding'],
    ])
    assert.equal(select([{}]), [{}, []])
  })
  test('identity is no content coding', () =>
    assert.equal(select([{ encoding: 'identity' }], 'Accept-Encoding', 'gzip'), [
      { encoding: 'identity' },
      [],
    ]))
  test('qs is the weight of the server', () => {
    const types = [{ mediaType: 'text/html;qs=0.5' }, { mediaType: 'text/plain' }]
    assert.is(select(types)[0], types[1])
  })
  table(
    test,
    [
      ['an empty list', [], 'missing variants: expected at least one'],
      ['a malformed language tag', [{ language: 'de_CH' }], 'invalid language tag "de_CH"'],
      ['a malformed media type', [{ mediaType: 'html' }], 'invalid media type "html"'],
      ['a media range', [{ mediaType: 'text/*' }], 'invalid media type "text/*"'],
      ['a malformed qs', [{ mediaType: 'a/b;qs=2' }], 'invalid media type "a/b;qs=2"'],
      ['a malformed content coding', [{ encoding: 'g zip' }], 'invalid content coding "g zip"'],
    ] as const,
    (_, variants, message) =>
      assert.throws(
        () => select(variants),
        (error: Error) => error instanceof TypeError && error.message === message,
      ),
  )
})

describe('variant', (test) => {
  table(
    test,
    [
      [{ mediaType: 'text/css;qs=0.5' }, ['Content-Type', 'text/css']],
      [{ language: 'de' }, ['Content-Language', 'de']],
      [{ encoding: 'br' }, ['Content-Encoding', 'br']],
      [{ encoding: 'identity' }, []],
      [{}, []],
    ] as const,
    (selected, headers) => assert.equal(variant(selected)(ok('')).headers, headers),
  )
  test('replaces headers of the reply', () =>
    assert.equal(pipe(ok(''), variant({ language: 'de' }), variant({ language: 'en' })).headers, [
      'Content-Language',
      'en',
    ]))
  test('rejects a malformed language tag', () =>
    assert.throws(() => variant({ language: '?' }), TypeError))
})
