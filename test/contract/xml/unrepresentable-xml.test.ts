/** Configuration errors of codecs that cannot be represented in XML, and invalid XML names. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  handle,
  int,
  list,
  path,
  post,
  routes,
  set,
  string,
  tupleWithRest,
} from '../../../src/index.ts'
import { ConfigurationError } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import {
  xml,
  xmlAttribute,
  xmlContext,
  xmlElement,
  xmlElementWrapper,
  xmlList,
  xmlRootElement,
  xmlValue,
} from '../../../src/xml.ts'
import { describe, table } from '../../support/describe.ts'

const Book = t.type({ title: t.string }, 'Book')

const issuesOf = (codec: t.Mixed): ReadonlyArray<unknown> => {
  try {
    inMemory(
      routes({
        a: pipe(
          path('/a'),
          post(),
          body(xml(codec)),
          handle(() => undefined),
        ),
      }),
    )
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.issues.map(({ code, remedy, concerns }) => [code, remedy, concerns.length])
  }
}

describe('xmlRootElement of a member', (test) => {
  test('is accepted if the member has the same name', () =>
    assert.equal(issuesOf(t.type({ book: xmlRootElement('book')(Book) }, 'A')), []))
  test('is accepted if the member has a mapping of its own', () =>
    assert.equal(
      issuesOf(
        t.type(
          {
            a: xmlElement('b')(xmlRootElement('c')(Book)),
            d: xmlElementWrapper('d', 'e')(list(xmlElement('f')(xmlRootElement('c')(Book)))),
          },
          'A',
        ),
      ),
      [],
    ))
  test('is rejected by xmlContext, too', () =>
    assert.throws(
      () => xmlContext([t.type({ b: xmlRootElement('c')(Book) }, 'A')]),
      'xmlRootElement names only root elements',
    ))
})

describe('codecs without an XML representation', (test) => {
  table(
    test,
    [
      [
        'list of Book: a list is not supported as the root element, and the root element has no name: wrap the list with xmlElementWrapper, and declare the name there or with xmlRootElement',
        list(Book),
      ],
      [
        'set of Book: a list is not supported as the root element, and the root element has no name: wrap the list with xmlElementWrapper, and declare the name there or with xmlRootElement',
        set(Book),
      ],
      [
        'list of int: missing root element name: declare it with xmlRootElement, or name the codec',
        xmlList(list(int)),
      ],
      [
        '/books: a list is not supported as the root element: wrap it with xmlElementWrapper',
        xmlRootElement('books')(list(Book)),
      ],
      [
        '{ a: int }: missing root element name: declare it with xmlRootElement, or name the codec',
        t.type({ a: int }),
      ],
      [
        '/a/a: unsupported tuple: use xmlElementWrapper or xmlList',
        t.type({ a: t.tuple([int, int]) }, 'A'),
      ],
      [
        '/a/a: unsupported codec [int, ...string]: XML requires objects, collections or single values',
        t.type({ a: tupleWithRest([int], string) }, 'A'),
      ],
      [
        '/a/a: unsupported nested list: wrap the inner list with xmlElementWrapper',
        t.type({ a: list(list(int)) }, 'A'),
      ],
      [
        '/a/a: unsupported list in a union: wrap it with xmlElementWrapper',
        t.type({ a: t.union([int, list(int)]) }, 'A'),
      ],
      [
        '/a/a: unsupported codec unknown: XML requires objects, collections or single values',
        t.type({ a: t.unknown }, 'A'),
      ],
      [
        '/a/a: unsupported codec UnknownRecord: XML requires objects, collections or single values',
        t.type({ a: t.UnknownRecord }, 'A'),
      ],
      [
        '/a/a b: invalid name "a b": declare a different name with xmlElement',
        t.type({ 'a b': int }, 'A'),
      ],
      [
        '/a/@a: attributes and character data must be single values, or lists of single values with xmlList',
        t.type({ a: xmlAttribute()(Book) }, 'A'),
      ],
      [
        '/a: an element with character data can have attributes, but no child elements',
        t.type({ a: xmlValue(int), b: int }, 'A'),
      ],
      [
        '/a: more than one member maps to the character data of the element',
        t.type({ a: xmlValue(int), b: xmlValue(int) }, 'A'),
      ],
      [
        '/a: more than one member maps to the element a',
        t.type({ a: int, b: xmlElement('a')(int) }, 'A'),
      ],
      [
        "/a/b: xmlRootElement names only root elements: wrap the member in xmlElement('c')",
        t.type({ b: xmlRootElement('c')(Book) }, 'A'),
      ],
      [
        "/a/b: xmlRootElement names only root elements: wrap the member in xmlElement('b', { namespace: 'urn:n' })",
        t.type({ b: list(xmlRootElement('b', { namespace: 'urn:n' })(Book)) }, 'A'),
      ],
      [
        "/a/b: xmlRootElement names only root elements: wrap the member in xmlElement('c')",
        t.type({ b: t.union([Book, xmlRootElement('c')(t.type({ d: int }))]) }, 'A'),
      ],
      [
        '/a: more than one member maps to the attribute b',
        t.type({ a: xmlAttribute('b')(int), b: xmlAttribute()(int) }, 'A'),
      ],
      [
        '/a/a: xmlElementWrapper requires a list, set or tuple',
        t.type({ a: xmlElementWrapper('b', 'c')(int) }, 'A'),
      ],
      [
        '/a/b: prefix p is declared for two namespaces',
        t.type(
          {
            a: xmlElement('a', { namespace: 'urn:a', prefix: 'p' })(int),
            b: xmlElement('b', { namespace: 'urn:b', prefix: 'p' })(int),
          },
          'A',
        ),
      ],
      [
        '/a: unsupported union in an intersection',
        t.intersection([Book, t.union([t.type({ a: int }), t.type({ b: int })])], 'A'),
      ],
    ] as const,
    (remedy, codec) => {
      assert.equal(issuesOf(codec), [['FW-XML-001', remedy, 1]])
      assert.throws(
        () => xmlContext([codec]),
        (error: Error) => error.message === remedy,
      )
    },
  )
  table(
    test,
    [
      ['an element name with a space', () => xmlElement('a b')],
      ['an attribute name that starts with a digit', () => xmlAttribute('1')],
      ['a root element name with a colon', () => xmlRootElement('a:b')],
      ['an empty root element name', () => xmlRootElement('')],
      ['an item element name with markup', () => xmlElementWrapper('a', '<b>')],
      ['the prefix xml', () => xmlElement('a', { namespace: 'urn:a', prefix: 'xml' })],
      ['the prefix xmlns', () => xmlElement('a', { namespace: 'urn:a', prefix: 'xmlns' })],
    ] as const,
    (_, create) => assert.throws(create, (error: unknown) => error instanceof TypeError),
  )
})

describe('the remedies for a list as the root element', (test) => {
  table(
    test,
    [
      ['xmlElementWrapper', xmlElementWrapper('books', 'book')(list(Book))],
      [
        'xmlElementWrapper and xmlRootElement',
        xmlRootElement('books')(xmlElementWrapper('all', 'book')(list(Book))),
      ],
    ] as const,
    (_, codec) => {
      assert.equal(issuesOf(codec), [])
      assert.is(
        xmlContext([codec], { declaration: false }).write([{ title: 'Emma' }]),
        '<books><book><title>Emma</title></book></books>',
      )
    },
  )
})
