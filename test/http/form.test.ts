import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Percent from '../../src/http/percent.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

const anyText = fc.oneof(
  unicodeString,
  fc.string({ unit: fc.constantFrom('a', '=', '&', '+', '%', '2', '0', ';') }),
)

const parse = (text: string): ReturnType<typeof Percent.groupPairs> =>
  Percent.groupPairs(Percent.splitPairs(text))

describe('Percent.splitPairs', (test) => {
  table<readonly [string, ReadonlyArray<Percent.Pair>]>(
    test,
    [
      ['', []],
      ['a=b', [['a', 'b']]],
      [
        'a=b&c=d',
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
      ],
      [
        'a=1&a=2',
        [
          ['a', '1'],
          ['a', '2'],
        ],
      ],
      ['a=', [['a', '']]],
      ['a', [['a', undefined]]], // a name without a value
      ['=b', [['', 'b']]],
      ['a=b=c', [['a', 'b=c']]], // the first equals sign separates
      ['&&a=b&', [['a', 'b']]], // WHATWG URL, 5.1: empty pairs are skipped
      ['a=b;c=d', [['a', 'b;c=d']]], // a semicolon does not separate
      ['a%3Db=c%26d', [['a%3Db', 'c%26d']]], // not decoded yet
    ],
    (text, expected) => assert.equal(Percent.splitPairs(text), expected),
  )
})

const entries = (text: string): unknown => {
  const values = parse(text)
  return values === undefined ? undefined : [...values]
}

describe('Percent.groupPairs', (test) => {
  table<readonly [string, unknown]>(
    test,
    [
      ['', []],
      [
        'b=1&a=2&b=3',
        [
          ['b', ['1', '3']],
          ['a', ['2']],
        ],
      ], // names in order of first occurrence
      ['a&a=', [['a', ['', '']]]],
      ['na%6De=v+w', [['name', ['v w']]]],
      ['a=1&%61=2', [['a', ['1', '2']]]], // two encodings of the same name
      [
        '__proto__=1&constructor=2',
        [
          ['__proto__', ['1']],
          ['constructor', ['2']],
        ],
      ], // names of members of Object.prototype
      ['a=%zz', [['a', ['%zz']]]], // URL Standard, 1.3: a percent sign that begins no escape
      ['%=%25', [['%', ['%']]]],
      ['%FF=a', undefined],
      ['a=1&b=%FF', undefined],
    ],
    (text, expected) => assert.equal(entries(text), expected),
  )
  law(test, 'never throws', anyText, (text) => {
    const values = parse(text)
    assert.ok(values === undefined || values instanceof Map)
  })
})

describe('Percent.formatPairs', (test) => {
  table(
    test,
    [
      ['', []],
      ['a=b', [['a', ['b']]]],
      [
        'b=1&b=2&a=3',
        [
          ['b', ['1', '2']],
          ['a', ['3']],
        ],
      ],
      ['', [['a', []]]], // a name without values is not written
      ['a+b=c%2Bd%26e%3Df', [['a b', ['c+d&e=f']]]],
      ['%C3%A9=', [['é', ['']]]],
    ] as const,
    (text, values) => assert.is(Percent.formatPairs(values), text),
  )
})

describe('Form', (test) => {
  const wellFormed = unicodeString.map((text) => text.toWellFormed())
  const forms = fc.uniqueArray(
    fc.tuple(wellFormed, fc.array(wellFormed, { minLength: 1, maxLength: 3 })),
    { selector: ([name]) => name },
  )
  roundTrip(test, forms, Percent.formatPairs, parse, (actual, form) =>
    assert.equal(actual, new Map(form)),
  )
})

describe('Percent.countPairs', (test) => {
  law(
    test,
    'count returns the number of pairs that split returns',
    fc.string({ unit: fc.constantFrom('a', '=', '&', '%', '+'), maxLength: 20 }),
    (text) => assert.is(Percent.countPairs(text, 1000), Percent.splitPairs(text).length),
  )
})
