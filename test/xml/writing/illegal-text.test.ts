import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { xmlAttribute, xmlContext, xmlRootElement } from '../../../src/xml.ts'
import { untypedWriter } from '../../../src/xml/untyped/untyped-writer.ts'
import { memberNames } from '../../../src/xml/untyped/untyped-options.ts'
import { describe, table } from '../../support/describe.ts'

const Book = xmlRootElement('book')(
  t.intersection([
    t.type({ isbn: xmlAttribute()(t.string), title: t.string }),
    t.partial({ tags: t.array(t.string), keys: t.record(t.string, t.string) }),
  ]),
)
const book = { isbn: '0-13', title: 'Emma' }
const { write } = xmlContext([Book])

describe('illegal characters in XML', (test) => {
  table<readonly [value: t.TypeOf<typeof Book>, message: string]>(
    test,
    [
      [{ ...book, title: 'a\u0001' }, 'invalid text at /title: XML does not allow U+0001, so'],
      [{ ...book, isbn: '\u001F' }, 'invalid text at /isbn: XML does not allow U+001F, so'],
      [
        { ...book, tags: ['a', '\uFFFF'] },
        'invalid text at /tags/1: XML does not allow U+FFFF, so',
      ],
      [
        { ...book, keys: { a: '\uD800' } },
        'invalid text at /keys/a: XML does not allow U+D800, so',
      ],
    ],
    (value, message) => assert.throws(() => write(value), message),
  )
  test('are rejected in documents of no known shape', () => {
    const writeUntyped = untypedWriter(memberNames({}), '')
    assert.throws(
      () => writeUntyped({ a: { '@_b': '\u0000' } }),
      'invalid text at /a/@_b: XML does not allow U+0000, so',
    )
  })
  test('do not change other errors', () => {
    const writeUntyped = untypedWriter(memberNames({}), '')
    assert.throws(() => writeUntyped({ a: 1, b: 2 }), 'invalid XML document')
  })
})
