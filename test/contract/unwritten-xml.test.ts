/** Codecs that have no form in XML, and names that are none: R-278. */
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

describe('XML: codecs without a form', (test) => {
  table(
    test,
    [
      [
        'list of Book: the root element needs a name: say it with xmlRootElement, or name the codec',
        list(Book),
      ],
      [
        '/books: a document has one root: put xmlElementWrapper around the list',
        xmlRootElement('books')(list(Book)),
      ],
      [
        '{ a: int }: the root element needs a name: say it with xmlRootElement, or name the codec',
        t.type({ a: int }),
      ],
      ['/a/a: a tuple needs xmlElementWrapper or xmlList', t.type({ a: t.tuple([int, int]) }, 'A')],
      [
        '/a/a: a list in a list needs xmlElementWrapper around the inner one',
        t.type({ a: list(list(int)) }, 'A'),
      ],
      [
        '/a/a: a list that is one of several needs xmlElementWrapper',
        t.type({ a: t.union([int, list(int)]) }, 'A'),
      ],
      ['/a/a: unknown has no form in XML', t.type({ a: t.unknown }, 'A')],
      ['/a/a: UnknownRecord has no form in XML', t.type({ a: t.UnknownRecord }, 'A')],
      ['/a/a b: "a b" is no name: say another with xmlElement', t.type({ 'a b': int }, 'A')],
      [
        '/a/@a: only single values, and lists of them with xmlList, have a text',
        t.type({ a: xmlAttribute()(Book) }, 'A'),
      ],
      ['/a: beside a text it can have attributes only', t.type({ a: xmlValue(int), b: int }, 'A')],
      ['/a: two members are its text', t.type({ a: xmlValue(int), b: xmlValue(int) }, 'A')],
      ['/a: two members are the element a', t.type({ a: int, b: xmlElement('a')(int) }, 'A')],
      [
        '/a: two members are the attribute b',
        t.type({ a: xmlAttribute('b')(int), b: xmlAttribute()(int) }, 'A'),
      ],
      [
        '/a/a: xmlElementWrapper is for collections',
        t.type({ a: xmlElementWrapper('b', 'c')(int) }, 'A'),
      ],
      [
        '/a/b: the prefix p is wanted for two namespaces',
        t.type(
          {
            a: xmlElement('a', { namespace: 'urn:a', prefix: 'p' })(int),
            b: xmlElement('b', { namespace: 'urn:b', prefix: 'p' })(int),
          },
          'A',
        ),
      ],
      [
        '/a: a union cannot be a part of an intersection',
        t.intersection([Book, t.union([t.type({ a: int }), t.type({ b: int })])], 'A'),
      ],
    ] as const,
    (remedy, codec) => {
      assert.equal(mistakesOf(codec), [['FW-XML-001', remedy, 1]], 'R-278')
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
