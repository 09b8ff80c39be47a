/** The encodings of XML documents in requests (RFC 7303, 3.2; XML, 4.3.3). */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { body, handle, path, post, produces, routes, string, text } from '../../../src/index.ts'
import { xml } from '../../../src/xml.ts'
import { base, valueContract } from '../../support/contract.ts'
import { table } from '../../support/describe.ts'

const Note = t.type({ text: string }, 'Note')

const api = routes({
  typed: pipe(
    path('/typed'),
    post(),
    body(xml(Note)),
    produces(text),
    handle((input) => input.body.text),
  ),
  untyped: pipe(
    path('/untyped'),
    post(),
    body(xml(t.unknown)),
    produces(text),
    handle((input) => JSON.stringify(input.body)),
  ),
  writes: pipe(
    path('/writes'),
    post(),
    body(text),
    produces(xml(Note)),
    handle((input) => ({ text: input.body })),
  ),
})

const utf16le = (content: string): Uint8Array => Buffer.from(content, 'utf16le')
const utf16be = (content: string): Uint8Array => Buffer.from(content, 'utf16le').swap16()
const utf8 = (content: string): Uint8Array => Buffer.from(content)
const latin1 = (content: string): Uint8Array => Buffer.from(content, 'latin1')

const note = (encoding?: string): string =>
  `${encoding === undefined ? '' : `<?xml version="1.0" encoding="${encoding}"?>`}<note><text>Jö</text></note>`

type Row = readonly [title: string, charset: string | undefined, bytes: Uint8Array, status?: number]

const rows: ReadonlyArray<Row> = [
  ['no charset', undefined, utf8(note())],
  ['a declaration of UTF-8', undefined, utf8(note('utf-8'))],
  ['a declaration of ISO-8859-1', undefined, latin1(note('ISO-8859-1'))],
  ['a declaration of windows-1252', undefined, latin1(note('windows-1252'))],
  ['a declaration in single quotes', undefined, latin1(note('l1').replaceAll('"', "'"))],
  ['a charset and another declaration', 'utf-8', utf8(note('utf-16'))],
  ['a charset and a declaration of ISO-8859-1', 'UTF-8', utf8(note('ISO-8859-1'))],
  ['a charset of ISO-8859-1 and a declaration of UTF-8', 'iso-8859-1', latin1(note('utf-8'))],
  ['a charset without a declaration', 'latin1', latin1(note())],
  ['UTF-16 with a byte order mark', undefined, utf16le(`\uFEFF${note()}`)],
  ['big-endian UTF-16 with a byte order mark', undefined, utf16be(`\uFEFF${note('UTF-16')}`)],
  ['UTF-16 without a byte order mark', undefined, utf16le(note('UTF-16'))],
  ['big-endian UTF-16 without a byte order mark', undefined, utf16be(note('UTF-16BE'))],
  ['UTF-16 with a charset', 'utf-16', utf16le(`\uFEFF${note('UTF-16')}`)],
  ['big-endian UTF-16 with a charset', 'utf-16', utf16be(`\uFEFF${note()}`)],
  ['big-endian UTF-16 with a charset, without a byte order mark', 'UTF-16', utf16be(note())],
  ['a charset of UTF-16BE', 'utf-16be', utf16be(note())],
  ['a byte order mark of UTF-8 and another charset', 'iso-8859-1', utf8(`\uFEFF${note()}`)],
  ['UTF-16 with a charset of UTF-8', 'utf-8', utf16le(note()), 400],
  ['bytes in UTF-8 that declare UTF-16', undefined, utf8(note('utf-16')), 400],
  ['invalid UTF-8', undefined, latin1(note()), 400],
  ['half of a pair in UTF-16', undefined, utf16le(note().replace('ö', '\uD800')), 400],
  ['an unknown charset', 'utf-7', utf8(note()), 415],
  ['an unknown declaration', undefined, utf8(note('utf-7')), 415],
  ['a raw control character', undefined, utf8(note().replace('ö', '\u0001')), 400],
  ['a reference to a control character', undefined, utf8(note().replace('ö', '&#1;')), 400],
  ['a reference to half of a pair', undefined, utf8(note().replace('ö', '&#xD800;')), 400],
]

valueContract('the encodings of XML documents', api, (test, call) => {
  const send = (target: string, type: string, content: Uint8Array | string): Promise<Response> =>
    call(
      new Request(`${base}${target}`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: typeof content === 'string' ? content : new Uint8Array(content),
      }),
    )

  table<Row>(test, rows, async (_, charset, bytes, status = 200) => {
    const type = `application/xml${charset === undefined ? '' : `; charset=${charset}`}`
    const typed = await send('/typed', type, bytes)
    const untyped = await send('/untyped', type, bytes)
    assert.equal([typed.status, untyped.status], [status, status])
    if (status !== 200) return
    assert.is(await typed.text(), 'Jö')
    assert.is(await untyped.text(), '{"note":{"text":"Jö"}}')
  })

  test('a result with a character that XML does not allow returns 500', async () => {
    const response = await send('/writes', 'text/plain', 'a\u0001')
    assert.is(response.status, 500)
  })
})
