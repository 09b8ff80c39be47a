import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { isJsonNumber } from '../../../src/codec/json/json-number.ts'
import { lossless } from '../../../src/codec/json/lossless.ts'
import { describe, law, table } from '../../support/describe.ts'
import { jsonText as text } from '../../support/json-text.ts'

const { parse, stringify } = lossless

/** With the nearest numbers. */
const rounded = (value: unknown): unknown =>
  isJsonNumber(value)
    ? Number(value)
    : Array.isArray(value)
      ? value.map(rounded)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]))
        : value

const attempted = (read: (text: string) => unknown, one: string): unknown => {
  try {
    return { value: read(one) }
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON' : error
  }
}

describe('lossless', (test) => {
  law(test, 'writes what it has read, letter by letter', text, (one) =>
    assert.is(stringify(parse(one)), one),
  )
  law(test, 'is as exact as JSON.parse where a double is', text, (one) =>
    assert.equal(rounded(parse(one)), rounded(JSON.parse(one))),
  )
  const broken = fc
    .tuple(
      text,
      fc.nat(),
      fc.constantFrom('', ' ', ',', '"', '}', ']', '-', '0', '.', '\\', '\t', 'e'),
    )
    .map(([one, at, sign]) => {
      const place = at % (one.length + 1)
      return one.slice(0, place) + sign + one.slice(place + (sign === '' ? 1 : 0))
    })
  law(test, 'takes the texts that JSON.parse takes, and no others', broken, (one) => {
    // a number that is not kept leads past the reader of the language
    const [ours, theirs] = [`[1.0,${one}]`, `[1.0,${one}]`].map((sent, at) =>
      attempted(at === 0 ? parse : JSON.parse, sent),
    )
    assert.is(ours === 'no JSON', theirs === 'no JSON', one)
  })
  table<readonly [sent: string, expected: string]>(
    test,
    [
      ['{"a":1.0,"a":2}', '{"a":2}'], // the last one counts
      ['{"a":1,"b":3,"a":2.0}', '{"a":2.0,"b":3}'],
      [' [ 1.0 , "a" ]\r\n\t', '[1.0,"a"]'],
      ['[-0,-0.0,0]', '[-0,-0.0,0]'],
      ['[1e400,-1E-400]', '[1e400,-1E-400]'],
      ['[1.0,"\\u00e9\\ud83d"]', '[1.0,"é\\ud83d"]'],
    ],
    (sent, expected) => assert.is(stringify(parse(sent)), expected),
  )
  test('a name that would reach a prototype is a member as any', () => {
    const value = parse('{"n":1.0,"__proto__":{"a":1}}')
    assert.ok(Object.hasOwn(Object(value), '__proto__'))
    assert.is(Object.getPrototypeOf(value), Object.prototype)
  })
  table<readonly [name: string, value: unknown, written: string | undefined]>(
    test,
    [
      ['undefined', undefined, undefined],
      ['undefined inside', { a: undefined, b: [undefined] }, '{"b":[null]}'],
      ['a bigint', [2n ** 64n], '[18446744073709551616]'],
      ['what is no number', [NaN, Infinity, -0], '[null,null,0]'],
      ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ],
    (_, value, written) => assert.is(stringify(value), written),
  )
})
