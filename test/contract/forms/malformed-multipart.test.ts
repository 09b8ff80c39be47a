/** Multipart forms with a missing or invalid boundary, and malformed multipart bodies. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  form,
  handle,
  path,
  post,
  produces,
  routes,
  string,
  text,
  upload,
  uploads,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartRequest } from '../../support/multipart.ts'

const operations = routes({
  file: pipe(
    path('/file'),
    post(),
    form({ title: string, cover: upload }),
    produces(text),
    handle(() => 'read'),
  ),
  files: pipe(
    path('/files'),
    post(),
    form({ files: uploads }),
    produces(text),
    handle(() => 'read'),
  ),
})

const cover = encodePart('cover', '<svg/>', { fileName: 'a.svg', type: 'image/svg+xml' })

contract('malformed multipart forms', operations, (test, call) => {
  test('a URL-encoded body for a form with a file returns 415', async () => {
    const request = new Request(`${base}/file`, {
      method: 'POST',
      body: new URLSearchParams([['title', 'x']]),
    })
    const response = await call(request)
    assert.is(response.status, 415)
    assert.is(response.headers.get('Accept-Post'), 'multipart/form-data')
  })

  table(
    test,
    [
      ['another media type', 'text/csv', 415],
      ['no media type', undefined, 400],
      ['no boundary', 'multipart/form-data', 400],
      ['an empty boundary', 'multipart/form-data; boundary=""', 400],
      ['a boundary of 71 characters', `multipart/form-data; boundary=${'b'.repeat(71)}`, 400],
      ['a boundary that ends in a space', 'multipart/form-data; boundary="b "', 400],
      ['another boundary than that of the body', 'multipart/form-data; boundary=other', 400],
    ] as const,
    async (_, type, status) => {
      const response = await call(multipartRequest('/file', encodeMultipart(cover), type ?? ''))
      assert.is(response.status, status)
    },
  )

  table(
    test,
    [
      ['====1444057544756===', true],
      ['----=_Part_0_11145468.1217087070812', true],
      ['gc0pJq0M:08jU534c0p', true],
      ['a/b; charset=utf-8', true],
      ['a b', false],
      ['a; q', false],
    ] as const,
    async (boundary, isNamed) => {
      const type = `multipart/form-data; boundary=${boundary}`
      const response = await call(multipartRequest('/file', encodeMultipart(cover), type))
      assert.is(response.status, 415)
      assert.is(/Quote the boundary/.test(await response.text()), isNamed)
    },
  )

  test('a boundary of 70 characters or with special characters is accepted', async () => {
    for (const boundary of ['b'.repeat(70), `'()+_,-./:=? b`]) {
      const content = encodeMultipart(encodePart('title', 'x'), cover).replaceAll(
        '--XX',
        `--${boundary}`,
      )
      const type = `multipart/form-data; boundary="${boundary}"`
      assert.is((await call(multipartRequest('/file', content, type))).status, 200)
    }
  })

  table(
    test,
    [
      ['an empty body', ''],
      ['a missing close delimiter', encodeMultipart(cover).replace('--XX--', '')],
      [
        'characters after a delimiter',
        encodeMultipart(cover, cover).replace('\r\n--XX\r\n', '\r\n--XXY\r\n'),
      ],
      ['bare line feeds', encodeMultipart(cover).replaceAll('\r\n', '\n')],
      ['a header line without a colon', encodeMultipart(`header\r\n\r\nx`)],
      ['a part without headers', encodeMultipart('\r\nx')],
      ['a part without a name', encodeMultipart('Content-Disposition: form-data\r\n\r\nx')],
      ['a part with an empty name', encodeMultipart(encodePart('', 'x'))],
      [
        'Content-Disposition: attachment',
        encodeMultipart('Content-Disposition: attachment; name="a"\r\n\r\nx'),
      ],
      ['no Content-Disposition', encodeMultipart('Content-Type: text/plain\r\n\r\nx')],
      [
        'two Content-Disposition headers',
        encodeMultipart(`Content-Disposition: form-data; name="b"\r\n${cover}`),
      ],
      [
        'an unescaped quote',
        encodeMultipart('Content-Disposition: form-data; name="a"b"\r\n\r\nx'),
      ],
      [
        'a file name in an unknown charset',
        encodeMultipart(`Content-Disposition: form-data; name="a"; filename*=koi8-r''%F0\r\n\r\nx`),
      ],
      ['a control character in a header', encodeMultipart(encodePart('a\0', 'x'))],
      ['a header that is not UTF-8', encodeMultipart(encodePart('\u{e9}', 'x'))],
      ['an unterminated header', encodeMultipart('Content-Disposition: form-data; name="a"')],
    ],
    async (_, content) => {
      const response = await call(multipartRequest('/files', Buffer.from(content, 'latin1')))
      assert.is(response.status, 400)
      assert.match(await response.text(), /"errors":\[\{"in":"body"/)
    },
  )

  test('white space after a delimiter is ignored (RFC 2046, 5.1.1)', async () => {
    const content = encodeMultipart(encodePart('title', 'x'), cover)
    for (const padding of [' ', '\t\t'])
      for (const padded of [
        content.replaceAll('--XX\r\n', `--XX${padding}\r\n`),
        content.replace('--XX--', `--XX--${padding}`),
      ])
        assert.is((await call(multipartRequest('/file', padded))).status, 200)
  })

  test('a preamble and an epilogue are ignored', async () => {
    const content = `before\r\n${encodeMultipart(encodePart('title', 'x'), cover)}after\r\n--XX\r\nand the rest`
    assert.is((await call(multipartRequest('/file', content))).status, 200)
  })
})
