/** Tests the escaping and replacement of characters in documents. */
import * as assert from 'uvu/assert'
import { escapeAttribute, escapeText } from '../../../src/xml/writing/prefixes.ts'
import { isCharacter, isNcName } from '../../../src/xml/xml-names.ts'
import { describe, table } from '../../support/describe.ts'

describe('escapeText and escapeAttribute', (test) => {
  table(
    test,
    [
      ['', '', ''],
      ['plain é漢', 'plain é漢', 'plain é漢'],
      [`<a b="c">&'`, `&lt;a b="c"&gt;&amp;'`, `&lt;a b=&quot;c&quot;&gt;&amp;'`],
      [']]>', ']]&gt;', ']]&gt;'],
      ['\t\n', '\t\n', '&#9;&#10;'],
      ['\r', '&#13;', '&#13;'], // parsers normalize a literal CR to a line feed
      ['😀', '😀', '😀'],
      ['\u007F\u0085', '\u007F\u0085', '\u007F\u0085'],
    ] as const,
    (input, text, attribute) =>
      assert.equal([escapeText(input), escapeAttribute(input)], [text, attribute]),
  )
  table<readonly [input: string, name: string]>(
    test,
    [
      ['\u0000', 'U+0000'],
      ['a\u0001', 'U+0001'],
      ['\u000B', 'U+000B'],
      ['\uFFFE', 'U+FFFE'],
      ['\uD800', 'U+D800'], // half of a pair
      ['\uDC00a', 'U+DC00'],
    ],
    (input, name) => {
      for (const escape of [escapeText, escapeAttribute])
        assert.throws(() => escape(input), `XML does not allow ${name}`)
    },
  )
})

describe('isNcName and isCharacter', (test) => {
  table(
    test,
    [
      ['a', true],
      ['_', true],
      ['é', true],
      ['a-1._·', true],
      ['\u{10000}', true],
      ['', false],
      ['1a', false],
      ['-a', false],
      ['a b', false],
      ['a:b', false],
      ['a\n', false],
      ['\u00D7', false],
      ['\u{F0000}', false],
    ] as const,
    (text, expected) => assert.is(isNcName(text), expected),
  )
  table(
    test,
    [
      [0x9, true],
      [0x8, false],
      [0x20, true],
      [0x1f, false],
      [0xd7ff, true],
      [0xd800, false],
      [0xe000, true],
      [0xfffd, true],
      [0xfffe, false],
      [0x10000, true],
      [0x10ffff, true],
      [0x110000, false],
    ] as const,
    (point, expected) => assert.is(isCharacter(point), expected),
  )
})
