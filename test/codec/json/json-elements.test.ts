import { deepStrictEqual } from 'node:assert/strict'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { ElementSplitter, JsonElementError } from '../../../src/codec/json/json-elements.ts'
import { splitArray, splitArrayOrLines, splitLines } from '../../../src/codec/json/json-elements.ts'
import { describe, law, table } from '../../support/describe.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

class SplitError extends Error {
  constructor(error: JsonElementError) {
    super(error._tag === 'Malformed' ? error.detail : error._tag)
  }
}
const toError = (error: JsonElementError): Error => new SplitError(error)

type CreateSplitter = (
  maxBytes: number,
  toError: (error: JsonElementError) => Error,
) => ElementSplitter

/** Splits a text that arrives in chunks with boundaries at `cuts`. Overwrites the memory of each chunk after use. */
const split = (
  create: CreateSplitter,
  text: string,
  cuts: ReadonlyArray<number>,
  maxBytes = 1000,
): string[] => {
  const bytes = encoder.encode(text)
  const splitter = create(maxBytes, toError)
  const boundaries = [
    0,
    ...cuts.toSorted((a, b) => a - b).filter((at) => at <= bytes.length),
    bytes.length,
  ]
  const texts: string[] = []
  const add = (all: Iterable<Uint8Array>): void => {
    for (const element of all) texts.push(decoder.decode(element))
  }
  boundaries.forEach((at, index) => {
    if (index === 0) return
    const chunk = bytes.slice(boundaries[index - 1], at)
    add(splitter.take(chunk))
    chunk.fill(0)
  })
  add(splitter.end())
  return texts
}

/** Splits a text as one chunk and as chunks of one byte, and compares the results. */
const splitBothWays = (create: CreateSplitter, text: string): string[] => {
  const all = split(create, text, [])
  assert.equal(
    split(
      create,
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
  ['[tru,1}]', ['tru', '1}']], // the parser rejects them later
]

const lines: ReadonlyArray<Row> = [
  ['', []],
  ['\n\r\n \n', []],
  ['1\n2\n', ['1', '2']],
  ['1\n2', ['1', '2']], // the last line may be unterminated
  ['{"a":1}\r\n{}', ['{"a":1}\r', '{}']],
  ['"a\\nb"\n', ['"a\\nb"']],
]

describe('splitArray', (test) => {
  table<Row>(test, array, (text, elements) =>
    assert.equal(splitBothWays(splitArray, text), elements),
  )
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
    (text, message) =>
      assert.throws(() => splitBothWays(splitArray, text), new RegExp(`^${message}$`)),
  )
})

describe('splitLines', (test) => {
  table<Row>(test, lines, (text, elements) =>
    assert.equal(splitBothWays(splitLines, text), elements),
  )
})

describe('splitArrayOrLines', (test) => {
  table<Row>(test, [...array, ...lines.filter(([text]) => text.trim() !== '')], (text, elements) =>
    assert.equal(splitBothWays(splitArrayOrLines, text), elements),
  )
  test('rejects blank input', () =>
    assert.throws(() => split(splitArrayOrLines, ' ', []), /^unexpected end of the array$/))
})

describe('splitArray returns an element with its last byte', (test) => {
  for (const [text, element] of [
    ['[{"a":[1]}', '{"a":[1]}'],
    ['[1,"b"', '"b"'],
    ['[1 ', '1'],
  ] as const)
    test(text, () => {
      const all = [...splitArray(100, toError).take(encoder.encode(text))].map((bytes) =>
        decoder.decode(bytes),
      )
      assert.is(all.at(-1), element)
    })
})

describe('splitters limit the size of elements', (test) => {
  for (const [name, create, text] of [
    ['splitArray', splitArray, (element: string) => `[1,${element},2]`],
    ['splitLines', splitLines, (element: string) => `1\n${element}\n2`],
  ] as const) {
    test(`${name} with any chunks`, () => {
      assert.equal(split(create, text('1234'), [], 4), ['1', '1234', '2'])
      for (let at = 0; at < 8; at++)
        assert.throws(() => split(create, text('12345'), [at], 4), /^TooLong$/)
    })
  }
})

describe('splitters return JSON elements for any chunks', (test) => {
  const values = fc.tuple(fc.array(fc.jsonValue()), fc.array(fc.nat(200)), fc.boolean())
  law(test, 'splitArray', values, ([all, cuts, isIndented]) => {
    const text = JSON.stringify(all, undefined, isIndented ? 2 : undefined)
    deepStrictEqual(
      split(splitArray, text, cuts, 100_000).map((element) => JSON.parse(element) as unknown),
      JSON.parse(text),
    )
  })
  law(test, 'splitLines', values, ([all, cuts, isEnded]) => {
    const text = all.map((value) => JSON.stringify(value)).join('\n') + (isEnded ? '\n' : '')
    deepStrictEqual(
      split(splitLines, text, cuts, 100_000).map((element) => JSON.parse(element) as unknown),
      JSON.parse(JSON.stringify(all)),
    )
  })
})
