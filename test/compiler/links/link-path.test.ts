/** What links lead to, with any value: every link can be read, and its path is matched with that value again. */
import * as fc from 'fast-check'
import LinkHeader from 'http-link-header'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as Link from '../../../src/http/link.ts'
import { expandLinkPath, linkPath } from '../../../src/compiler/links/link-path.ts'
import { describe, law } from '../../support/describe.ts'

const members = new Map([['a', [t.string]] as const, ['b', [t.number]] as const])
const filling = { members, identifier: undefined, identifies: () => true }
const shown = (): boolean => false

const value = fc.record(
  { a: fc.string({ unit: 'grapheme' }), b: fc.integer() },
  { noNullPrototype: true },
)
const word = fc.stringMatching(/^[a-z][a-z.-]{0,5}$/)

describe('links of any value', (test) => {
  const path = linkPath('/x/{a}/{b}/{c}', new Map(), filling)
  law(test, 'what fills a variable is what is read from its place', value, (one) => {
    const [, , a = '', b, c] = expandLinkPath(path, one, shown).split('/')
    const isKept = one.a === '' || one.a === '.' || one.a === '..'
    assert.is(isKept ? a : decodeURIComponent(a), isKept ? '{a}' : one.a)
    assert.is(b, String(one.b))
    assert.is(c, '{c}')
  })
  law(
    test,
    'R-077 another reader finds target, relation, title and type in a field',
    fc.tuple(value, word, fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }), word),
    ([one, rel, title, type]) => {
      const target = `http://localhost${expandLinkPath(path, one, shown)}`
      const link = { target, rel, type, ...(title === undefined ? {} : { title }) }
      const field = Link.format(link)
      assert.match(field, /^[\t\x20-\x7e]*$/)
      const { refs } = LinkHeader.parse(`${field}, ${field}`)
      assert.is(refs.length, 2)
      for (const ref of refs) {
        assert.is(ref.uri, target)
        assert.is(ref.rel, rel)
        assert.is(ref['type'], type)
        const extended: unknown = ref['title*']
        const read: unknown =
          typeof extended === 'object' && extended !== null && 'value' in extended
            ? extended.value
            : ref['title']
        assert.is(read, title?.toWellFormed())
      }
    },
  )
  law(test, 'a hidden member fills nothing', value, (one) =>
    assert.is(expandLinkPath(path, one, (name) => name === 'a').split('/')[2], '{a}'),
  )
  for (const [name, odd] of [
    ['null', null],
    ['nothing', undefined],
    ['a text', 'a'],
    ['a list', ['a']],
    ['an object of another type', { a: 1, b: 'x' }],
  ] as const)
    test(`${name} fills nothing`, () =>
      assert.is(expandLinkPath(path, odd, shown), '/x/{a}/{b}/{c}'))
})
