import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Range from '../../src/http/range.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { describe, law, table } from '../support/describe.ts'

const interval = (first: number, last: number): Range.Range => ({ _tag: 'Interval', first, last })
const suffix = (length: number): Range.Range => ({ _tag: 'Suffix', length })

describe('Range.parse', (test) => {
  table(
    test,
    [
      ['bytes=0-499', [interval(0, 499)]], // 14.1.2, examples
      ['bytes=500-', [interval(500, Infinity)]],
      ['bytes=-500', [suffix(500)]],
      ['bytes=0-0,-1', [interval(0, 0), suffix(1)]],
      ['bytes= 0-999, 4500-5499, -1000', [interval(0, 999), interval(4500, 5499), suffix(1000)]],
      ['bytes=0-0, ,1-1,', [interval(0, 0), interval(1, 1)]], // empty members, 5.6.1
      ['BYTES=0-0', [interval(0, 0)]], // units are case-insensitive, 14.1
      ['bytes=007-010', [interval(7, 10)]],
      ['bytes=1-0', undefined], // invalid, 14.1.1
      ['bytes=0-0,2-1', undefined],
      ['bytes=', undefined],
      ['bytes=,', undefined],
      ['bytes=-', undefined],
      ['bytes=a-b', undefined],
      ['bytes=0', undefined],
      ['bytes=0-1-2', undefined],
      ['bytes=--1', undefined],
      ['bytes=+1-2', undefined],
      ['bytes=1.0-2', undefined],
      ['bytes=0x1-2', undefined],
      ['bytes 0-1', undefined],
      ['bytes =0-1', undefined],
      ['lines=0-1', undefined],
      ['bytes=0-1, bytes=2-3', undefined], // two headers
      ['', undefined],
    ] as const,
    (text, expected) =>
      assert.equal(Range.parse(text), expected === undefined ? O.none : O.some(expected)),
  )
  test('accepts positions beyond the size of any representation', () => {
    const parsed = Range.parse(`bytes=${'9'.repeat(5000)}-`)
    assert.ok(O.isSome(parsed))
    assert.equal(Range.select(parsed.value, 10), { _tag: 'Unsatisfiable' })
  })
  test('takes linear time', () => {
    const start = cpuTime()
    for (const text of [
      `bytes=${'0-0,'.repeat(200_000)}`,
      `bytes=${' ,'.repeat(400_000)}`,
      `bytes=${'9'.repeat(800_000)}`,
      `bytes=${'"'.repeat(800_000)}`,
    ])
      Range.parse(text)
    assert.ok(cpuTime() - start < 2000)
  })
})

const slices = (...pairs: ReadonlyArray<readonly [number, number]>) => ({
  _tag: 'Slices',
  slices: pairs.map(([offset, length]) => ({ offset, length })),
})

describe('Range.select', (test) => {
  const whole = { _tag: 'Whole' }
  const unsatisfiable = { _tag: 'Unsatisfiable' }
  table(
    test,
    [
      ['one range', [interval(0, 4)], 10, slices([0, 5])],
      ['an open range', [interval(4, Infinity)], 10, slices([4, 6])],
      ['a suffix', [suffix(3)], 10, slices([7, 3])],
      ['a suffix longer than the representation', [suffix(11)], 10, slices([0, 10])],
      ['a range that exceeds the representation', [interval(5, 99)], 10, slices([5, 5])],
      ['the last byte', [interval(9, 9)], 10, slices([9, 1])],
      ['a range after the end', [interval(10, 10)], 10, unsatisfiable],
      ['a suffix of length 0', [suffix(0)], 10, unsatisfiable],
      ['a range of an empty representation', [interval(0, 0)], 0, unsatisfiable],
      ['a suffix of an empty representation', [suffix(1)], 0, whole],
      ['several ranges', [interval(0, 0), suffix(1)], 10, slices([0, 1], [9, 1])],
      ['one satisfiable range of two', [interval(0, 0), interval(10, 12)], 10, slices([0, 1])],
      [
        'overlapping ranges that add up to the size',
        [interval(0, 5), interval(2, 5)],
        10,
        slices([0, 6], [2, 4]),
      ],
      [
        'overlapping ranges that add up to one byte more',
        [interval(0, 5), interval(2, 6)],
        10,
        whole,
      ],
    ] as const,
    (_, ranges, size, expected) => assert.equal(Range.select(ranges, size), expected),
  )
  for (const count of [15, 16, 17])
    test(`${count} ranges are ${count > 16 ? 'too many' : 'served'}`, () => {
      const ranges = Array.from({ length: count }, (_, at) => interval(at, at))
      assert.is(Range.select(ranges, 100)._tag, count > 16 ? 'Whole' : 'Slices')
    })
  const range = fc.oneof(
    fc
      .tuple(fc.nat(30), fc.option(fc.nat(30), { nil: undefined }))
      .map(([first, more]) => `${first}-${more === undefined ? '' : first + more}`),
    fc.nat(30).map((length) => `-${length}`),
  )
  law(
    test,
    'agrees with a model that checks each byte separately',
    fc.tuple(fc.array(range, { minLength: 1, maxLength: 18 }), fc.nat(25)),
    ([texts, size]) => {
      const positions = Array.from({ length: size }, (_, at) => at)
      const expected = texts
        .map((text) => {
          const [first = '', last = ''] = text.split('-')
          return positions.filter((at) =>
            first === ''
              ? at >= size - Number(last)
              : at >= Number(first) && (last === '' || at <= Number(last)),
          )
        })
        .filter((selected) => selected.length > 0)
      const parsed = Range.parse(`bytes=${texts.join()}`)
      assert.ok(O.isSome(parsed))
      const selection = Range.select(parsed.value, size)
      if (selection._tag === 'Slices') {
        const sent = selection.slices.map(({ offset, length }) =>
          positions.slice(offset, offset + length),
        )
        assert.equal(sent, expected)
        assert.ok(sent.flat().length <= size)
      } else if (selection._tag === 'Unsatisfiable') assert.equal(expected, [])
      else assert.ok(texts.length > 16 || expected.flat().length > size || size === 0)
    },
  )
})

describe('Range.format and formatUnsatisfied', (test) => {
  table(
    test,
    [
      ['bytes 42-1233/1234', { offset: 42, length: 1192 }, 1234], // RFC 9110, 14.4
      ['bytes 0-0/1', { offset: 0, length: 1 }, 1],
    ] as const,
    (expected, slice, size) => assert.is(Range.format(slice, size), expected),
  )
  test('formatUnsatisfied writes the complete length', () =>
    assert.is(Range.formatUnsatisfied(1234), 'bytes */1234'))
})
