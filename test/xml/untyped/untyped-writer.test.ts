/** Writing plain objects as documents of no known shape: conventions, rejected values, and agreement with the reader. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { jsonNumber } from '../../../src/json.ts'
import { untypedBinding } from '../../../src/xml/untyped/untyped-binding.ts'
import type { UntypedXmlOptions } from '../../../src/xml/untyped/untyped-options.ts'
import { describe, law, table } from '../../support/describe.ts'
import { unicodeString } from '../../support/unicode-string.ts'
import { xmlDocument } from '../../support/xml-document.ts'
import { secondReading } from '../reading/second-xml-reader.ts'

const write = (value: unknown, options: UntypedXmlOptions = {}, indentation = ''): string =>
  untypedBinding(t.unknown, options).writer({ indentation, isOmitted: () => false })(value)

const read = (text: string, options: UntypedXmlOptions = {}): unknown => {
  const reading = { depth: 100, rejectsUndeclared: false, decode: E.right }
  const result = untypedBinding(t.unknown, options).read(text, reading)
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

describe('untyped XML: written values', (test) => {
  table<readonly [value: unknown, expected: string]>(
    test,
    [
      [{ a: 'b' }, '<a>b</a>'],
      [{ a: '' }, '<a/>'],
      [{ a: null }, '<a/>'],
      [{ a: {} }, '<a/>'],
      [{ a: 1.5 }, '<a>1.5</a>'],
      [{ a: 10n }, '<a>10</a>'],
      [{ a: false }, '<a>false</a>'],
      [{ a: jsonNumber('12.50') }, '<a>12.50</a>'],
      [{ a: new Date(0) }, '<a>1970-01-01T00:00:00.000Z</a>'],
      [{ a: { toJSON: () => ({ b: 1 }) } }, '<a><b>1</b></a>'],
      [{ a: { b: 1, c: [2, 3], d: undefined } }, '<a><b>1</b><c>2</c><c>3</c></a>'],
      [{ a: { b: [null, undefined, ''] } }, '<a><b/><b/></a>'],
      [{ a: { b: [] } }, '<a/>'],
      [{ a: { b: new Set([1, 2]) } }, '<a><b>1</b><b>2</b></a>'],
      [{ a: ['b'] }, '<a>b</a>'],
      [{ a: 'b', c: undefined }, '<a>b</a>'],
      [{ a: { '@_b': 1, '@_c': null, '@_d': undefined, '#text': 'e' } }, '<a b="1">e</a>'],
      [{ a: { '#text': null } }, '<a/>'],
      [
        { a: { '@_b': '"<>&\t\n', '#text': '<>&"' } },
        '<a b="&quot;&lt;&gt;&amp;&#9;&#10;">&lt;&gt;&amp;"</a>',
      ],
      [
        { 'p:a': { '@_xmlns:p': 'n', '@_p:b': 1, 'p:c': 2 } },
        '<p:a xmlns:p="n" p:b="1"><p:c>2</p:c></p:a>',
      ],
      [{ a: { '@_xml:lang': 'en' } }, '<a xml:lang="en"/>'],
      [{ toString: { '@_constructor': 1 } }, '<toString constructor="1"/>'],
    ],
    (value, expected) => assert.is(write(value), expected),
  )
  test('undefined is an empty document', () => assert.is(write(undefined), ''))
  test('other member names can be selected', () => {
    const options = { attributeNamePrefix: '$', textNodeName: '@' }
    assert.is(write({ a: { $b: 1, '@': 2 } }, options), '<a b="1">2</a>')
  })
  test('elements are indented, except between text', () =>
    assert.is(
      write({ a: { b: 1, c: { d: 2 }, e: { '#text': 'f', g: 3 } } }, {}, '  '),
      '\n<a>\n  <b>1</b>\n  <c>\n    <d>2</d>\n  </c>\n  <e>f<g>3</g></e>\n</a>',
    ))
})

describe('untyped XML: values without a representation', (test) => {
  table<readonly [name: string, value: unknown, message: RegExp]>(
    test,
    [
      ['null', null, /expected an object with one member/],
      ['a string', 'a', /expected an object with one member/],
      ['a list', [{ a: 1 }], /expected an object with one member/],
      ['an empty object', {}, /expected an object with one member/],
      ['two root elements', { a: 1, b: 2 }, /expected an object with one member/],
      ['a list of root elements', { a: [1, 2] }, /expected an object with one member/],
      ['an empty list of root elements', { a: [] }, /expected an object with one member/],
      ['text without a root element', { '#text': 'a' }, /invalid XML name "#text"/],
      ['attributes without a root element', { '@_a': 1 }, /invalid XML name "@_a"/],
      ['a declaration', { '?xml': '' }, /invalid XML name "\?xml"/],
      ['an invalid element name', { 'a b': 1 }, /invalid XML name "a b"/],
      ['markup in an element name', { a: { 'b/><c': 1 } }, /invalid XML name "b\/><c"/],
      ['an empty element name', { a: { '': 1 } }, /invalid XML name ""/],
      ['an element name with two colons', { 'a:b:c': 1 }, /invalid XML name/],
      ['an invalid attribute name', { a: { '@_b c': 1 } }, /invalid XML name "b c"/],
      ['an empty attribute name', { a: { '@_': 1 } }, /invalid XML name ""/],
      [
        'the member __proto__',
        { a: JSON.parse('{"__proto__":{"b":1}}') },
        /element name __proto__/,
      ],
      ['the member constructor', { constructor: 1 }, /element name constructor/],
      ['the member prototype', { a: { prototype: '' } }, /element name prototype/],
      ['an undeclared prefix of an element', { 'p:a': 1 }, /undeclared prefix .* p:a/],
      ['an undeclared prefix of an attribute', { a: { '@_p:b': 1 } }, /undeclared prefix .* p:b/],
      [
        'a prefix that is declared elsewhere',
        { a: { b: { '@_xmlns:p': 'n' }, 'p:c': 1 } },
        /undeclared prefix/,
      ],
      ['a reserved prefix', { a: { '@_xmlns:xml': 'n' } }, /xmlns:xml: the prefix xml must not/],
      [
        'a prefix without a namespace',
        { a: { '@_xmlns:p': '' } },
        /must not have an empty namespace/,
      ],
      ['an invalid prefix', { a: { '@_xmlns:p q': 'n' } }, /invalid prefix/],
      [
        'an attribute with two prefixes',
        { a: { '@_xmlns:p': 'n', '@_xmlns:q': 'n', '@_p:b': 1, '@_q:b': 2 } },
        /same attribute/,
      ],
      ['a nested list', { a: { b: [[1]] } }, /invalid XML element b/],
      ['a map', { a: new Map([['b', 1]]) }, /invalid XML element a/],
      ['bytes', { a: new Uint8Array(1) }, /invalid XML element a/],
      ['a buffer', { a: Buffer.from('b') }, /invalid XML element a/],
      ['a function', { a: () => 1 }, /invalid XML element a/],
      ['a symbol', { a: Symbol('b') }, /invalid XML element a/],
      ['an object as an attribute', { a: { '@_b': {} } }, /invalid XML value of b/],
      ['a list as an attribute', { a: { '@_b': [1] } }, /invalid XML value of b/],
      ['an object as text', { a: { '#text': {} } }, /invalid XML value of #text/],
    ],
    (_, value, message) =>
      assert.throws(
        () => write(value),
        (error: unknown) => error instanceof TypeError && message.test(error.message),
      ),
  )
})

/** Objects with arbitrary names and values, many of which have no representation. */
const anything = fc.object({
  key: fc.oneof(
    {
      weight: 30,
      arbitrary: fc.constantFrom('a', 'b', 'c-1', 'é', '@_d', '@_xml:e', '@_xmlns', '#text'),
    },
    { weight: 1, arbitrary: fc.constantFrom('p:c', '@_p:e', '@_xmlns:p', '__proto__', 'a:b:c') },
    { weight: 1, arbitrary: fc.string({ maxLength: 3 }) },
  ),
  values: [unicodeString, fc.double(), fc.boolean(), fc.constant(null)],
  maxDepth: 3,
})

describe('untyped XML: written documents', (test) => {
  const verbatim = { trimValues: false, parseTagValue: false }
  law(test, 'are read as the value from which they were written', xmlDocument, (text) => {
    let value: unknown
    try {
      value = read(text, verbatim)
    } catch {
      return // a name that is not supported
    }
    const written = write(value)
    assert.equal(read(written, verbatim), value)
    assert.ok(E.isRight(secondReading(written)), written)
  })
  law(test, 'are well-formed, or the value is rejected', anything, (content) => {
    for (const indentation of ['', '  ']) {
      let written
      try {
        written = write({ root: content }, {}, indentation)
      } catch (error) {
        assert.instance(error, TypeError)
        continue
      }
      assert.ok(E.isRight(secondReading(written)), written)
      read(written)
    }
  })
})
