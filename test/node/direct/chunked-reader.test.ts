/** Tests of the reader of chunked bodies. Each body is also read split at every byte. */
import * as assert from 'uvu/assert'
import { ChunkedReader } from '../../../src/node/direct/chunked-reader.ts'
import { incomplete, rejected } from '../../../src/node/direct/head-reader.ts'
import { describe, table } from '../../support/describe.ts'

const limits = { line: 60, size: 100, headers: 3 }

type Result = readonly [data: string, rest: string] | string | undefined

const readChunks = (chunks: ReadonlyArray<string>): Result => {
  const reader = new ChunkedReader(limits)
  let data = ''
  for (const [index, text] of chunks.entries()) {
    const chunk = Buffer.from(text, 'latin1')
    const end = reader.read(chunk, 0, (bytes) => (data += bytes.toString('latin1')))
    if (end === rejected) return reader.failure._tag
    if (end !== incomplete)
      return [data, chunk.toString('latin1', end) + chunks.slice(index + 1).join('')]
  }
  return undefined
}

const assertRead = (body: string, expected: Result): void => {
  const splits = Array.from({ length: body.length - 1 }, (_, index) => [
    body.slice(0, index + 1),
    body.slice(index + 1),
  ])
  for (const chunks of [[body], body.split(''), ...splits])
    assert.equal(readChunks(chunks), expected, JSON.stringify(chunks).slice(0, 200))
}

const last = '0\r\n\r\n'
const malformed = 'MalformedRequest'

describe('ChunkedReader', (test) => {
  table<readonly [title: string, body: string, expected: Result]>(
    test,
    [
      ['no chunks', last, ['', '']],
      ['a chunk', `3\r\nabc\r\n${last}`, ['abc', '']],
      ['several chunks', `3\r\nabc\r\n1\r\nd\r\n${last}`, ['abcd', '']],
      ['the next request', `1\r\na\r\n${last}GET /`, ['a', 'GET /']],
      ['CRLF in the data', `4\r\n\r\n\r\n\r\n${last}`, ['\r\n\r\n', '']],
      [
        'sizes in both cases',
        `a\r\n0123456789\r\nB\r\n0123456789a\r\n${last}`,
        ['01234567890123456789a', ''],
      ],
      ['a size of two digits', `10\r\n0123456789abcdef\r\n${last}`, ['0123456789abcdef', '']],
      ['many leading zeros', `${'0'.repeat(100)}1\r\na\r\n${last}`, ['a', '']],
      ['leading zeros', `0001\r\na\r\n000\r\n\r\n`, ['a', '']],
      ['extensions', `1;a;b=c;d="e;\\"f\xe9"\r\na\r\n0;x=1\r\n\r\n`, ['a', '']],
      ['a trailer', '0\r\nA: b\r\n\r\n', ['', '']],
      ['a trailer, then the next request', '0\r\nA: b\r\n\r\nGET', ['', 'GET']],
      ['an incomplete body', '3\r\nab', undefined],
      ['a body without its last CRLF', '0\r\n', undefined],
      ['no size', '\r\n', malformed],
      ['a size that is not hexadecimal', 'g\r\n', malformed],
      ['a sign', '+1\r\n', malformed],
      ['a prefix', '0x1\r\n', malformed],
      ['a space before the size', ' 1\r\n', malformed],
      ['a space after the size', '1 \r\n', malformed],
      ['a size of 16 digits', `${'f'.repeat(16)}\r\n`, undefined],
      ['a size of 17 digits', 'f'.repeat(17), malformed],
      ['a size of 17 digits after zeros', `00${'1'.repeat(17)}`, malformed],
      ['a size that ends in LF', '1\na', malformed],
      ['a size that ends in CR', '1\ra', malformed],
      ['data longer than its size', '1\r\nab', malformed],
      ['data that ends in LF', '1\r\na\n', malformed],
      ['data that ends in CR', '1\r\na\r0', malformed],
      ['an extension without a name', '1;\r', malformed],
      ['an extension with an empty value', '1;a=\r', malformed],
      ['a space in an extension', '1;a b', malformed],
      ['an unterminated quoted value', '1;a="b\r', malformed],
      ['a control in a quoted value', '1;a="\x01', malformed],
      ['text after a quoted value', '1;a="b"c', malformed],
      ['Content-Length in a trailer', '0\r\ncontent-LENGTH: 1\r\n\r\n', malformed],
      ['Transfer-Encoding in a trailer', '0\r\nTransfer-Encoding: x\r\n\r\n', malformed],
      [
        'a trailer above the maximum size',
        `0\r\nA: ${'b'.repeat(96)}\r\n\r`,
        'HeaderFieldsTooLarge',
      ],
    ],
    (_, body, expected) => assertRead(body, expected),
  )

  test('extensions of at most 16 KiB in total are accepted', () => {
    const chunk = `1;${'a'.repeat(1023)}\r\nx\r\n`
    assert.equal(readChunks([chunk.repeat(16) + last]), ['x'.repeat(16), ''])
    assert.is(readChunks([`${chunk.repeat(16)}1;a\r\n`]), 'ContentTooLarge')
  })
})
