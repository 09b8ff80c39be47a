/** Fingerprints of decoded values: which values are equal, and which are not. */
import * as assert from 'uvu/assert'
import { Temporal } from 'temporal-polyfill'
import * as fc from 'fast-check'
import { fingerprint } from '../../../src/interpreter/idempotency/fingerprint.ts'
import { describe, table } from '../../support/describe.ts'

class Money {
  readonly amount: bigint
  constructor(amount: bigint) {
    this.amount = amount
  }
}

class Hidden {
  readonly #value: number
  constructor(value: number) {
    this.#value = value
  }
  read(): number {
    return this.#value
  }
}

const bytes = (...values: ReadonlyArray<number>): Uint8Array => new Uint8Array(values)

/** Values in groups: those of a group are equal, and those of different groups differ. */
const groups: ReadonlyArray<readonly [title: string, ...equal: ReadonlyArray<unknown>]> = [
  ['nothing', undefined],
  ['null', null],
  ['true', true],
  ['the text true', 'true'],
  ['0', 0, -0],
  ['the text 0', '0'],
  ['1', 1],
  ['1 as a bigint', 1n],
  ['NaN', Number.NaN],
  ['an empty text', ''],
  ['an empty list', []],
  ['a list of nothing', [undefined]],
  ['an empty object', {}, { a: undefined }, Object.create(null)],
  ['an object', { a: 1, b: { c: [2], d: '3' } }, { b: { d: '3', c: [2] }, a: 1 }],
  ['another object', { a: 1, b: { c: [2], d: 3 } }],
  ['a list', [1, 2]],
  ['the same list in another order', [2, 1]],
  ['a nested list', [[1], 2]],
  ['a set', new Set([1, 2]), new Set([2, 1])],
  ['a set of texts', new Set(['1', '2'])],
  ['a map', new Map([['a', 1]]), new Map([['a', 1]])],
  [
    'a larger map',
    new Map([
      ['a', 1],
      ['b', 2],
    ]),
    new Map([
      ['b', 2],
      ['a', 1],
    ]),
  ],
  ['bytes', bytes(1, 2), Buffer.from([1, 2])],
  ['other bytes', bytes(1, 3)],
  ['a set of bytes', new Set([bytes(200)])],
  ['a set of other bytes', new Set([bytes(201)])],
  ['a date', new Date(0), new Date('1970-01-01T00:00:00Z')],
  ['a later date', new Date(1)],
  ['an instant', Temporal.Instant.from('1970-01-01T00:00Z')],
  ['a plain date', Temporal.PlainDate.from('1970-01-01')],
  ['a later plain date', Temporal.PlainDate.from('1970-01-02')],
  ['a URL', new URL('http://a.example/'), new URL('http://a.example')],
  ['the text of a URL', 'http://a.example/'],
  ['an instance of a class', new Money(1n), new Money(1n)],
  ['another instance', new Money(2n)],
  ['the members of an instance', { amount: 1n }],
]

describe('the fingerprint of a value', (test) => {
  test('is the same for equal values only', async () => {
    const titles = new Map<string, string>()
    for (const [title, ...equal] of groups) {
      const found = new Set(await Promise.all(equal.map(fingerprint)))
      assert.is(found.size, 1, title)
      const [digest = ''] = found
      assert.is(titles.get(digest), undefined, title)
      titles.set(digest, title)
    }
  })

  test('depends on the JSON text of a value only', async () => {
    const reversed = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([key, member]) => [key, reversed(member)]),
            )
          : value
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        assert.is(await fingerprint(reversed(value)), await fingerprint(value))
      }),
      { numRuns: 100 },
    )
  })

  // values whose state cannot be read
  const rows: ReadonlyArray<[title: string, value: unknown]> = [
    ['of a function is a TypeError', { run: () => 1 }],
    ['of a symbol is a TypeError', [Symbol('a')]],
    ['of an instance without public members is a TypeError', new Hidden(1)],
    ['of an expression is a TypeError', /a/],
  ]
  table(test, rows, async (_, value) => {
    const error = await fingerprint(value).catch((thrown: unknown) => thrown)
    assert.instance(error, TypeError)
    assert.match(String(error), 'add a method toJSON')
  })
})
