/** Reading documents of no known shape: the conventions of `fast-xml-parser`, options, rejected documents and cost. */
import { XMLParser } from 'fast-xml-parser'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { isNcName } from '../../../src/xml/xml-names.ts'
import type { Element } from '../../../src/xml/reading/element.ts'
import { parse } from '../../../src/xml/reading/parser.ts'
import { untypedBinding } from '../../../src/xml/untyped/untyped-binding.ts'
import type { UntypedXmlOptions } from '../../../src/xml/untyped/untyped-options.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { describe, law, table } from '../../support/describe.ts'
import type { Row } from '../../support/malformed-xml.ts'
import { malformedXml, unsupportedXml } from '../../support/malformed-xml.ts'
import { xmlDocument } from '../../support/xml-document.ts'

const reading = { depth: 100, rejectsUndeclared: true, decode: E.right }

const readWith = (text: string, options: UntypedXmlOptions = {}) =>
  untypedBinding(t.unknown, options).read(text, reading)

const valueOf = (text: string, options: UntypedXmlOptions = {}): unknown => {
  const result = readWith(text, options)
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

describe('untyped XML: results of fast-xml-parser', (test) => {
  const parser = new XMLParser({ ignoreAttributes: false, ignoreDeclaration: true })
  table(
    test,
    [
      ['text', '<a>b</a>'],
      ['an empty element', '<a/>'],
      ['attributes', '<a b="c" d="1">e</a>'],
      ['child elements', '<a><b>c</b><d><e/></d></a>'],
      ['repeated elements', '<a><b>1</b><c/><b>2</b></a>'],
      ['numbers and booleans', '<a><b>1</b><b>-2.5</b><b>0</b><b>true</b><b>false</b><b>x</b></a>'],
      ['white space', '<a b=" c ">\n  <d> e f </d>\n</a>'],
      ['text between child elements', '<a>b <c>d</c> e</a>'],
      ['namespaces', '<p:a xmlns:p="n" xmlns="m" p:b="c"><d/></p:a>'],
      ['sections', '<a>b<![CDATA[ <c> & ]]>d</a>'],
      ['comments', '<a>b<!-- c -->d</a>'],
      ['references', '<a b="&lt;&quot;">&amp;lt;&apos;&gt;</a>'],
      ['a declaration', '<?xml version="1.0" encoding="UTF-8"?>\n<a>b</a>\n'],
      ['characters outside of ASCII', '<é b="ü">漢😀</é>'],
    ] as const,
    (_, text) => assert.equal(valueOf(text), parser.parse(text)),
  )
})

describe('untyped XML: results that differ from those of fast-xml-parser', (test) => {
  table<readonly [name: string, text: string, expected: unknown]>(
    test,
    [
      ['leading zeros', '<a>007</a>', { a: '007' }],
      ['trailing zeros', '<a>1.50</a>', { a: '1.50' }],
      [
        'digits that a double does not preserve',
        '<a>9007199254740993</a>',
        { a: '9007199254740993' },
      ],
      ['exponents', '<a>1e3</a>', { a: '1e3' }],
      ['hexadecimal digits', '<a>0x1F</a>', { a: '0x1F' }],
      ['a plus sign', '<a>+1</a>', { a: '+1' }],
      ['a negative zero', '<a>-0</a>', { a: '-0' }],
      [
        'character references',
        '<a b="&#65;">&#x42;&amp;#67;</a>',
        { a: { '@_b': 'A', '#text': 'B&#67;' } },
      ],
      ['line breaks in attributes', '<a b="c\r\nd&#10;e"/>', { a: { '@_b': 'c d\ne' } }],
      ['quotes in processing instructions', "<a><?b it's?><c>'?></c></a>", { a: { c: "'?>" } }],
      ['names of object members', '<toString valueOf="1"/>', { toString: { '@_valueOf': '1' } }],
      ['a stylesheet', '<?xml-stylesheet href="b.xsl"?><a>b</a>', { a: 'b' }],
      ['a byte order mark', '\uFEFF<a>b</a>', { a: 'b' }],
    ],
    (_, text, expected) => assert.equal(valueOf(text), expected),
  )
})

describe('untyped XML: options for reading', (test) => {
  const text = '<p:a xmlns:p="n" p:b=" 1 "><c>1</c><d>true</d> e </p:a>'
  table<readonly [options: UntypedXmlOptions, expected: unknown]>(
    test,
    [
      [{}, { 'p:a': { c: 1, d: true, '#text': 'e', '@_xmlns:p': 'n', '@_p:b': '1' } }],
      [
        { attributeNamePrefix: '$', textNodeName: '@' },
        { 'p:a': { c: 1, d: true, '@': 'e', '$xmlns:p': 'n', '$p:b': '1' } },
      ],
      [{ ignoreAttributes: true }, { 'p:a': { c: 1, d: true, '#text': 'e' } }],
      [{ removeNSPrefix: true }, { a: { c: 1, d: true, '#text': 'e', '@_b': '1' } }],
      [
        { parseTagValue: false, parseAttributeValue: true },
        { 'p:a': { c: '1', d: 'true', '#text': 'e', '@_xmlns:p': 'n', '@_p:b': 1 } },
      ],
      [
        { trimValues: false },
        { 'p:a': { c: 1, d: true, '#text': ' e ', '@_xmlns:p': 'n', '@_p:b': ' 1 ' } },
      ],
      [
        { alwaysCreateTextNode: true, ignoreAttributes: true },
        { 'p:a': { c: { '#text': 1 }, d: { '#text': true }, '#text': 'e' } },
      ],
      [
        { isArray: (name, path) => name === 'c' && path.join('/') === 'p:a/c' },
        { 'p:a': { c: [1], d: true, '#text': 'e', '@_xmlns:p': 'n', '@_p:b': '1' } },
      ],
    ],
    (options, expected) => assert.equal(valueOf(text, options), expected),
  )
  test('white space around the root element is dropped with trimValues: false', () =>
    assert.equal(valueOf(' \n<a/> <!-- b -->\n', { trimValues: false }), { a: '' }))
  table<readonly [options: UntypedXmlOptions]>(
    test,
    [
      [{ attributeNamePrefix: '' }],
      [{ attributeNamePrefix: '_' }],
      [{ attributeNamePrefix: ':' }],
      [{ attributeNamePrefix: 'é' }],
      [{ textNodeName: '' }],
      [{ textNodeName: 'text' }],
      [{ textNodeName: '__proto__' }],
      [{ textNodeName: '@_text' }],
      [{ attributeNamePrefix: '#' }],
    ],
    (options) => assert.throws(() => untypedBinding(t.unknown, options), /must not begin like/),
  )
})

const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth)

describe('untyped XML: rejected documents', (test) => {
  table<Row>(test, malformedXml, (text, rule) => assert.ok(E.isLeft(readWith(text)), rule))
  table<Row>(test, unsupportedXml, (text, reason) => assert.ok(E.isLeft(readWith(text)), reason))
  table<readonly [text: string, path: string, options?: UntypedXmlOptions]>(
    test,
    [
      ['<__proto__/>', '/__proto__'],
      ['<a><b/><b><constructor/></b></a>', '/a/b[2]/constructor'],
      ['<a><prototype>1</prototype></a>', '/a/prototype'],
      ['<p:constructor xmlns:p="n"/>', '/constructor'],
      ['<p:constructor xmlns:p="n"/>', '/constructor', { removeNSPrefix: true }],
      ['<a xmlns:p="n" b="1" p:b="2"/>', '/a', { removeNSPrefix: true }],
      ['<a\u1680/>', '/'],
      ['<a><b c\uFEFF="1"/></a>', '/'],
      ['<p\u1680:a xmlns:p\u1680="n"/>', '/'],
    ],
    (text, path, options) => {
      const result = readWith(text, options)
      assert.equal(E.isLeft(result) && result.left.map((error) => error.path), [path])
    },
  )
  test('the names of attributes are not restricted', () =>
    assert.equal(valueOf('<a __proto__="1" constructor="2" prototype="3"/>'), {
      a: { '@___proto__': '1', '@_constructor': '2', '@_prototype': '3' },
    }))
  test('text and attributes can contain any character', () =>
    assert.equal(valueOf('<a b="\u1680x\uFEFF">\u1680x\uFEFFy</a>', { trimValues: false }), {
      a: { '@_b': '\u1680x\uFEFF', '#text': '\u1680x\uFEFFy' },
    }))
  test('elements that are nested too deeply are rejected', () => {
    const { read } = untypedBinding(t.unknown, {})
    assert.ok(E.isRight(read(nested(10), { ...reading, depth: 10 })))
    assert.ok(E.isLeft(read(nested(11), { ...reading, depth: 10 })))
  })
  test('the codec can reject a document', () => {
    const Feed = t.refinement(t.UnknownRecord, (value) => 'feed' in value, 'Feed')
    const { read } = untypedBinding(Feed, {})
    const decoding = { ...reading, decode: (value: unknown) => Feed.decode(value) }
    assert.equal(read('<feed/>', decoding), E.right({ feed: '' }))
    assert.equal(read('<a/>', decoding), E.left([{ path: '/', message: 'must be Feed' }]))
  })
})

/** A document as sorted text, independent of the order of members. Names are local names, because elements do not have prefixes. */
const summary = ({ local, attributes, text, children }: Element): string =>
  summarize(
    local,
    attributes.map((attribute) => [attribute.local, attribute.value]),
    text,
    children.map(summary),
  )

const summarize = (
  name: string,
  attributes: ReadonlyArray<readonly [string, unknown]>,
  text: unknown,
  children: ReadonlyArray<string>,
): string =>
  JSON.stringify([
    name,
    attributes.map(([key, value]) => `${key}=${String(value)}`).toSorted(),
    text,
    children.toSorted(),
  ])

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const untypedSummary = (name: string, value: unknown): string => {
  if (typeof value !== 'object' || value === null)
    return summarize(localName(name), [], String(value), [])
  const members = Object.entries(value)
  return summarize(
    localName(name),
    members.flatMap(([key, member]) =>
      key.startsWith('@_') && !/^@_xmlns(?::|$)/.test(key)
        ? [[localName(key.slice(2)), member] as const]
        : [],
    ),
    String(Reflect.get(value, '#text') ?? ''),
    members.flatMap(([key, member]): ReadonlyArray<string> =>
      /^[@#]/.test(key)
        ? []
        : (Array.isArray(member) ? member : [member]).map((item) => untypedSummary(key, item)),
    ),
  )
}

const hasForbiddenName = ({ local, children }: Element): boolean =>
  /^(?:__proto__|constructor|prototype)$/.test(local) || children.some(hasForbiddenName)

describe('untyped XML compared with the XML parser', (test) => {
  for (const part of [1, 2, 3, 4])
    law(
      test,
      `both read the same names, attributes and text, part ${part}`,
      xmlDocument,
      (text) => {
        const root = parse(text, 100)
        const result = readWith(text, { trimValues: false, parseTagValue: false })
        assert.ok(E.isRight(root))
        if (E.isLeft(root)) return
        assert.is(E.isLeft(result), hasForbiddenName(root.right), text)
        if (E.isLeft(result)) return
        const [[name, value] = ['', undefined], ...others] = Object.entries(result.right as object)
        assert.is(others.length, 0)
        assert.is(untypedSummary(name, value), summary(root.right), text)
      },
    )
  law(test, 'objects have the default prototype', xmlDocument, (text) => {
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      if (!Array.isArray(value)) assert.is(Object.getPrototypeOf(value), Object.prototype)
      Object.values(value).forEach(visit)
    }
    const result = readWith(text)
    if (E.isRight(result)) visit(result.right)
  })
  test('all names with characters that are white space in JavaScript are rejected', () => {
    const names = Array.from({ length: 0x10000 }, (_, point) => `a${String.fromCodePoint(point)}`)
    const unsupported = names.filter((name) => /\s/.test(name) && isNcName(name))
    assert.equal(unsupported, ['a\u1680', 'a\uFEFF'])
    for (const name of unsupported) assert.ok(E.isLeft(readWith(`<${name}/>`)), name)
  })
})

const times = (count: number, part: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => part(at)).join('')

describe('untyped XML: cost', (test) => {
  table(
    test,
    [
      [
        'an element with thousands of attributes and texts',
        `<a ${times(11_000, (at) => `b${at}="" `)}>${'x<b/>'.repeat(25_000)}</a>`,
      ],
      ['thousands of names', `<a>${times(25_000, (at) => `<b${at}/>`)}</a>`],
      [
        'thousands of elements below long names',
        `${times(50, (at) => `<${'x'.repeat(1_000)}${at}>`)}${times(20_000, (at) => `<b${at}/>`)}${times(50, (at) => `</${'x'.repeat(1_000)}${49 - at}>`)}`,
      ],
      ['thousands of references', `<a b="${'&#65;'.repeat(25_000)}">${'&lt;'.repeat(25_000)}</a>`],
      ['thousands of sections and comments', `<a>${'<![CDATA[x]]><!---->'.repeat(12_000)}</a>`],
      ['white space', `<a${' '.repeat(120_000)}>x${' '.repeat(120_000)}x</a>`],
      ['digits', `<a>${'1'.repeat(120_000)}.${'0'.repeat(120_000)}1</a>`],
    ] as const,
    (_, text) => {
      const begin = cpuTime()
      assert.ok(E.isRight(readWith(text, { isArray: () => false })))
      assert.ok(cpuTime() - begin < 5000)
    },
  )
})

describe('untyped XML without fast-xml-parser', (test) => {
  test('the class XMLParser can be passed', () => {
    let settings: unknown
    class Parser {
      constructor(options: object) {
        settings = options
      }
      readonly parse = (text: string): unknown => ({ text })
    }
    assert.equal(valueOf('<a/>', { XMLParser: Parser }), { text: '<a/>' })
    assert.ok(typeof settings === 'object')
    assert.equal(valueOf('<a b="1"/>', { XMLParser }), { a: { '@_b': '1' } })
  })
  test('a platform that cannot load packages requires the class', () => {
    const descriptor = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule') ?? {}
    Object.defineProperty(process, 'getBuiltinModule', { ...descriptor, value: undefined })
    try {
      assert.throws(() => valueOf('<a/>'), /missing fast-xml-parser: import XMLParser/)
      assert.equal(valueOf('<a/>', { XMLParser }), { a: '' })
    } finally {
      Object.defineProperty(process, 'getBuiltinModule', descriptor)
    }
  })
})
