/** Contents that are no multipart form, or a malformed one: F1, F3. */
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
} from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'
import { field, formOf, send } from '../support/multipart.ts'

const operations = routes({
  file: pipe(
    path('/file'),
    post(),
    form({ title: string, cover: upload }),
    produces(text),
    handle(() => 'read'),
  ),
  maybe: pipe(
    path('/maybe'),
    post(),
    form({ more: uploads }),
    produces(text),
    handle(() => 'read'),
  ),
})

const cover = field('cover', '<svg/>', { fileName: 'a.svg', type: 'image/svg+xml' })

contract('malformed multipart forms', operations, (test, call) => {
  test('a form with a file is multipart only', async () => {
    const sent = new Request(`${base}/file`, {
      method: 'POST',
      body: new URLSearchParams([['title', 'x']]),
    })
    const response = await call(sent)
    assert.is(response.status, 415)
    assert.is(response.headers.get('Accept-Post'), 'multipart/form-data')
  })

  table(
    test,
    [
      ['of another media type', 'text/csv', 415],
      ['without a media type', undefined, 400],
      ['without a boundary', 'multipart/form-data', 400],
      ['with an empty boundary', 'multipart/form-data; boundary=""', 400],
      ['with a boundary of 71 characters', `multipart/form-data; boundary=${'b'.repeat(71)}`, 400],
      ['with a boundary that ends in a space', 'multipart/form-data; boundary="b "', 400],
      ['with another boundary', 'multipart/form-data; boundary=other', 400],
    ] as const,
    async (_, type, status) => {
      const response = await call(send('/file', formOf(cover), type ?? ''))
      assert.is(response.status, status)
    },
  )

  test('a boundary may have 70 characters, and odd ones', async () => {
    for (const boundary of ['b'.repeat(70), `'()+_,-./:=? b`]) {
      const content = formOf(field('title', 'x'), cover).replaceAll('--XX', `--${boundary}`)
      const type = `multipart/form-data; boundary="${boundary}"`
      assert.is((await call(send('/file', content, type))).status, 200)
    }
  })

  table(
    test,
    [
      ['nothing', ''],
      ['without its last delimiter', formOf(cover).replace('--XX--', '')],
      [
        'with a delimiter that goes on',
        formOf(cover, cover).replace('\r\n--XX\r\n', '\r\n--XXY\r\n'),
      ],
      ['with bare line feeds', formOf(cover).replaceAll('\r\n', '\n')],
      ['with a header that is none', formOf(`what\r\n\r\nx`)],
      ['with a part without a header', formOf('\r\nx')],
      ['with a part without a name', formOf('Content-Disposition: form-data\r\n\r\nx')],
      ['with a part with an empty name', formOf(field('', 'x'))],
      ['with an attachment', formOf('Content-Disposition: attachment; name="a"\r\n\r\nx')],
      ['with no disposition', formOf('Content-Type: text/plain\r\n\r\nx')],
      ['with two dispositions', formOf(`Content-Disposition: form-data; name="b"\r\n${cover}`)],
      ['with an unescaped quote', formOf('Content-Disposition: form-data; name="a"b"\r\n\r\nx')],
      [
        'with a file name in an unknown charset',
        formOf(`Content-Disposition: form-data; name="a"; filename*=koi8-r''%F0\r\n\r\nx`),
      ],
      ['with a control character in a header', formOf(field('a\0', 'x'))],
      ['with a header that is not UTF-8', formOf(field('\u{e9}', 'x'))],
      ['with a header without an end', formOf('Content-Disposition: form-data; name="a"')],
    ],
    async (_, content) => {
      const response = await call(send('/maybe', Buffer.from(content, 'latin1')))
      assert.is(response.status, 400)
      assert.match(await response.text(), /"errors":\[\{"in":"body"/)
    },
  )

  test('RFC 2046, 5.1.1: white space behind a delimiter is none of the content', async () => {
    const content = formOf(field('title', 'x'), cover)
    for (const padding of [' ', '\t\t'])
      for (const padded of [
        content.replaceAll('--XX\r\n', `--XX${padding}\r\n`),
        content.replace('--XX--', `--XX--${padding}`),
      ])
        assert.is((await call(send('/file', padded))).status, 200)
  })

  test('text around the parts is no part', async () => {
    const content = `before\r\n${formOf(field('title', 'x'), cover)}after\r\n--XX\r\nand more`
    assert.is((await call(send('/file', content))).status, 200)
  })
})
