import * as assert from 'uvu/assert'
import type { AnyRepresentation, Format } from '../../src/endpoint/representation.ts'
import { toRepresentation } from '../../src/endpoint/representation.ts'
import {
  as,
  bytes,
  formMap,
  html,
  int,
  json,
  rawJson,
  representation,
  text,
} from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

describe('representations', (test) => {
  const plain: Format = { _tag: 'Text', codec: undefined }
  const vendor = as('application/vnd.library+json;qs=0.5')
  table<readonly [string, AnyRepresentation, string, Format]>(
    test,
    [
      ['json', json(int), 'application/json', { _tag: 'Json', codec: int }],
      ['rawJson', rawJson, 'application/json', { _tag: 'RawJson' }],
      ['text', text, 'text/plain', plain],
      ['html', html, 'text/html', plain],
      ['bytes', bytes, 'application/octet-stream', { _tag: 'Bytes' }],
      ['formMap', formMap, 'application/x-www-form-urlencoded', { _tag: 'FormMap' }],
      [
        'as',
        vendor(json(int)),
        'application/vnd.library+json;qs=0.5',
        { _tag: 'Json', codec: int },
      ],
      ['as, applied twice', as('text/csv')(vendor(text)), 'text/csv', plain],
      ['a codec', toRepresentation(int), 'text/plain', { _tag: 'Text', codec: int }],
      ['a representation', toRepresentation(html), 'text/html', plain],
    ],
    (_, value, mediaType, format) =>
      assert.equal(value, { _tag: 'Representation', mediaType, format }),
  )
})

const read = (data: Uint8Array): number => data.length
const write = (value: number): string => 'x'.repeat(value)

describe('representation', (test) => {
  test('reads and writes with custom functions', () => {
    const { mediaType, format } = representation({ mediaType: 'application/x-length', read, write })
    assert.is(mediaType, 'application/x-length')
    assert.is(format._tag, 'Custom')
    if (format._tag !== 'Custom') return
    assert.is(format.read?.(new Uint8Array(3)), 3)
    assert.is(format.write?.(3), 'xxx')
  })
  test('has no write function unless it is given', () => {
    const { format } = representation({ mediaType: 'application/x-length', read })
    assert.equal(format, { _tag: 'Custom', read, write: undefined })
  })
  test('has no read function unless it is given', () => {
    const { format } = representation({ mediaType: 'application/x-length', write })
    assert.is(format._tag === 'Custom' && format.read, undefined)
  })
})
