/** Tests of the scanner of header blocks. Each block is also scanned split at every byte. */
import * as assert from 'uvu/assert'
import { HeaderBlockScanner } from '../../../src/node/http2/header-block-scanner.ts'
import { describe, table } from '../../support/describe.ts'
import { headerBlock } from './frames.ts'

const scan = (fragments: ReadonlyArray<Uint8Array>) => {
  const scanner = new HeaderBlockScanner()
  const kept = Buffer.concat(fragments.map((fragment) => scanner.add(fragment)))
  return { kept, fields: scanner.fields, isCut: scanner.isCut }
}

/** Writes an integer with a prefix of `bits` bits below `first` (RFC 7541, 5.1). */
const integer = (first: number, bits: number, value: number): Buffer => {
  const limit = 2 ** bits - 1
  if (value < limit) return Buffer.from([first | value])
  const bytes = [first | limit]
  let rest = value - limit
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

const string = (length: number, isCoded = false): Buffer =>
  Buffer.concat([integer(isCoded ? 0x80 : 0, 7, length), Buffer.alloc(length, 0xff)])

describe('header block scanner', (test) => {
  table(
    test,
    [
      ['an empty block', [], 0],
      ['an indexed field', [integer(0x80, 7, 2)], 1],
      ['an indexed field with a long index', [integer(0x80, 7, 1337)], 1],
      ['a literal with indexing and a name', [Buffer.from([0x40]), string(3), string(200)], 1],
      ['a literal with indexing and an indexed name', [integer(0x40, 6, 62), string(5)], 1],
      ['a literal with indexing and a long index', [integer(0x40, 6, 300), string(5)], 1],
      ['a literal without indexing', [integer(0, 4, 15), string(0)], 1],
      ['a literal that is never indexed', [integer(0x10, 4, 20), string(127, true)], 1],
      ['empty strings', [Buffer.from([0x00, 0x00, 0x00])], 1],
      ['a change of the size of the table', [integer(0x20, 5, 4096)], 0],
      [
        'several representations',
        [integer(0x20, 5, 0), integer(0x80, 7, 2), headerBlock([['a', 'b']]), integer(0x80, 7, 4)],
        3,
      ],
    ] as const,
    (_, parts, fields) => {
      const block = Buffer.concat(parts)
      const splits = Array.from({ length: block.length }, (__, at) => [
        block.subarray(0, at),
        block.subarray(at),
      ])
      for (const fragments of [[block], [...block].map((byte) => Buffer.from([byte])), ...splits])
        assert.equal(scan(fragments), { kept: block, fields, isCut: false })
    },
  )

  table(
    test,
    [
      ['the longest string', string(65_536), string(65_536), false],
      ['a longer string', string(65_537), string(8192), true],
      ['the longest coded string', string(40_960, true), string(40_960, true), false],
      ['a longer coded string', string(40_961, true), string(8192), true],
    ] as const,
    (_, value, expected, isCut) => {
      const name = Buffer.from([0x40, 0x01, 0x61])
      const next = integer(0x80, 7, 2)
      const block = Buffer.concat([name, value, next])
      // the length is in the bytes 3 to 6
      for (const at of [0, 1, 3, 7, 8, 1000, 9000, 40_000, block.length - 2, block.length]) {
        const result = scan([block.subarray(0, at), block.subarray(at)])
        assert.ok(result.kept.equals(Buffer.concat([name, expected, next])), String(at))
        assert.equal([result.fields, result.isCut], [2, isCut])
      }
    },
  )
})
