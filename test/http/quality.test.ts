import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Quality from '../../src/http/quality.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'

// RFC 9110, 12.4.2
describe('Quality.parse', (test) => {
  table(
    test,
    [
      ['0', O.some(0)], // "0" [ "." 0*3DIGIT ]
      ['0.', O.some(0)],
      ['0.5', O.some(500)],
      ['0.25', O.some(250)],
      ['0.001', O.some(1)],
      ['0.999', O.some(999)],
      ['0.000', O.some(0)],
      ['1', O.some(1000)], // "1" [ "." 0*3("0") ]
      ['1.', O.some(1000)],
      ['1.0', O.some(1000)],
      ['1.000', O.some(1000)],
      ['', O.none],
      ['.5', O.none],
      ['0.1234', O.none],
      ['1.0000', O.none],
      ['1.001', O.none],
      ['1.5', O.none],
      ['2', O.none],
      ['00', O.none],
      ['-1', O.none],
      ['+1', O.none],
      ['1e0', O.none],
      ['0x1', O.none],
      ['0,5', O.none],
      [' 1', O.none],
      ['1\n', O.none],
      ['NaN', O.none],
    ] as const,
    (text, expected) => assert.equal(Quality.parse(text), expected),
  )

  law(test, 'is none or an integer from 0 to 1000', fc.string(), (text) => {
    const quality = Quality.parse(text)
    if (O.isSome(quality))
      assert.ok(Number.isInteger(quality.value) && quality.value >= 0 && quality.value <= 1000)
  })
})

describe('Quality.format', (test) => {
  table(
    test,
    [
      [Quality.mostPreferred, '1'],
      [999, '0.999'],
      [500, '0.5'],
      [10, '0.01'],
      [1, '0.001'],
      [Quality.notAcceptable, '0'],
    ] as const,
    (quality, expected) => assert.is(Quality.format(quality), expected),
  )
})

describe('Quality', (test) => {
  roundTrip(
    test,
    fc.integer({ min: 0, max: 1000 }),
    Quality.format,
    Quality.parse,
    (actual, expected) => assert.equal(actual, O.some(expected)),
  )
})
