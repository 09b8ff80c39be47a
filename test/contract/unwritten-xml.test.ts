/** Codecs that cannot be represented in XML, and invalid names. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { body, handle, int, list, path, post, routes } from '../../src/index.ts'
import { MistakesError } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import {
  xml,
  xmlAttribute,
  xmlContext,
  xmlElement,
  xmlElementWrapper,
  xmlRootElement,
  xmlValue,
} from '../../src/xml.ts'
import { describe, table } from '../support/describe.ts'

const Book = t.type({ title: t.string }, 'Book')

const mistakesOf = (codec: t.Mixed): ReadonlyArray<unknown> => {
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
    if (!(error instanceof MistakesError)) throw error
    return error.mistakes.map(({ code, remedy, concerns }) => [code, remedy, concerns.length])
  }
}

describe('XML: codecs that cannot be represented', (test) => {
  table(
    test,
    [
      [
        'list of Book: missing name of the root element: declare it with xmlRootElement, or name the codec',
        list(Book),
      ],
      [
        '/books: a list cannot be the root element: wrap it with xmlElementWrapper',
        xmlRootElement('books')(list(Book)),
      ],
      [
        '{ a: int }: missing name of the root element: declare it with xmlRootElement, or name the codec',
        t.type({ a: int }),
      ],
      [
        '/a/a: unsupported tuple: use xmlElementWrapper or xmlList',
        t.type({ a: t.tuple([int, int]) }, 'A'),
      ],
      [
        '/a/a: nested list: wrap the inner list with xmlElementWrapper',
        t.type({ a: list(list(int)) }, 'A'),
      ],
      [
        '/a/a: list in a union: wrap it with xmlElementWrapper',
        t.type({ a: t.union([int, list(int)]) }, 'A'),
      ],
      ['/a/a: unknown cannot be represented in XML', t.type({ a: t.unknown }, 'A')],
      ['/a/a: UnknownRecord cannot be represented in XML', t.type({ a: t.UnknownRecord }, 'A')],
      [
        '/a/a b: "a b" is not a valid name: declare another with xmlElement',
        t.type({ 'a b': int }, 'A'),
      ],
      [
        '/a/@a: attributes and character data must be single values, or lists of them with xmlList',
        t.type({ a: xmlAttribute()(Book) }, 'A'),
      ],
      [
        '/a: an element with character data can only have attributes',
        t.type({ a: xmlValue(int), b: int }, 'A'),
      ],
      [
        '/a: several members map to its character data',
        t.type({ a: xmlValue(int), b: xmlValue(int) }, 'A'),
      ],
      [
        '/a: several members map to the element a',
        t.type({ a: int, b: xmlElement('a')(int) }, 'A'),
      ],
      [
        '/a: several members map to the attribute b',
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
      assert.equal(mistakesOf(codec), [['FW-XML-001', remedy, 1]])
      assert.throws(
        () => xmlContext([codec]),
        (error: Error) => error.message === remedy,
      )
    },
  )
  table(
    test,
    [
      [() => xmlElement('a b')],
      [() => xmlAttribute('1')],
      [() => xmlRootElement('a:b')],
      [() => xmlRootElement('')],
      [() => xmlElementWrapper('a', '<b>')],
      [() => xmlElement('a', { namespace: 'urn:a', prefix: 'xml' })],
      [() => xmlElement('a', { namespace: 'urn:a', prefix: 'xmlns' })],
    ] as const,
    (make) => assert.throws(make, (error: unknown) => error instanceof TypeError),
  )
})
