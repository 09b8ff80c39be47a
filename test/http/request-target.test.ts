import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as RequestTarget from '../../src/http/request-target.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { describe, law, table } from '../support/describe.ts'

type Parsed = O.Option<RequestTarget.RequestTarget>

const resource = (path: string, query?: string, authority?: string): Parsed =>
  O.some({ _tag: 'Resource', path, query, authority })

const asterisk: Parsed = O.some({ _tag: 'Asterisk' })

describe('RequestTarget.parse with an origin form', (test) => {
  table<readonly [string, Parsed]>(
    test,
    [
      ['/where?q=now', resource('/where', 'q=now')], // RFC 9112, 3.2.1
      ['/', resource('/')],
      ['/?', resource('/', '')],
      ['/a/', resource('/a/')],
      ['/a?b?c/d', resource('/a', 'b?c/d')],
      ['/a;v=1,2;w=@:', resource('/a;v=1,2;w=@:')],
      ["/-._~!$&'()*+,;=:@", resource("/-._~!$&'()*+,;=:@")], // RFC 3986, 3.3: pchar
      ["/?-._~!$&'()*+,;=:@/?", resource('/', "-._~!$&'()*+,;=:@/?")], // 3.4
      ['/%2Fa%2f?%20=%C3%A9', resource('/%2Fa%2f', '%20=%C3%A9')], // not decoded
      ['/%00%FF', resource('/%00%FF')], // well-formed, although it is invalid UTF-8
      ['//evil/x', resource('//evil/x')], // a path, not an authority
      ['//', resource('//')],
      ['///a//b', resource('///a//b')],
      ['/../a/./b', resource('/../a/./b')], // not resolved
      ['/http://a/', resource('/http://a/')],
      ['/*', resource('/*')],
      ['/%', resource('/%')], // URL Standard, 1.3: a percent sign that begins no escape
      ['/%4g/%%41', resource('/%4g/%%41')],
      ['/a?100%', resource('/a', '100%')],
      ['/a?b=%zz&c', resource('/a', 'b=%zz&c')],
      ['/a|b^[c]', resource('/a|b^[c]')], // URL Standard, 1.3: not in the path percent-encode set
      ['/?{a|b}^`[c]\\', resource('/', '{a|b}^`[c]\\')], // not in the query percent-encode set
      ['/a#b', O.none], // a fragment is not sent
      ['/a?b#c', O.none],
      ['/#', O.none],
      ['', O.none],
      ['?a', O.none],
      ['a', O.none],
      ['a/b', O.none],
      ['./a', O.none],
      ['\\a', O.none],
      [' /a', O.none],
      ['/a ', O.none],
      ['/a\n', O.none],
    ],
    (target, expected) => assert.equal(RequestTarget.parse('GET', target), expected),
  )
})

// URL Standard, 1.3: characters of the query percent-encode set must be escaped
describe('RequestTarget.parse with characters outside the grammar', (test) => {
  table<readonly [string]>(
    test,
    [...'"<># \t\r\n\0\x7fé\u0100\u2028\ud800'.split(''), '🌳'].map(
      (character) => [character] as const,
    ),
    (character) => {
      assert.equal(RequestTarget.parse('GET', `/a${character}b`), O.none)
      assert.equal(RequestTarget.parse('GET', `/a?b${character}c`), O.none)
      assert.equal(RequestTarget.parse('GET', `http://a/b${character}c`), O.none)
      assert.equal(RequestTarget.parse('GET', `http://a${character}b/c`), O.none)
    },
  )
})

// URL Standard, 1.3: the path percent-encode set, and backslashes, which URL parsers read as slashes
describe('RequestTarget.parse with characters that are only accepted in queries', (test) => {
  table<readonly [string]>(test, [['\\'], ['`'], ['{'], ['}']], (character) => {
    assert.equal(RequestTarget.parse('GET', `/a${character}b`), O.none)
    assert.equal(RequestTarget.parse('GET', `http://a/${character}`), O.none)
    assert.equal(RequestTarget.parse('GET', `http://a${character}/b`), O.none)
    assert.equal(RequestTarget.parse('GET', `/a?${character}`), resource('/a', character))
  })
})

// RFC 3986, 3.2.2 allows brackets only in hosts, but clients also send them in queries
describe('RequestTarget.parse with the grammar of RFC 3986', (test) => {
  table<readonly [string, boolean]>(
    test,
    [
      ['/books?filter[name]=x', true],
      ['http://a/b?filter[name]=x', true],
      ['/a%2F?%C3%A9', true],
      ['/books[1]', false],
      ['http://a[b/c', false],
      ['/a|b', false],
      ['/a^b', false],
      ['/a?b|c', false],
      ['/a?{b}', false],
      ['/a?b^c', false],
      ['/a?b`c', false],
      ['/a?b\\c', false],
      ['/%', false],
      ['/%4', false],
      ['/%4g', false],
      ['/%%41', false],
      ['/a?100%', false],
      ['/a?b=%zz&c', false],
      ['http://a/%4', false],
      ['http://a?%4', false],
    ],
    (target, expected) =>
      assert.is(
        O.isSome(RequestTarget.parse('GET', target, RequestTarget.grammarOf(true))),
        expected,
      ),
  )
})

describe('RequestTarget.rejection', (test) => {
  table<readonly [target: string, isStrict: boolean, detail: string]>(
    test,
    [
      ['/a"b', false, ': percent-encode U+0022 at index 2.'],
      ['/a b', false, ': percent-encode U+0020 at index 2.'],
      ['/a\x7f', false, ': percent-encode U+007F at index 2.'],
      ['/a\xc3\xa9', false, ': percent-encode byte 0xC3 at index 2.'],
      ['/a\\b', false, ': percent-encode U+005C at index 2.'],
      ['/a?b=1#c', false, ': percent-encode U+0023 at index 6.'],
      ['http://a/b"', false, ': percent-encode U+0022 at index 10.'],
      ['/a?b=1|2', true, ': percent-encode U+007C at index 6.'],
      ['/100%', true, ': percent-encode U+0025 at index 4.'],
      ['/%zz', true, ': percent-encode U+0025 at index 1.'],
      ['a/b', false, '.'],
      ['http://u@a/', false, '.'],
      ['', false, '.'],
    ],
    (target, isStrict, detail) =>
      assert.equal(RequestTarget.rejection(target, RequestTarget.grammarOf(isStrict)), {
        _tag: 'MalformedRequest',
        detail: `Invalid request target${detail}`,
      }),
  )
})

describe('RequestTarget.lineRejection', (test) => {
  table<readonly [line: string, index: number | undefined]>(
    test,
    [
      ['GET /a b HTTP/1.1', 2],
      ['PROPFIND /a\t HTTP/1.0', 2],
      ['GET /a"b HTTP/1.1', 2],
      ['GET /ab HTTP/1.1', undefined],
      ['GET /a"b', undefined],
      ['GET /a"b HTTP/2', undefined],
      ['{} /a"b HTTP/1.1', undefined],
      ['', undefined],
    ],
    (line, index) => {
      const failure = RequestTarget.lineRejection(line)
      assert.is(failure !== undefined, index !== undefined)
      if (failure?._tag === 'MalformedRequest') assert.ok(failure.detail.includes(`index ${index}`))
    },
  )
})

describe('RequestTarget.parse with an absolute form', (test) => {
  table<readonly [string, Parsed]>(
    test,
    [
      [
        'http://www.example.org/pub/WWW/TheProject.html', // RFC 9112, 3.2.2
        resource('/pub/WWW/TheProject.html', undefined, 'www.example.org'),
      ],
      ['https://a/b?c', resource('/b', 'c', 'a')],
      ['HTTP://A/b', resource('/b', undefined, 'A')], // RFC 3986, 3.1: schemes are case-insensitive
      ['hTTpS://a:8443/', resource('/', undefined, 'a:8443')],
      ['http://[::1]:80/', resource('/', undefined, '[::1]:80')],
      ['http://a', resource('/', undefined, 'a')], // RFC 9110, 4.2.3: an empty path is `/`
      ['http://a?b', resource('/', 'b', 'a')],
      ['http://a?', resource('/', '', 'a')],
      ['http://a//b', resource('//b', undefined, 'a')],
      ['http://a/http://b/c', resource('/http://b/c', undefined, 'a')],
      ['http://', O.none],
      ['http:///a', O.none], // RFC 9110, 4.2.1: an empty host
      ['http://:80/', O.none],
      ['http:/a', O.none],
      ['http:a', O.none],
      ['http://user@a/', O.none], // 4.2.4
      ['http://user:secret@a/', O.none],
      ['http://@a/', O.none],
      ['http://a:65536/', O.none],
      ['http://a:b/', O.none],
      ['http://[::1/', O.none],
      ['http://a%/', O.none],
      ['http://a#b', O.none],
      ['http://a/b#c', O.none],
      ['http://a/%4', resource('/%4', undefined, 'a')],
      ['ftp://a/b', O.none],
      ['ws://a/b', O.none],
      ['httpss://a/b', O.none],
      ['file:///etc/passwd', O.none],
      ['urn:isbn:0451450523', O.none],
      ['mailto:a@b', O.none],
    ],
    (target, expected) => assert.equal(RequestTarget.parse('GET', target), expected),
  )
})

describe('RequestTarget.parse with different methods', (test) => {
  table<readonly [string, string, Parsed]>(
    test,
    [
      ['OPTIONS', '*', asterisk], // RFC 9112, 3.2.4
      ['OPTIONS', 'http://www.example.org:8001', asterisk],
      ['OPTIONS', 'http://a/', resource('/', undefined, 'a')],
      ['OPTIONS', 'http://a?b', resource('/', 'b', 'a')],
      ['OPTIONS', 'http://a?', resource('/', '', 'a')],
      ['OPTIONS', 'http://user@a', O.none],
      ['OPTIONS', 'http://', O.none],
      ['OPTIONS', '/*', resource('/*')],
      ['OPTIONS', '**', O.none],
      ['OPTIONS', '*?a', O.none],
      ['options', '*', O.none], // methods are case-sensitive
      ['GET', '*', O.none],
      ['POST', '*', O.none],
      ['CONNECT', 'www.example.com:80', O.none], // 3.2.3
      ['CONNECT', '/', O.none],
      ['CONNECT', '*', O.none],
      ['GET', 'www.example.com:80', O.none],
      ['OPTIONS', 'www.example.com:80', O.none],
    ],
    (method, target, expected) => assert.equal(RequestTarget.parse(method, target), expected),
  )
})

describe('RequestTarget.parse with generated targets', (test) => {
  const near = fc.string({
    unit: fc.constantFrom(...'/?#%41aA:@*[] é|^{}`\\"<\x7f'.split('')),
    maxLength: 24,
  })
  const target = fc.oneof(
    near,
    near.map((text) => `/${text}`),
    near.map((text) => `http://${text}`),
  )

  for (const isStrict of [false, true])
    law(
      test,
      `accepts exactly the origin forms of the ${isStrict ? 'strict' : 'default'} grammar`,
      target,
      (text) => {
        const parsed = RequestTarget.parse('GET', text, RequestTarget.grammarOf(isStrict))
        const isOrigin =
          O.isSome(parsed) && parsed.value._tag === 'Resource' && !parsed.value.authority
        assert.is(isOrigin, isStrict ? isOriginForm(text) : isUnchangedByUrl(text))
      },
    )

  law(test, 'the components contain every character of the target', target, (text) => {
    const parsed = RequestTarget.parse('GET', text)
    if (O.isNone(parsed) || parsed.value._tag === 'Asterisk') return
    const { path, query, authority } = parsed.value
    const written = `${path}${query === undefined ? '' : `?${query}`}`
    assert.is(
      authority === undefined ? written : `http://${authority}${written}`,
      authority === undefined ? text : text.replace(/^(http:\/\/[^/?]+)(?=\?|$)/, '$1/'),
    )
  })

  test('takes linear time', () => {
    for (const text of ['a', '%41', '?', '/', 'a%41', '?%41', '//'])
      for (const start of ['/', '/?', 'http://', 'http://a/', 'http://a?']) {
        const startTime = cpuTime()
        const long = `${start}${text.repeat(65536)} `
        for (const isStrict of [false, true]) {
          const grammar = RequestTarget.grammarOf(isStrict)
          RequestTarget.parse('GET', long, grammar)
          RequestTarget.rejection(long, grammar)
        }
        assert.ok(cpuTime() - startTime < 1000)
      }
  })
})

/** Whether a URL parser leaves every character of a path and a query unencoded. Newer versions encode `^` in paths. */
const isUnchangedByUrl = (text: string): boolean => {
  const [path = '', ...rest] = text.split('?')
  return (
    path.startsWith('/') &&
    !path.includes('\\') &&
    path.split('').every((character) => character === '/' || isWritten(character, 'a')) &&
    rest
      .join('?')
      .split('')
      .every((character) => isWritten(character, '?'))
  )
}

// `#` begins a fragment
const isWritten = (character: string, start: string): boolean =>
  character !== '#' &&
  (character === '^' || new URL(`http://a/${start}${character}b`).href.endsWith(`${character}b`))

/** Checks RFC 3986, 3.3 and 3.4, character by character. */
const isOriginForm = (text: string): boolean => {
  const [path = '', ...rest] = text.split('?')
  return (
    path.startsWith('/') && consistsOf(pchar, path) && consistsOf(`${pchar}?[]`, rest.join('?'))
  )
}

const pchar = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/"

const consistsOf = (characters: string, text: string): boolean =>
  text
    .replaceAll(/%[\dA-Fa-f][\dA-Fa-f]/g, '')
    .split('')
    .every((character) => characters.includes(character))
