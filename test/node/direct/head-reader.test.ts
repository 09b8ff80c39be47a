/** Tests of the reader of request heads and trailers. Each message is also read split at every byte. */
import * as assert from 'uvu/assert'
import type { CompleteHead } from '../../../src/node/direct/head-reader.ts'
import { HeadReader, incomplete, rejected } from '../../../src/node/direct/head-reader.ts'
import { describe, table } from '../../support/describe.ts'

const limits = { line: 60, size: 100, headers: 3 }

type Result = CompleteHead | string | undefined

/** Reads chunks one after the other. Returns the head and the rest of the last chunk, the failure, or `undefined`. */
const readChunks = (
  chunks: ReadonlyArray<string>,
  isTrailer = false,
): readonly [result: Result, rest: string] => {
  const reader = new HeadReader(limits, isTrailer)
  for (const [index, text] of chunks.entries()) {
    const chunk = Buffer.from(text, 'latin1')
    const end = reader.read(chunk, 0)
    if (end === rejected) return [reader.failure._tag, '']
    if (end !== incomplete) {
      const rest = chunk.toString('latin1', end) + chunks.slice(index + 1).join('')
      return [reader.take(), rest]
    }
  }
  return [undefined, '']
}

/** Asserts the result for a message that arrives as a whole, byte by byte, and in two chunks split at every position. */
const assertRead = (message: string, expected: Result, rest = '', isTrailer = false): void => {
  const splits = Array.from({ length: message.length - 1 }, (_, index) => [
    message.slice(0, index + 1),
    message.slice(index + 1),
  ])
  for (const chunks of [[message], message.split(''), ...splits]) {
    const [result, actualRest] = readChunks(chunks, isTrailer)
    assert.equal(result, expected, JSON.stringify(chunks))
    if (typeof result === 'object') assert.is(actualRest, rest)
  }
}

const line = 'GET / HTTP/1.1\r\n'

const headOf = (
  rawHeaders: ReadonlyArray<string>,
  method = 'GET',
  url = '/',
  httpVersion = '1.1',
): CompleteHead => ({ method, url, httpVersion, rawHeaders })

describe('HeadReader: accepts', (test) => {
  table<readonly [title: string, message: string, expected: CompleteHead, rest?: string]>(
    test,
    [
      ['no headers', `${line}\r\n`, headOf([])],
      ['a header', `${line}Host: a\r\n\r\n`, headOf(['Host', 'a'])],
      ['the rest of the chunk', `${line}\r\nGET`, headOf([]), 'GET'],
      ['empty lines before the request line', `\r\n\r\n${line}A: b\r\n\r\n`, headOf(['A', 'b'])],
      [
        'any token as a method',
        `!#$%&'*+-.^_\`|~a1 / HTTP/1.1\r\n\r\n`,
        headOf([], "!#$%&'*+-.^_`|~a1"),
      ],
      [
        'any visible characters as a target',
        'GET a:b;c="\\<>{} HTTP/1.1\r\n\r\n',
        headOf([], 'GET', 'a:b;c="\\<>{}'),
      ],
      ['a higher minor version', 'GET / HTTP/1.2\r\n\r\n', headOf([], 'GET', '/', '1.1')],
      ['another version', 'GET / HTTP/9.0\r\n\r\n', headOf([], 'GET', '/', '9.0')],
      ['an empty value', `${line}A:\r\n\r\n`, headOf(['A', ''])],
      ['a value of whitespace', `${line}A: \t \r\n\r\n`, headOf(['A', ''])],
      ['no whitespace', `${line}A:b\r\n\r\n`, headOf(['A', 'b'])],
      ['whitespace around a value', `${line}A: \t b c\t d \t\r\n\r\n`, headOf(['A', 'b c\t d'])],
      ['a colon in a value', `${line}A: :b:c\r\n\r\n`, headOf(['A', ':b:c'])],
      ['bytes above 0x7f in a value', `${line}A: \x80\xff\r\n\r\n`, headOf(['A', '\x80\xff'])],
      [
        'as many headers as allowed',
        `${line}A: 1\r\nB: 2\r\nC: 3\r\n\r\n`,
        headOf(['A', '1', 'B', '2', 'C', '3']),
      ],
      [
        'a line of the maximum length',
        `GET /${'a'.repeat(60 - 14)} HTTP/1.1\r\n\r\n`,
        headOf([], 'GET', `/${'a'.repeat(46)}`),
      ],
      [
        'headers of the maximum size',
        `${line}A: ${'b'.repeat(95)}\r\n\r\n`,
        headOf(['A', 'b'.repeat(95)]),
      ],
    ],
    (_, message, expected, rest) => assertRead(message, expected, rest),
  )

  test('one head after the other', () => {
    const reader = new HeadReader(limits)
    const chunk = Buffer.from(`${line}A: b\r\n\r\nPOST /c HTTP/1.0\r\n\r\n`)
    const end = reader.read(chunk, 0)
    assert.equal(reader.take(), headOf(['A', 'b']))
    assert.not.ok(reader.isStarted)
    assert.is(reader.read(chunk, end), chunk.length)
    assert.equal(reader.take(), headOf([], 'POST', '/c', '1.0'))
  })

  test('isStarted is true after the first byte of a request line', () => {
    const reader = new HeadReader(limits)
    for (const [text, isStarted] of [
      ['\r', false],
      ['\n', false],
      ['G', true],
      ['ET / HTTP/1.1\r\n', true],
      ['\r', true],
    ] as const) {
      assert.is(reader.read(Buffer.from(text), 0), incomplete)
      assert.is(reader.isStarted, isStarted, text)
    }
  })
})

const malformed = 'MalformedRequest'

describe('HeadReader: rejects', (test) => {
  table<readonly [title: string, message: string, failure: string]>(
    test,
    [
      ['a line that ends in LF', 'GET / HTTP/1.1\nHost: a\r\n', malformed],
      ['a line that ends in CR', 'GET / HTTP/1.1\rHost: a\r\n', malformed],
      ['LF as an empty line', `\n${line}`, malformed],
      ['CR before a request line', `\r${line}`, malformed],
      ['a space before the method', ` ${line}`, malformed],
      ['two spaces before the target', 'GET  / HTTP/1.1\r\n', malformed],
      ['two spaces before the version', 'GET /  HTTP/1.1\r\n\r\n', malformed],
      ['a space after the version', 'GET / HTTP/1.1 \r\n', malformed],
      ['a tab in the request line', 'GET\t/ HTTP/1.1\r\n', malformed],
      ['a byte above 0x7f in the target', 'GET /\xe9 HTTP/1.1\r\n', malformed],
      ['a control in the target', 'GET /\x01 HTTP/1.1\r\n', malformed],
      ['no version', 'GET /\r\n', malformed],
      ['no target', 'GET\r\n', malformed],
      ['a version in lower case', 'GET / http/1.1\r\n\r\n', malformed],
      ['a version without a minor version', 'GET / HTTP/1\r\n\r\n', malformed],
      ['a version of two digits', 'GET / HTTP/1.10\r\n\r\n', malformed],
      ['another protocol', 'GET / HTTPS/1.1\r\n\r\n', malformed],
      ['a header without a name', `${line}: a\r\n`, malformed],
      ['a header without a colon', `${line}abc\r\n`, malformed],
      ['a space before the colon', `${line}A : b\r\n`, malformed],
      ['a space before the name', `${line} A: b\r\n`, malformed],
      ['a folded header', `${line}A: b\r\n c\r\n`, malformed],
      ['a header folded by a tab', `${line}A: b\r\n\tc\r\n`, malformed],
      ['a delimiter in a name', `${line}A(b): c\r\n`, malformed],
      ['a byte above 0x7f in a name', `${line}\xe9: c\r\n`, malformed],
      ['NUL in a value', `${line}A: b\0c\r\n`, malformed],
      ['DEL in a value', `${line}A: \x7f\r\n`, malformed],
      ['CR in a value', `${line}A: b\rc\r\n`, malformed],
      ['LF in a value', `${line}A: b\nB: c\r\n`, malformed],
      ['CR at the end', `${line}\r\r\n`, malformed],
      ['more headers than allowed', `${line}A: 1\r\nB: 2\r\nC: 3\r\nD`, 'HeaderFieldsTooLarge'],
      [
        'headers above the maximum size',
        `${line}A: ${'b'.repeat(96)}\r\n\r`,
        'HeaderFieldsTooLarge',
      ],
      ['a header without an end', `${line}A: ${'b'.repeat(101)}`, 'HeaderFieldsTooLarge'],
      ['a line above the maximum length', `GET /${'a'.repeat(47)} HTTP/1.1\r`, 'UriTooLong'],
      ['a line without an end', `GET /${'a'.repeat(60)}`, 'UriTooLong'],
      ['a method without an end', 'A'.repeat(63), 'UriTooLong'],
    ],
    (_, message, failure) => assertRead(message, failure),
  )

  test('at most the limits are kept of a message without an end', () => {
    for (const [message, tag] of [
      ['G'.repeat(1_000_000), 'UriTooLong'],
      [`${line}A: ${'b'.repeat(1_000_000)}`, 'HeaderFieldsTooLarge'],
    ] as const) {
      const [result] = readChunks([message])
      assert.is(result, tag)
    }
  })

  test('every byte in every state leads to a state, or is rejected', () => {
    const prefixes = ['', '\r', 'G', 'GET ', 'GET /', 'GET / ', 'GET / H', 'GET / HTTP/1.1\r', line]
    const inHeaders = ['A', 'A:', 'A: b', 'A: b\r', 'A: b\r\n', '\r'].map((text) => line + text)
    for (const prefix of [...prefixes, ...inHeaders])
      for (let byte = 0; byte < 256; byte++) {
        const reader = new HeadReader(limits)
        const chunk = Buffer.from(prefix + String.fromCharCode(byte), 'latin1')
        const end = reader.read(chunk, 0)
        assert.ok(end === incomplete || end === rejected || end === chunk.length)
      }
  })
})

describe('HeadReader: trailers', (test) => {
  table<readonly [title: string, message: string, expected: ReadonlyArray<string> | string]>(
    test,
    [
      ['none', '\r\n', []],
      ['one', 'A: b\r\n\r\n', ['A', 'b']],
      [
        'more than the maximum number of headers',
        'A:\r\nB:\r\nC:\r\nD:\r\n\r\n',
        ['A', '', 'B', '', 'C', '', 'D', ''],
      ],
      ['above the maximum size', `A: ${'b'.repeat(96)}\r\n\r`, 'HeaderFieldsTooLarge'],
      ['a folded line', 'A: b\r\n c\r\n', malformed],
      ['a line that ends in LF', 'A: b\n', malformed],
    ],
    (_, message, expected) => {
      const splits = Array.from({ length: message.length }, (_unused, at) => [
        message.slice(0, at),
        message.slice(at),
      ])
      for (const chunks of [message.split(''), ...splits]) {
        const [result] = readChunks(chunks, true)
        assert.equal(typeof result === 'object' ? result.rawHeaders : result, expected)
      }
    },
  )
})
