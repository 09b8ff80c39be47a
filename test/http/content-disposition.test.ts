import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as ContentDisposition from '../../src/http/content-disposition.ts'
import * as Grammar from '../../src/http/grammar.ts'
import * as O from 'fp-ts/lib/Option.js'
import { describe, law, table } from '../support/describe.ts'
import { character } from '../support/unicode-string.ts'

/** Returns the file name that a client reads: `filename*` takes precedence (RFC 6266, 4.3). */
const nameIn = (header: string): string | undefined => {
  assert.ok(Grammar.isHeaderValue(header), header)
  const [, type = '', rest = ''] = /^([a-z-]+)([^]*)$/.exec(header) ?? []
  assert.ok(type === 'attachment' || type === 'form-data')
  // tokens may contain `*`, `'` and `%`
  const parameters = new Map(
    O.getOrElse(() => [] as ReadonlyArray<Grammar.HeaderParameter>)(Grammar.parseParameters(rest)),
  )
  assert.ok(rest === '' || parameters.size > 0, rest)
  const extended = /^UTF-8''([A-Za-z\d!#$&+\-.^_`|~%]*)$/.exec(parameters.get('filename*') ?? '')
  return extended?.[1] === undefined ? parameters.get('filename') : decodeURIComponent(extended[1])
}

describe('ContentDisposition.attachment', (test) => {
  table(
    test,
    [
      ['example.html', 'attachment; filename="example.html"'],
      ['an example.html', 'attachment; filename="an example.html"'],
      ['a "b" \\c', 'attachment; filename="c"'],
      ['a "b"', 'attachment; filename="a \\"b\\""'],
      ['€ rates', `attachment; filename="_ rates"; filename*=UTF-8''%E2%82%AC%20rates`], // 5
      ['ä.txt', `attachment; filename="_.txt"; filename*=UTF-8''%C3%A4.txt`],
      ["ä'()*", `attachment; filename="_'()*"; filename*=UTF-8''%C3%A4%27%28%29%2A`],
      ['100%25.txt', `attachment; filename="100%25.txt"; filename*=UTF-8''100%2525.txt`], // appendix D
      ['100%.txt', 'attachment; filename="100%.txt"'],
      ['../../etc/passwd', 'attachment; filename="passwd"'],
      ['C:\\a\\b.txt', 'attachment; filename="b.txt"'],
      ['a\r\nSet-Cookie: b', 'attachment; filename="aSet-Cookie: b"'],
      ['😀', `attachment; filename="_"; filename*=UTF-8''%F0%9F%98%80`],
      ['\ud800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
      ['', 'attachment'],
      ['a/', 'attachment'],
    ] as const,
    (name, expected) => assert.is(ContentDisposition.attachment(name), expected),
  )
  law(
    test,
    'a client reads the name without directories and control characters',
    fc.string({
      unit: fc.oneof(fc.constantFrom('"', '\\', '/', '%', '\r', '\n', 'ä', '€'), character),
    }),
    (name) => {
      const expected = (name.split(/[/\\]/).at(-1) ?? '').replace(/\p{Cc}/gu, '').toWellFormed()
      assert.is(nameIn(ContentDisposition.attachment(name)) ?? '', expected)
    },
  )
})

describe('ContentDisposition.formData', (test) => {
  table(
    test,
    [
      ['title', undefined, 'form-data; name="title"'],
      ['cover', 'lorem.txt', 'form-data; name="cover"; filename="lorem.txt"'],
      ['a"b', '"c".txt', 'form-data; name="a%22b"; filename="%22c%22.txt"'],
      ['a\nb\r\nc\rd', undefined, 'form-data; name="a%0D%0Ab%0D%0Ac%0D%0Ad"'],
      // backslashes that parsers of quoted pairs would remove are doubled
      ['a\\b', undefined, 'form-data; name="a\\b"'],
      ['\\\\a\\', undefined, 'form-data; name="\\\\\\\\a\\\\"'],
      ['ä', '€.txt', 'form-data; name="ä"; filename="€.txt"'],
      ['a', '/etc/passwd', 'form-data; name="a"; filename="passwd"'],
      ['a', '', 'form-data; name="a"; filename=""'],
    ] as const,
    (name, fileName, expected) => assert.is(ContentDisposition.formData(name, fileName), expected),
  )
})

describe('ContentDisposition.parse', (test) => {
  table(
    test,
    [
      ['attachment; filename="example.html"', 'attachment', 'example.html'],
      ['Attachment; filename=example.html', 'attachment', 'example.html'],
      ['inline', 'inline', undefined],
      [`attachment; filename="EURO"; filename*=utf-8''%e2%82%ac%20rates`, 'attachment', '€ rates'], // RFC 6266, 5
      ['attachment; filename="../../etc/passwd"', 'attachment', 'passwd'], // 4.3
      ['attachment; filename="C:\\\\a\\\\b.txt"', 'attachment', 'b.txt'],
      ['attachment; filename=".."', 'attachment', ''],
      ['attachment; filename="a\\"b"', 'attachment', 'a"b'],
    ] as const,
    (text, type, fileName) =>
      assert.equal(ContentDisposition.parse(text), O.some({ type, name: undefined, fileName })),
  )
  law(
    test,
    'parse returns the name that attachment wrote',
    fc.string({
      unit: fc.oneof(fc.constantFrom('"', 'ä', '€', '😀'), fc.string({ minLength: 1 })),
    }),
    (name) => {
      const written = ContentDisposition.attachment(name)
      const parsed = O.toUndefined(ContentDisposition.parse(written))
      const expected = nameIn(written)
      // the names `.` and `..` become empty
      if (!/^\.\.?$/.test(expected ?? '')) assert.is(parsed?.fileName, expected)
    },
  )
})
