import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Cookie from '../../src/http/cookie.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

type Pairs = ReadonlyArray<readonly [string, ReadonlyArray<string>]>

describe('Cookie.parse', (test) => {
  table<readonly [string, Pairs]>(
    test,
    [
      ['SID=31d4d96e407aad42', [['SID', ['31d4d96e407aad42']]]], // RFC 6265bis, 3.1
      [
        'SID=31d4d96e407aad42; lang=en-US',
        [
          ['SID', ['31d4d96e407aad42']],
          ['lang', ['en-US']],
        ],
      ],
      [
        'a=1; b=2; a=3',
        [
          ['a', ['1', '3']],
          ['b', ['2']],
        ],
      ], // 5.8.3: one name, several paths
      [
        'a=1;b=2',
        [
          ['a', ['1']],
          ['b', ['2']],
        ],
      ],
      [
        ' \t a = 1 \t;  b=2 ;',
        [
          ['a', ['1']],
          ['b', ['2']],
        ],
      ],
      [
        'A=1; a=2',
        [
          ['A', ['1']],
          ['a', ['2']],
        ],
      ], // names are case-sensitive
      ['a=', [['a', ['']]]],
      ['a=b=c==', [['a', ['b=c==']]]],
      ['a="b c"', [['a', ['"b c"']]]], // 4.1.1: the quotation marks are not stripped
      ['a=%C3%A9%20%3B', [['a', ['é ;']]]],
      ['a=1+2', [['a', ['1+2']]]], // a plus sign is not decoded
      ['a=%', [['a', ['%']]]],
      ['a=%C3%28', [['a', ['%C3%28']]]],
      ['a=%41%zz', [['a', ['%41%zz']]]], // a malformed escape: the value is not decoded
      ['%61=1', [['%61', ['1']]]], // names are not encoded
      ['a=é,\\', [['a', ['é,\\']]]],
      [
        '__proto__=1; constructor=2; __proto__=3',
        [
          ['__proto__', ['1', '3']],
          ['constructor', ['2']],
        ],
      ],
      ['a; b=2', [['b', ['2']]]], // not a pair
      ['=1; b=2', [['b', ['2']]]],
      [';;;', []],
      ['=', []],
      ['', []],
    ],
    (header, expected) => assert.equal([...Cookie.parse(header)], expected),
  )

  law(test, 'never throws', unicodeString, (header) => {
    Cookie.parse(header)
  })

  test('parse takes linear time', () => {
    for (const text of ['a=1;', ';', '=', ' ', 'a', '%41', '"']) {
      const start = cpuTime()
      Cookie.parse(text.repeat(65536))
      assert.ok(cpuTime() - start < 1000)
    }
  })
})

const id = { name: 'id', value: '1' }

describe('Cookie.format', (test) => {
  table<readonly [string, Cookie.NewCookie]>(
    test,
    [
      ['SID=31d4d96e407aad42', { name: 'SID', value: '31d4d96e407aad42' }], // RFC 6265bis, 3.1
      [
        'SID=1; Path=/; HttpOnly; Secure',
        { name: 'SID', value: '1', path: '/', secure: true, httpOnly: true },
      ],
      [
        'lang=en-US; Domain=example.com; Path=/',
        { name: 'lang', value: 'en-US', path: '/', domain: 'example.com' },
      ],
      [
        'lang=en-US; Expires=Wed, 09 Jun 2021 10:18:14 GMT',
        { name: 'lang', value: 'en-US', expires: new Date('2021-06-09T10:18:14.500Z') },
      ],
      [
        'lang=; Expires=Sun, 06 Nov 1994 08:49:37 GMT',
        { name: 'lang', value: '', expires: new Date('1994-11-06T08:49:37Z') },
      ],
      ['id=%C3%A9%20%22%3B%2C%5C%0D%0A%3D%25', { name: 'id', value: 'é ";,\\\r\n=%' }],
      ['id=1; Max-Age=60', { ...id, maxAge: 60 }],
      ['id=1; Max-Age=0', { ...id, maxAge: 0 }],
      ['id=1; SameSite=Strict', { ...id, sameSite: 'strict' }],
      ['id=1; SameSite=Lax', { ...id, sameSite: 'lax' }],
      ['id=1; Secure; SameSite=None', { ...id, sameSite: 'none', secure: true }],
      ['id=1; Secure; Partitioned', { ...id, partitioned: true, secure: true }],
      ['id=1; Priority=High', { ...id, priority: 'high' }],
      ['id=1', { ...id, secure: false, httpOnly: false, partitioned: false }],
      ['id=1; Path=/a b', { ...id, path: '/a b' }], // a space is allowed
      ['__Secure-SID=1; Secure', { name: '__Secure-SID', value: '1', secure: true }], // 4.1.3.1
      ['__Host-SID=1; Path=/; Secure', { name: '__Host-SID', value: '1', secure: true, path: '/' }], // 4.1.3.2
      ['__proto__=1', { name: '__proto__', value: '1' }],
    ],
    (expected, cookie) => assert.is(Cookie.format(cookie), expected),
  )
})

describe('Cookie.format rejects', (test) => {
  const host = { name: '__Host-SID', value: '1', secure: true, path: '/' }
  table<readonly [string, Cookie.NewCookie]>(
    test,
    [
      ...['', 'a b', 'a=b', 'a;b', 'a,b', 'a"', 'é', 'a\r\nb', 'a(b)', '[a]'].map(
        (name) => [`the name ${JSON.stringify(name)}`, { name, value: '' }] as const, // 4.1.1: token
      ),
      ['a lone surrogate', { name: 'a', value: '\ud83c' }],
      ...['', 'a', './', '/a;b', '/a; Domain=b', '/a\r\nb', '/a\tb', '/é', '/\0', '/\x7f'].map(
        (path) => [`the path ${JSON.stringify(path)}`, { ...id, path }] as const,
      ),
      ...[
        '',
        '.',
        '.a.b',
        'a.',
        'a..b',
        '-a',
        'a-',
        'a b',
        'a;b',
        'a\r\nb',
        'é.a',
        'a:80',
        `${'a'.repeat(64)}.b`,
      ].map((domain) => [`the domain ${JSON.stringify(domain)}`, { ...id, domain }] as const),
      ['SameSite=None without Secure', { ...id, sameSite: 'none' }], // 5.7
      ['SameSite=None with secure: false', { ...id, sameSite: 'none', secure: false }],
      ['Partitioned without Secure', { ...id, partitioned: true }],
      ['__Secure- without Secure', { name: '__Secure-SID', value: '1' }], // 4.1.3.1
      ['__secure- without Secure', { name: '__secure-SID', value: '1' }], // 5.4: prefixes are case-insensitive
      ['__Host- without Secure', { ...host, secure: false }], // 4.1.3.2
      ['__Host- without a path', { name: '__Host-SID', value: '1', secure: true }],
      ['__Host- with a path other than /', { ...host, path: '/a' }],
      ['__Host- with a domain', { ...host, domain: 'example.com' }],
      ['__hOST- with a domain', { ...host, name: '__hOST-SID', domain: 'example.com' }],
    ],
    (_, cookie) =>
      assert.throws(
        () => Cookie.format(cookie),
        (error: unknown) => error instanceof TypeError,
      ),
  )

  table<readonly [string, Cookie.NewCookie]>(
    test,
    [
      ...[-1, 0.5, NaN, Infinity, 1e21].map(
        (maxAge) => [`a maxAge of ${maxAge}`, { ...id, maxAge }] as const,
      ),
      ['an invalid date', { ...id, expires: new Date(NaN) }],
      ['the year 10000', { ...id, expires: new Date('+010000-01-01T00:00:00Z') }],
    ],
    (_, cookie) =>
      assert.throws(
        () => Cookie.format(cookie),
        (error: unknown) => error instanceof RangeError,
      ),
  )
})

describe('Cookie', (test) => {
  const name = fc
    .stringMatching(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/)
    .filter((text) => !/^__(?:host|secure)-/i.test(text))
  roundTrip(
    test,
    fc.record({ name, value: fc.string({ unit: 'grapheme' }) }, { noNullPrototype: true }),
    (cookie) => Cookie.format({ ...cookie, path: '/', maxAge: 1 }).split(';')[0] ?? '',
    Cookie.parse,
    (actual, { name: key, value }) => assert.equal(actual, new Map([[key, [value]]])),
  )

  const hostile = fc.string({
    unit: fc.constantFrom(...'a/.;=, \r\n\0é"<\\-'.split('')),
    maxLength: 8,
  })
  const text = fc.oneof(
    hostile,
    hostile.map((tail) => `/${tail}`),
    unicodeString,
  )
  law(
    test,
    'no member can add an attribute or a line',
    fc.record({
      name: fc.oneof(text, fc.constant('a')),
      value: text,
      path: fc.oneof(text, fc.constant('/')),
      domain: fc.oneof(text, fc.constant('a')),
    }),
    (cookie) =>
      assert.match(
        attempt(() => Cookie.format({ ...cookie, httpOnly: true })),
        /^(?:[^=;\s]+=[^;\s"\\,]*; Domain=[^;\s]+; Path=\/[^;\p{Cc}]*; HttpOnly|TypeError)$/u,
      ),
  )
})

const attempt = (write: () => string): string => {
  try {
    return write()
  } catch (error) {
    return error instanceof Error ? error.name : String(error)
  }
}

describe('Cookie.values', (test) => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '=', ';', ' ', '\t', '"', '%', '%41', ','),
    maxLength: 20,
  })
  law(
    test,
    'returns the values that parse returns for the name',
    fc.tuple(text, fc.constantFrom('a', 'b', 'ab', 'a"', '%41')),
    ([header, name]) => {
      const expected = Cookie.parse(header).get(name) ?? []
      assert.equal(Cookie.values(header, name), expected)
      assert.is(Cookie.first(header, name), expected[0])
    },
  )
})
