import {
  booleanSetting,
  charset,
  cidrList,
  commaList,
  host,
  isBareMediaType,
  isSecret,
  oneOf,
  orPercentage,
  orUnlimited,
  pathPrefix,
  setting,
  wholeNumber,
} from '../../../src/compiler/settings/setting.ts'
import { describe, table, law, type Test } from '../../support/describe.ts'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { isContentCoding } from '../../../src/http/quality.ts'

const decodes = <A>(
  test: Test,
  codec: t.Type<A, string>,
  rows: ReadonlyArray<[value: unknown, expected: O.Option<A>]>,
): void => {
  table(test, rows, (value, expected) => assert.equal(O.fromEither(codec.decode(value)), expected))
  law(test, 'never throws, and decodes the strings that it encodes', fc.anything(), (value) => {
    const decoded = codec.decode(value)
    if (E.isRight(decoded)) assert.equal(codec.decode(codec.encode(decoded.right)), decoded)
  })
}

describe('booleanSetting', (test) => {
  decodes(test, booleanSetting, [
    [true, O.some(true)],
    ['true', O.some(true)],
    ['false', O.some(false)],
    [' false ', O.some(false)],
    ['TRUE', O.none],
    ['yes', O.none],
    ['1', O.none],
    [1, O.none],
    ['', O.none],
  ])
})

describe('wholeNumber', (test) => {
  decodes(test, wholeNumber(0, 65_535), [
    [0, O.some(0)],
    ['65535', O.some(65_535)],
    [65_536, O.none],
    ['65536', O.none],
    [-1, O.none],
    ['-1', O.none],
    [1.5, O.none],
    ['1.5', O.none],
    ['0x10', O.none],
    ['1e3', O.none],
    [NaN, O.none],
    ['', O.none],
  ])

  test('the name contains the bounds', () => {
    assert.is(wholeNumber(0, 9).name, 'an integer from 0 to 9')
    assert.is(wholeNumber(1).name, 'an integer that is at least 1')
  })
})

describe('oneOf', (test) => {
  decodes(test, oneOf('first', 'reject'), [
    ['first', O.some('first' as const)],
    [' reject', O.some('reject' as const)],
    ['First', O.none],
    ['', O.none],
    [1, O.none],
  ])

  test('the name contains the words', () =>
    assert.is(oneOf('first', 'reject').name, 'first or reject'))
})

describe('orUnlimited', (test) => {
  decodes(test, orUnlimited(wholeNumber(1)), [
    [undefined, O.some(undefined)],
    ['unbounded', O.some(undefined)],
    ['7', O.some(7)],
    [7, O.some(7)],
    ['0', O.none],
    ['', O.none],
    [null, O.none],
  ])
})

describe('orPercentage', (test) => {
  decodes(test, orPercentage(wholeNumber(1)), [
    ['7', O.some(7)],
    [7, O.some(7)],
    ['80%', O.some({ percent: 80 })],
    ['100%', O.some({ percent: 100 })],
    [{ percent: 1 }, O.some({ percent: 1 })],
    ['0%', O.none],
    ['101%', O.none],
    ['0x10%', O.none],
    ['%', O.none],
    ['1.5%', O.none],
    [{ percent: 1.5 }, O.none],
    [{ percent: '80' }, O.none],
    ['0', O.none],
  ])
})

describe('host', (test) => {
  decodes(test, host, [
    ['localhost', O.some('localhost')],
    [' 0.0.0.0 ', O.some('0.0.0.0')],
    ['::1', O.some('::1')],
    ['http://localhost', O.none],
    ['two words', O.none],
    ['', O.none],
    [0, O.none],
  ])
})

describe('charset', (test) => {
  decodes(test, charset, [
    ['utf-8', O.some('utf-8')],
    ['UTF8', O.some('utf-8')],
    ['iso-8859-1', O.some('windows-1252')], // the Encoding standard, 4.2
    ['klingon', O.none],
    ['', O.none],
    [8, O.none],
  ])
})

describe('pathPrefix', (test) => {
  decodes(test, pathPrefix, [
    ['/', O.some('/')],
    ['', O.some('/')],
    ['app', O.some('/app')],
    ['/app', O.some('/app')],
    ['/app/', O.some('/app')],
    ['/api/v1', O.some('/api/v1')],
    ['/bücher', O.some('/bücher')],
    ['//app', O.none],
    ['/app//', O.none],
    ['/a//b', O.none],
    ['/a/../b', O.none],
    ['/./a', O.none],
    ['/users/{id}', O.none],
    ['/a b', O.none],
    ['/a%20b', O.none],
    ['/a;b=c', O.none],
    ['/a?b', O.none],
    ['/a#b', O.none],
    [1, O.none],
  ])
})

describe('setting', (test) => {
  const port = setting(wholeNumber(0, 65_535), 8080)

  test('decodes undefined to the default', () =>
    assert.equal(port.decode(undefined), E.right(8080)))
  test('rejects null', () => assert.ok(E.isLeft(port.decode(null))))
  test('rejects an invalid default', () =>
    assert.ok(E.isLeft(setting(wholeNumber(0, 1), 2).decode(undefined))))
  test('text formats values as strings', () => {
    assert.equal(port.text(80), O.some('80'))
    assert.equal(port.text(' 80'), O.some('80'))
    assert.equal(port.text(undefined), O.some('8080'))
    assert.equal(port.text(-1), O.none)
  })
})

describe('isSecret', (test) => {
  table(
    test,
    [
      ['db.password', true],
      ['DB_PASSWORD', true],
      ['client-secret', true],
      ['accessToken', true],
      ['fw.http.port ${db.password}', true],
      ['fw.http.port', false],
    ] as const,
    (text, expected) => assert.is(isSecret(text), expected),
  )
})

describe('commaList', (test) => {
  const codings = commaList('content codings', isContentCoding)
  table<[input: unknown, expected: ReadonlyArray<string> | undefined]>(
    test,
    [
      ['gzip', ['gzip']],
      [' br ,gzip,,\tzstd', ['br', 'gzip', 'zstd']],
      ['', []],
      [['gzip'], ['gzip']],
      [[], []],
      ['gzip, compress', undefined],
      ['GZIP', undefined],
      [['identity'], undefined],
      [undefined, undefined],
    ],
    (input, expected) => {
      const decoded = codings.decode(input)
      if (expected === undefined) assert.ok(E.isLeft(decoded))
      else assert.equal(decoded, E.right(expected))
    },
  )
  test('encodes words to a comma-separated string', () =>
    assert.is(codings.encode(['br', 'gzip']), 'br, gzip'))
})

describe('isBareMediaType', (test) => {
  table(
    test,
    [
      ['text/html', true],
      ['application/vnd.x+json', true],
      ['Text/HTML', true],
      ['text/html;charset=utf-8', false],
      ['text/*', false],
      ['*/*', false],
      ['html', false],
      ['', false],
      [1, false],
    ] as const,
    (word, expected) => assert.is(isBareMediaType(word), expected),
  )
})

describe('cidrList', (test) => {
  table<[input: unknown, expected: ReadonlyArray<string> | undefined]>(
    test,
    [
      ['', []],
      ['10.0.0.0/8', ['10.0.0.0/8']],
      [' 10.0.0.0/8 ,::1,\tfd00::/8 ', ['10.0.0.0/8', '::1', 'fd00::/8']],
      [
        ['127.0.0.1', '::1'],
        ['127.0.0.1', '::1'],
      ],
      [[], []],
      ['10.0.0.0/8, localhost', undefined],
      ['10.0.0.0/33', undefined],
      ['10.0.0.0/8 ::1', undefined],
      [['localhost'], undefined],
      [[8], undefined],
      [true, undefined],
    ],
    (input, expected) => {
      const decoded = cidrList.decode(input)
      assert.equal(E.isRight(decoded) ? decoded.right : undefined, expected)
    },
  )
  test('encodes blocks to a comma-separated string', () =>
    assert.is(cidrList.encode(['10.0.0.0/8', '::1']), '10.0.0.0/8, ::1'))
})
