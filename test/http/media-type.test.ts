import * as fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as MediaType from '../../src/http/media-type.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

const mediaType = (
  type: string,
  subtype: string,
  ...parameters: ReadonlyArray<readonly [string, string]>
): MediaType.MediaType => ({ type, subtype, parameters })

const parsed = (text: string): MediaType.MediaType =>
  pipe(
    MediaType.parse(text),
    O.getOrElse((): MediaType.MediaType => {
      throw new Error(`invalid media type: ${text}`)
    }),
  )

const utf8 = mediaType('text', 'html', ['charset', 'utf-8'])

describe('MediaType.parse', (test) => {
  table(
    test,
    [
      ['text/html;charset=utf-8', O.some(utf8)], // the first four are equivalent (RFC 9110, 8.3.1)
      ['Text/HTML;Charset="utf-8"', O.some(utf8)],
      ['text/html; charset="utf-8"', O.some(utf8)],
      ['text/html;charset=UTF-8', O.some(utf8)],
      ['text/html', O.some(mediaType('text', 'html'))],
      ['TeXt/Plain', O.some(mediaType('text', 'plain'))],
      ['text/html \t;\t charset=utf-8', O.some(utf8)],
      ['text/html;', O.some(mediaType('text', 'html'))],
      ['text/html; ;;charset=utf-8; ', O.some(utf8)],
      ['text/html;charset=utf-8;charset=latin1', O.some(utf8)], // the first value is used
      ['text/html;b=1;a=2;B=3', O.some(mediaType('text', 'html', ['b', '1'], ['a', '2']))],
      ['text/plain;format=Flowed', O.some(mediaType('text', 'plain', ['format', 'Flowed']))],
      [
        'multipart/form-data; boundary="a;b, \\"c\\""',
        O.some(mediaType('multipart', 'form-data', ['boundary', 'a;b, "c"'])),
      ],
      [
        'application/vnd.api+json;profile="http://x/y"',
        O.some(mediaType('application', 'vnd.api+json', ['profile', 'http://x/y'])),
      ],
      ['text/*', O.some(mediaType('text', '*'))], // ranges, 12.5.1
      ['*/*', O.some(mediaType('*', '*'))],
      ['*/*;q=0.8', O.some(mediaType('*', '*', ['q', '0.8']))],
      ['*/html', O.none],
      ['*', O.none],
      ['', O.none],
      ['text', O.none],
      ['text/', O.none],
      ['/html', O.none],
      ['text/html/x', O.none],
      ['text /html', O.none],
      ['text/ html', O.none],
      [' text/html', O.none],
      ['text/html ', O.none],
      ['text/html, text/plain', O.none],
      ['text/html;charset', O.none],
      ['text/html;charset=', O.none],
      ['text/html;charset =utf-8', O.none],
      ['text/html charset=utf-8', O.none],
      ['text/html;charset="utf-8', O.none],
      ['text/html\n', O.none],
      ['t\xe9xt/html', O.none],
    ] as const,
    (text, expected) => assert.equal(MediaType.parse(text), expected),
  )
})

describe('MediaType.format', (test) => {
  table(
    test,
    [
      ['text/html', 'text/html'],
      ['Text/HTML ; Charset="UTF-8"', 'text/html;charset=utf-8'],
      ['*/*; q=0.5', '*/*;q=0.5'],
      ['a/b;x="y z";n=""', 'a/b;x="y z";n=""'],
    ] as const,
    (text, expected) => assert.is(MediaType.format(parsed(text)), expected),
  )
})

describe('MediaType.essence', (test) => {
  table(
    test,
    [
      ['text/html;charset=utf-8', 'text/html'],
      ['text/*', 'text/*'],
    ] as const,
    (text, expected) => assert.is(MediaType.essence(parsed(text)), expected),
  )
})

describe('MediaType.specificity', (test) => {
  table(
    test,
    [
      ['*/*', 1],
      ['text/*', 2],
      ['text/csv', 3],
      ['text/csv;header=present', 4],
      ['text/csv;header=present;charset=utf-8', 5],
    ] as const,
    (text, expected) => assert.is(MediaType.specificity(parsed(text)), expected),
  )
})

describe('MediaType.isRange', (test) => {
  table(
    test,
    [
      ['*/*', true],
      ['text/*;level=1', true],
      ['text/html', false],
      ['text/*+json', false], // "*" is a tchar
    ] as const,
    (text, expected) => assert.is(MediaType.isRange(parsed(text)), expected),
  )
})

describe('MediaType.parameter', (test) => {
  table(
    test,
    [
      ['text/html;Charset=UTF-8', 'charset', O.some('utf-8')],
      ['text/html;level=1;level=2', 'level', O.some('1')],
      ['text/html;title=""', 'title', O.some('')],
      ['text/html', 'charset', O.none],
      ['text/html;a=1', 'constructor', O.none],
    ] as const,
    (text, name, expected) => assert.equal(MediaType.parameter(parsed(text), name), expected),
  )
})

// RFC 6838, 4.2.8
describe('MediaType.suffix', (test) => {
  table(
    test,
    [
      ['application/vnd.x+json', O.some('json')],
      ['image/svg+XML;charset=utf-8', O.some('xml')],
      ['application/a+b+json', O.some('json')],
      ['application/json', O.none],
      ['application/x+', O.none],
    ] as const,
    (text, expected) => assert.equal(MediaType.suffix(parsed(text)), expected),
  )
})

describe('MediaType.includes', (test) => {
  table(
    test,
    [
      ['*/* and text/html', '*/*', 'text/html', true],
      ['*/* and text/*', '*/*', 'text/*', true],
      ['*/* and */*', '*/*', '*/*', true],
      ['text/* and text/html', 'text/*', 'text/html', true],
      ['text/* and text/html;level=1', 'text/*', 'text/html;level=1', true],
      ['text/* and image/png', 'text/*', 'image/png', false],
      ['text/* and */*', 'text/*', '*/*', false],
      ['text/html and text/html', 'text/html', 'text/html', true],
      ['text/html and text/*', 'text/html', 'text/*', false],
      ['text/html and text/plain', 'text/html', 'text/plain', false],
      ['text/html and application/html', 'text/html', 'application/html', false],
      ['text/html and text/html;level=1', 'text/html', 'text/html;level=1', true],
      [';level=1 and no parameter', 'text/html;level=1', 'text/html', false],
      [';level=1 and ;level=2', 'text/html;level=1', 'text/html;level=2', false],
      [';level=1 and ;x=2;level=1', 'text/html;level=1', 'text/html;x=2;level=1', true],
      ['*/*;level=1 and no parameter', '*/*;level=1', 'text/html', false],
      ['a value in another case', 'text/html;x=a', 'text/html;x=A', false],
      ['charset and no parameter', 'application/json;charset=utf-8', 'application/json', true],
      ['charset and another charset', 'text/html;charset=utf-8', 'text/html;charset=latin1', true],
      ['q and no parameter', 'text/html;q=0.5', 'text/html', true],
    ] as const,
    (_, range, text, expected) =>
      assert.is(MediaType.includes(parsed(range), parsed(text)), expected),
  )
})

describe('MediaType', (test) => {
  const token = fc.stringMatching(/^[!#$%&'+\-.^_`|~0-9a-z]+$/)
  const value = fc.stringMatching(/^[\t \x21-\x7e\xa0-\xff]*$/)
  const parameters = fc.uniqueArray(
    fc.tuple(
      token.filter((name) => name !== 'charset'),
      value,
    ),
    { selector: ([name]) => name },
  )
  const any = fc
    .tuple(token, fc.oneof(token, fc.constant('*')), parameters)
    .map(([type, subtype, pairs]) => mediaType(type, subtype, ...pairs))

  roundTrip(test, any, MediaType.format, MediaType.parse, (actual, expected) =>
    assert.equal(actual, O.some(expected)),
  )

  law(test, 'a media type includes itself', any, (a) => assert.ok(MediaType.includes(a, a)))

  const near = fc.string({ unit: fc.constantFrom('a', 'B', '*', '/', ';', '=', '"', '\\', ' ') })
  const text = fc.oneof(
    unicodeString,
    near,
    near.map((rest) => `text/html;${rest}`),
  )
  law(test, 'parse never throws and returns the same value for the formatted result', text, (a) => {
    const result = MediaType.parse(a)
    if (O.isSome(result)) assert.equal(MediaType.parse(MediaType.format(result.value)), result)
  })
})
