import * as assert from 'uvu/assert'
import { encodingName, textDecoder } from '../../src/http/text-decoder.ts'
import { describe, table } from '../support/describe.ts'
import { encodingLabels, singleByteCharacters } from './encoding-standard.ts'

const upperHalf = Array.from({ length: 128 }, (_, at) => 128 + at)

const decode = (label: string, ...bytes: ReadonlyArray<number>): string | undefined => {
  try {
    return textDecoder(label)?.decode(Uint8Array.from(bytes))
  } catch {
    return '\ufffd'
  }
}

const allLabels = Object.entries(encodingLabels).flatMap(([name, labels]) =>
  labels.map((label) => [label, name] as const),
)

describe('textDecoder', (test) => {
  test('knows all labels of the Encoding Standard except those of the encoding replacement', () => {
    for (const [label, name] of allLabels) {
      const expected = name === 'replacement' ? undefined : name
      assert.is(encodingName(label), expected, label)
      assert.is(encodingName(` ${label.toUpperCase()} `), expected, label)
      assert.is(textDecoder(label) === undefined, name === 'replacement', label)
    }
  })
  test('decodes the bytes 80 to FF of all single-byte encodings, and rejects those that are invalid', () => {
    for (const [label, name] of allLabels) {
      const characters = singleByteCharacters[name]
      if (characters !== undefined)
        assert.is(upperHalf.map((byte) => decode(label, byte)).join(''), characters, label)
    }
  })
  test('decodes the bytes 00 to 7F as US-ASCII', () => {
    const ascii = Array.from({ length: 128 }, (_, at) => at)
    const others = /^(?:utf-16|iso-2022-jp|replacement)/
    for (const name of Object.keys(encodingLabels).filter((label) => !others.test(label)))
      assert.is(decode(name, ...ascii), String.fromCharCode(...ascii), name)
  })
  test('decodes more bytes than a function has arguments', () => {
    const bytes = new Uint8Array(1_000_000).fill(0x80)
    assert.is(textDecoder('latin1')?.decode(bytes), '€'.repeat(1_000_000))
  })
  table<readonly [label: string, bytes: ReadonlyArray<number>, text: string]>(
    test,
    [
      ['utf-8', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'é'],
      ['utf-8', [0xc3], '\ufffd'],
      ['utf-16le', [0xff, 0xfe, 0xe9, 0], 'é'],
      ['utf-16', [0xe9, 0], 'é'],
      ['utf-16be', [0xfe, 0xff, 0, 0xe9], 'é'],
      ['utf-16be', [0xd8, 0], '\ufffd'], // half of a pair
      ['shift_jis', [0x93, 0x8c], '東'],
      ['euc-jp', [0xc5, 0xec], '東'],
      ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x45, 0x6c, 0x1b, 0x28, 0x42], '東'],
      ['gbk', [0xb6, 0xab], '东'],
      ['gbk', [0xa2, 0xe3], '€'],
      ['gb2312', [0x80], '€'],
      ['gb18030', [0x81, 0x30, 0x81, 0x30], '\x80'],
      ['big5', [0xaa, 0x46], '東'],
      ['big5', [0x87, 0x40], '\ufffd'], // in an extension, which Node.js does not have
      ['euc-kr', [0xb5, 0xbf], '동'],
      ['euc-kr', [0x81, 0x41], '\ufffd'], // in an extension, which Node.js does not have
    ],
    (label, bytes, text) => assert.is(decode(label, ...bytes), text),
  )
  test('decodes the parts of a text', () => {
    const decoder = textDecoder('cp1252')
    const parts = [[0x80], [0x92]].map((part) =>
      decoder?.decode(Uint8Array.from(part), { stream: true }),
    )
    assert.equal([...parts, decoder?.decode()], ['€', '’', ''])
  })
})
