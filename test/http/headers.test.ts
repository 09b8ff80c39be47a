import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Headers from '../../src/http/headers.ts'
import { describe, law, table } from '../support/describe.ts'

const sent: Headers.Headers = ['Accept', 'a', 'X-One', '1', 'ACCEPT', 'b', 'x-empty', '']

describe('Headers.first, all and combined', (test) => {
  table(
    test,
    [
      ['accept', 'a', ['a', 'b'], 'a, b'], // RFC 9110, 5.1: names in any case; 5.3: one list
      ['x-one', '1', ['1'], '1'],
      ['x-empty', '', [''], ''], // 5.5: a value may be empty
      ['x-none', undefined, [], undefined],
      ['1', undefined, [], undefined], // values are not names
      ['constructor', undefined, [], undefined],
    ] as const,
    (name, first, all, combined) => {
      assert.is(Headers.first(sent, name), first)
      assert.equal(Headers.all(sent, name), all)
      assert.is(Headers.combined(sent, name), combined)
    },
  )
})

describe('headers of the Fetch standard', (test) => {
  const fetched = new globalThis.Headers([
    ['Accept', 'a'],
    ['ACCEPT', 'b'],
    ['X-Empty', ''],
  ])
  table(
    test,
    [
      ['accept', 'a, b', ['a, b']], // the values of equal names are combined
      ['x-empty', '', ['']],
      ['x-none', undefined, []],
    ] as const,
    (name, value, all) => {
      assert.is(Headers.first(fetched, name), value)
      assert.equal(Headers.all(fetched, name), all)
      assert.is(Headers.combined(fetched, name), value)
    },
  )
  test('are converted to a list', () =>
    assert.equal(Headers.toList(fetched), ['accept', 'a, b', 'x-empty', '']))
  test('a list is not converted', () => assert.is(Headers.toList(sent), sent))
})

describe('Headers.combined with similar names', (test) => {
  const similar = ['Cookie', 'c', 'aCCept', '', 'Arcept', 'd', '^', 'e', 'accepT', 'f']
  table(
    test,
    [
      ['accept', ', f'], // 5.5: an empty value is a member
      ['cookie', 'c'],
      ['^', 'e'],
      ['~', undefined], // only letters are case-insensitive
    ] as const,
    (name, combined) => assert.is(Headers.combined(similar, name), combined),
  )
  test('the values of Cookie are separated by semicolons', () =>
    assert.is(Headers.combined(['Cookie', 'a=1', 'cookie', 'b=2'], 'cookie'), 'a=1; b=2')) // RFC 9113, 8.2.3
})

describe('Headers.append', (test) => {
  table(
    test,
    [
      ['another name', ['A', '1'], 'B', '2', ['A', '1', 'B', '2']],
      ['a duplicate name', ['A', '1'], 'a', '2', ['A', '1', 'a', '2']],
      ['an empty value', [], 'A', '', ['A', '']],
      ['a value with obs-text', [], 'A', 'é', ['A', 'é']], // RFC 9110, 5.5
    ] as const,
    (_, headers, name, value, expected) =>
      assert.equal(Headers.append(headers, name, value), expected),
  )
  table(
    test,
    [
      ['', 'a', /invalid header name: ""/],
      ['a b', 'a', /invalid header name: "a b"/], // RFC 9110, 5.1: field-name = token
      ['a:', 'a', /invalid header name/],
      ['é', 'a', /invalid header name/],
      [
        'A',
        'a\r\nSet-Cookie: b',
        /header A: must not contain control characters, got one at position 1$/,
      ], // 5.5: CR, LF and NUL are dangerous
      ['A', 'a\0', /invalid value for header A/],
      ['A', ' a', /header A: must not have whitespace at its start or end$/],
      ['A', 'a\t', /invalid value for header A/],
      [
        'A',
        'a€',
        /header A: must contain only characters up to U\+00FF \(Latin-1\), got another one at position 1/,
      ], // above U+00FF
      ['A', null as unknown as string, /invalid value for header A/],
      ['A', ['1'] as unknown as string, /invalid value for header A/],
    ] as const,
    (name, value, message) => {
      try {
        Headers.append([], name, value)
      } catch (error) {
        assert.instance(error, TypeError)
        assert.match(String(error), message)
        assert.not.match(String(error), 'Set-Cookie') // values may be secret
        return
      }
      assert.unreachable('the header was added')
    },
  )
  test('returns a new frozen list', () => {
    const before: Headers.Headers = ['A', '1']
    assert.ok(Object.isFrozen(Headers.append(before, 'B', '2')))
    assert.equal(before, ['A', '1'])
    assert.ok(Object.isFrozen(Headers.empty))
  })
})

describe('Headers.without', (test) => {
  table(
    test,
    [
      ['accept', ['X-One', '1', 'x-empty', '']],
      ['X-Empty', ['Accept', 'a', 'X-One', '1', 'ACCEPT', 'b']],
      ['1', sent],
    ] as const,
    (name, expected) => assert.equal(Headers.without(sent, name), expected),
  )

  const name = fc.constantFrom('a', 'A', 'b', 'B', 'c', 'ab', 'aB', 'AC', '^', '~')
  const headers = fc.array(fc.tuple(name, fc.constantFrom('a', 'b', '1'))).map((all) => all.flat())
  law(
    test,
    'removes all headers with the name, and no others',
    fc.tuple(headers, name),
    ([all, removed]) => {
      const rest = Headers.without(all, removed)
      assert.is(Headers.first(rest, removed.toLowerCase()), undefined)
      for (const other of ['a', 'b', 'c'].filter((each) => each !== removed.toLowerCase()))
        assert.equal(Headers.all(rest, other), Headers.all(all, other))
    },
  )
  law(
    test,
    'looking up agrees with the Headers of the Fetch standard',
    fc.tuple(headers, name),
    ([all, removed]) => {
      const fetched = new globalThis.Headers()
      for (let i = 0; i < all.length; i += 2) fetched.append(all[i] ?? '', all[i + 1] ?? '')
      assert.is(Headers.combined(all, removed.toLowerCase()) ?? null, fetched.get(removed))
    },
  )
})

/** Creates a function that counts its calls. */
const countingFunction = (): {
  readonly f: (text: string | undefined) => string
  calls: number
} => {
  const counter = {
    calls: 0,
    f: (text: string | undefined): string => {
      counter.calls++
      return `<${text}>`
    },
  }
  return counter
}

describe('memoizeHeader', (test) => {
  test('calls the function once per value', () => {
    const counter = countingFunction()
    const memoized = Headers.memoizeHeader(counter.f)
    assert.equal(['a', 'b', 'a', 'a'].map(memoized), ['<a>', '<b>', '<a>', '<a>'])
    assert.is(counter.calls, 2)
  })
  test('distinguishes undefined from the string undefined', () => {
    const counter = countingFunction()
    const memoized = Headers.memoizeHeader(counter.f)
    assert.equal([undefined, 'undefined', undefined].map(memoized), Array(3).fill('<undefined>'))
    assert.is(counter.calls, 2)
  })
  test('clears the cache when it is full', () => {
    const counter = countingFunction()
    const memoized = Headers.memoizeHeader(counter.f)
    for (let i = 0; i < 256; i++) memoized(String(i))
    for (let i = 0; i < 256; i++) memoized(String(i))
    assert.is(counter.calls, 256)
    memoized('one more')
    memoized('0')
    assert.is(counter.calls, 258)
  })
  test('keeps the latest value after the cache was cleared', () => {
    const counter = countingFunction()
    const memoized = Headers.memoizeHeader(counter.f)
    for (let i = 0; i < 257; i++) memoized(String(i))
    assert.equal(['256', '256', '0', '256'].map(memoized), ['<256>', '<256>', '<0>', '<256>'])
    assert.is(counter.calls, 258)
  })
  test('does not memoize values of more than 512 characters', () => {
    const counter = countingFunction()
    const memoized = Headers.memoizeHeader(counter.f)
    for (const length of [512, 512, 513, 513]) memoized('a'.repeat(length))
    assert.is(counter.calls, 3)
  })
  law(
    test,
    'returns the same values as the function',
    fc.array(fc.oneof(fc.constant(undefined), fc.string({ maxLength: 1 })), { maxLength: 600 }),
    (texts) =>
      assert.equal(
        texts.map(Headers.memoizeHeader(countingFunction().f)),
        texts.map(countingFunction().f),
      ),
  )
})

describe('memoizeHeaders', (test) => {
  test('computes a result once per pair of values', () => {
    let calls = 0
    const memoized = Headers.memoizeHeaders((first, second) => `${first}|${second}|${++calls}`)
    assert.equal([memoized('a', 'b'), memoized('a', 'b')], ['a|b|1', 'a|b|1'])
    assert.equal([memoized('ab', ''), memoized('', 'ab')], ['ab||2', '|ab|3'])
  })
  test('a missing value is an empty one', () => {
    const memoized = Headers.memoizeHeaders((first, second) => [first, second])
    assert.equal(memoized(undefined, undefined), ['', ''])
  })
})
