/** The XML parser: well-formed and malformed documents, and limits. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { Element } from '../../../src/xml/reading/element.ts'
import { parse } from '../../../src/xml/reading/parser.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { describe, law, repetitions, table } from '../../support/describe.ts'
import type { Row } from '../../support/malformed-xml.ts'
import { malformedXml, unsupportedXml } from '../../support/malformed-xml.ts'
import { unicodeString } from '../../support/unicode-string.ts'

const read = (text: string): Element => {
  const root = parse(text, 100)
  if (E.isLeft(root)) throw new Error(root.left)
  return root.right
}

describe('parse: malformed documents', (test) => {
  table<Row>(test, malformedXml, (text, rule) => assert.ok(E.isLeft(parse(text, 100)), rule))
  table<Row>(test, unsupportedXml, (text, reason) => assert.ok(E.isLeft(parse(text, 100)), reason))
  test('the error contains line and column', () =>
    assert.equal(
      parse('<a>\r\n  <b>\r\n&x;</b></a>', 100),
      E.left('malformed XML at line 2, column 6: invalid reference'),
    ))
})

describe('parse: the text of an element', (test) => {
  table(
    test,
    [
      ['<a/>', ''],
      ['<a></a >', ''],
      ['<a\n/>', ''],
      ['<a> b\t</a>', ' b\t'],
      ['<a>b<!-- c -->d<?e f?>g<h/>i</a>', 'bdgi'],
      ['<a><![CDATA[<b>&amp;]]]]><![CDATA[>]]></a>', '<b>&amp;]]>'],
      ['<a>&lt;&gt;&amp;&apos;&quot;</a>', `<>&'"`],
      ['<a>&#65;&#x42;&#x1F44D;&#0000067;</a>', 'AB👍C'],
      ['<a>&amp;#65;</a>', '&#65;'],
      ['<a>b\r\nc\rd\ne&#13;f</a>', 'b\nc\nd\ne\rf'],
      ['<a>]]&gt; ]] ></a>', ']]> ]] >'],
      [
        '\uFEFF<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<a>b</a>\n<!-- c --><?d?>',
        'b',
      ],
      [`<?xml version='1.1' encoding='US-ASCII' ?><a>b</a>`, 'b'],
      ['<?xml version="1.0" encoding="UTF-16"?><a>b</a>', 'b'], // .NET writes it to strings
      ['<?xml-stylesheet href="c"?><a>b</a>', 'b'],
      ['<a>\u0085\u2028é漢\u{10FFFF}</a>', '\u0085\u2028é漢\u{10FFFF}'],
    ] as const,
    (text, expected) => assert.is(read(text).text, expected),
  )
})

describe('parse: names and attributes', (test) => {
  table(
    test,
    [
      [
        `<a b="c" d='"'/>`,
        [
          ['b', '', 'c'],
          ['d', '', '"'],
        ],
      ],
      ['<a b = "c"/>', [['b', '', 'c']]],
      ['<a b="\t\n&#9;&#10;&#13;\r\n"/>', [['b', '', '  \t\n\r ']]], // XML, 3.3.3
      ['<a b="&lt;>&quot;"/>', [['b', '', '<>"']]],
      ['<a xmlns="n" b="c"/>', [['b', '', 'c']]], // attributes without a prefix have no namespace
      [
        '<a xmlns:p="n" p:b="c" b="d"/>',
        [
          ['b', 'n', 'c'],
          ['b', '', 'd'],
        ],
      ],
      ['<a xml:lang="en"/>', [['lang', 'http://www.w3.org/XML/1998/namespace', 'en']]],
      [
        '<a __proto__="1" constructor="2"/>',
        [
          ['__proto__', '', '1'],
          ['constructor', '', '2'],
        ],
      ],
    ] as const,
    (text, expected) =>
      assert.equal(
        read(text).attributes.map(({ local, namespace, value }) => [local, namespace, value]),
        expected,
      ),
  )
  table(
    test,
    [
      ['<é/>', 'é', ''],
      ['<a-1._é/>', 'a-1._é', ''],
      ['<\u{10000}/>', '\u{10000}', ''],
      ['<a xmlns="n"/>', 'a', 'n'],
      ['<p:a xmlns:p="n"></p:a>', 'a', 'n'],
      ['<é:a xmlns:é="n"/>', 'a', 'n'],
    ] as const,
    (text, local, namespace) => {
      const root = read(text)
      assert.equal([root.local, root.namespace], [local, namespace])
    },
  )
  test('a namespace declaration applies to nested elements until another one overrides it', () => {
    const root = read('<a xmlns="n"><b/><c xmlns=""><d/></c><p:e xmlns:p="m"><f/></p:e></a>')
    const flat = ({ local, namespace, children }: Element): ReadonlyArray<string> => [
      `${local} ${namespace}`,
      ...children.flatMap(flat),
    ]
    assert.equal(flat(root), ['a n', 'b n', 'c ', 'd ', 'e m', 'f n'])
  })
})

const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth)

describe('parse: limits', (test) => {
  table(
    test,
    [
      [nested(9), true],
      [nested(10), true],
      [nested(11), false],
      [`${'<a>'.repeat(10)}<b/>${'</a>'.repeat(10)}`, false],
      [`${'<a>'.repeat(9)}<b/>${'</a>'.repeat(9)}`, true],
    ] as const,
    (text, isRead) => assert.is(E.isRight(parse(text, 10)), isRead),
  )
  test('a million nested elements do not overflow the stack', () =>
    assert.ok(E.isLeft(parse(nested(1_000_000), 100))))
  const testFast = (name: string, text: string): void =>
    test(`${name} are parsed in linear time`, () => {
      const begin = cpuTime()
      parse(text, 100)
      assert.ok(cpuTime() - begin < repetitions(1000, 5000))
    })
  const many = repetitions(200_000, 1_000_000)
  testFast('references', `<a>${'&#65;'.repeat(many)}</a>`)
  testFast('invalid references', `<a>${'&b'.repeat(many)};</a>`)
  testFast('open comments', `<a>${'<!--'.repeat(many)}</a>`)
  testFast(
    'a hundred thousand attributes',
    `<a ${Array.from({ length: 100_000 }, (_, at) => `b${at}="c"`).join(' ')}/>`,
  )
  testFast(
    'ten thousand namespaces with ten thousand elements',
    `<a ${Array.from({ length: 10_000 }, (_, at) => `xmlns:b${at}="c${at}"`).join(' ')}>${'<b1:d xmlns:e="f"/>'.repeat(10_000)}</a>`,
  )
})

const name = fc.constantFrom('a', 'b', 'c-1', 'd.e')
const characters = fc
  .array(fc.constantFrom('x', ' ', 'é', '&lt;', '&amp;', '>', "'"), { minLength: 1, maxLength: 4 })
  .map((all) => all.join(''))
const document = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(
      name,
      fc.uniqueArray(fc.tuple(name, characters), { selector: ([key]) => key, maxLength: 2 }),
      fc.oneof(
        { maxDepth: 3 },
        characters,
        fc.array(tie('element'), { maxLength: 3 }).map((all) => all.join('')),
      ),
    )
    .map(
      ([tag, attributes, inside]) =>
        `<${tag}${attributes.map(([key, value]) => ` ${key}="${value}"`).join('')}>${inside}</${tag}>`,
    ),
})).element

describe('parse: arbitrary text', (test) => {
  law(test, 'any text returns a result', unicodeString, (text) => {
    const root = parse(text, 100)
    assert.ok(E.isLeft(root) || root.right.local !== '')
  })
  law(test, 'a truncated document is malformed', fc.tuple(document, fc.nat()), ([text, at]) =>
    assert.ok(E.isLeft(parse(text.slice(0, at % text.length), 100))),
  )
})
