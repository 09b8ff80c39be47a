import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { ElementSplitter, ElementError } from '../../../src/codec/json/json-elements.ts'
import { splitArray, splitArrayOrLines, splitLines } from '../../../src/codec/json/json-elements.ts'
import { describe, law, table } from '../../support/describe.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

class Failed extends Error {
  readonly unfound: ElementError
  constructor(unfound: ElementError) {
    super(unfound._tag === 'Malformed' ? unfound.detail : unfound._tag)
    this.unfound = unfound
  }
}
const fail = (unfound: ElementError): Error => new Failed(unfound)

type Make = (most: number, fail: (unfound: ElementError) => Error) => ElementSplitter

/** The elements of octets that are cut at some places; the memory of each piece is written over behind it. */
const found = (make: Make, text: string, cuts: ReadonlyArray<number>, most = 1000): string[] => {
  const octets = encoder.encode(text)
  const elements = make(most, fail)
  const places = [
    0,
    ...cuts.toSorted((a, b) => a - b).filter((at) => at <= octets.length),
    octets.length,
  ]
  const texts: string[] = []
  const add = (all: Iterable<Uint8Array>): void => {
    for (const one of all) texts.push(decoder.decode(one))
  }
  places.forEach((at, index) => {
    if (index === 0) return
    const piece = octets.slice(places[index - 1], at)
    add(elements.take(piece))
    piece.fill(0)
  })
  add(elements.end())
  return texts
}

/** Cut nowhere, and before each octet. */
const bothWays = (make: Make, text: string): string[] => {
  const all = found(make, text, [])
  assert.equal(
    found(
      make,
      text,
      Array.from({ length: encoder.encode(text).length }, (_, at) => at),
    ),
    all,
  )
  return all
}

type Row = readonly [text: string, elements: string[]]

const array: ReadonlyArray<Row> = [
  ['[]', []],
  [' [ ] \n', []],
  ['[1]', ['1']],
  ['[1,2]', ['1', '2']],
  ['[ 1 , "a" ]', ['1', '"a"']],
  ['[[1,2],{"a":[3,4]}]', ['[1,2]', '{"a":[3,4]}']],
  ['[",]","\\"],[","\\\\"]', ['",]"', '"\\"],["', '"\\\\"']],
  ['["é€😀"]', ['"é€😀"']],
  ['[tru,1}]', ['tru', '1}']], // whoever parses it finds that
]

const lines: ReadonlyArray<Row> = [
  ['', []],
  ['\n\r\n \n', []],
  ['1\n2\n', ['1', '2']],
  ['1\n2', ['1', '2']], // the last line may have no end
  ['{"a":1}\r\n{}', ['{"a":1}\r', '{}']],
  ['"a\\nb"\n', ['"a\\nb"']],
]

describe('the elements of an array are found', (test) => {
  table<Row>(test, array, (text, elements) => assert.equal(bothWays(splitArray, text), elements))
  table(
    test,
    [
      ['', 'unexpected end of the array'],
      ['[1', 'unexpected end of the array'],
      ['[1,', 'unexpected end of the array'],
      ['["]', 'unexpected end of the array'],
      ['1', 'expected an array'],
      ['{"a":1}', 'expected an array'],
      ['[1,]', 'missing element'],
      ['[,1]', 'missing element'],
      ['[ , ]', 'missing element'],
      ['[}]', 'missing element'],
      ['[1 2]', 'expected a comma or the end of the array'],
      ['[{}{}]', 'expected a comma or the end of the array'],
      ['["a"1]', 'expected a comma or the end of the array'],
      ['[1]2', 'unexpected data after the array'],
      ['[][]', 'unexpected data after the array'],
    ] as const,
    (text, message) => assert.throws(() => bothWays(splitArray, text), new RegExp(`^${message}$`)),
  )
})

describe('the elements of lines are found', (test) => {
  table<Row>(test, lines, (text, elements) => assert.equal(bothWays(splitLines, text), elements))
})

describe('an array or lines, as it begins', (test) => {
  table<Row>(test, [...array, ...lines.filter(([text]) => text.trim() !== '')], (text, elements) =>
    assert.equal(bothWays(splitArrayOrLines, text), elements),
  )
  test('nothing at all is no array', () =>
    assert.throws(() => found(splitArrayOrLines, ' ', []), /^unexpected end of the array$/))
})

describe('an element is there with its last octet', (test) => {
  for (const [text, element] of [
    ['[{"a":[1]}', '{"a":[1]}'],
    ['[1,"b"', '"b"'],
    ['[1 ', '1'],
  ] as const)
    test(text, () => {
      const all = [...splitArray(100, fail).take(encoder.encode(text))].map((one) =>
        decoder.decode(one),
      )
      assert.is(all.at(-1), element)
    })
})

describe('elements are bounded', (test) => {
  for (const [name, make, text] of [
    ['of an array', splitArray, (element: string) => `[1,${element},2]`],
    ['of lines', splitLines, (element: string) => `1\n${element}\n2`],
  ] as const) {
    test(`${name}, wherever they are cut`, () => {
      assert.equal(found(make, text('1234'), [], 4), ['1', '1234', '2'])
      for (let at = 0; at < 8; at++)
        assert.throws(() => found(make, text('12345'), [at], 4), /^TooLong$/)
    })
  }
})

describe('JSON is found again, wherever it is cut', (test) => {
  const values = fc.tuple(fc.array(fc.jsonValue()), fc.array(fc.nat(200)), fc.boolean())
  law(test, 'of an array', values, ([all, cuts, isIndented]) => {
    const text = JSON.stringify(all, undefined, isIndented ? 2 : undefined)
    assert.equal(
      found(splitArray, text, cuts, 100_000).map((one) => JSON.parse(one) as unknown),
      JSON.parse(text),
    )
  })
  law(test, 'of lines', values, ([all, cuts, isEnded]) => {
    const text = all.map((one) => JSON.stringify(one)).join('\n') + (isEnded ? '\n' : '')
    assert.equal(
      found(splitLines, text, cuts, 100_000).map((one) => JSON.parse(one) as unknown),
      JSON.parse(JSON.stringify(all)),
    )
  })
})
