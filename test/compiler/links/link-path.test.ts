/** Tests the expansion of link paths for arbitrary values. */
import * as fc from 'fast-check'
import LinkHeader from 'http-link-header'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as Link from '../../../src/http/link.ts'
import { expandLinkPath, linkPath } from '../../../src/compiler/links/link-path.ts'
import { describe, law } from '../../support/describe.ts'

const members = new Map([['a', [t.string]] as const, ['b', [t.number]] as const])
const sources = { members, identifier: undefined, identifies: () => true, slots: new Map() }
const notHidden = (): boolean => false

const value = fc.record(
  { a: fc.string({ unit: 'grapheme' }), b: fc.integer() },
  { noNullPrototype: true },
)
const word = fc.stringMatching(/^[a-z][a-z.-]{0,5}$/)

describe('expandLinkPath', (test) => {
  const path = linkPath('/x/{a}/{b}/{c}', new Map(), sources)
  law(test, 'a decoded variable equals the member', value, (entity) => {
    const [, , a = '', b, c] = expandLinkPath(path, entity, notHidden).split('/')
    const isKept = entity.a === '' || entity.a === '.' || entity.a === '..'
    assert.is(isKept ? a : decodeURIComponent(a), isKept ? '{a}' : entity.a)
    assert.is(b, String(entity.b))
    assert.is(c, '{c}')
  })
  law(
    test,
    'another parser finds target, relation, title and type in a Link header',
    fc.tuple(value, word, fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }), word),
    ([entity, rel, title, type]) => {
      const target = `http://localhost${expandLinkPath(path, entity, notHidden)}`
      const link = { target, rel, type, ...(title === undefined ? {} : { title }) }
      const header = Link.format(link)
      assert.match(header, /^[\t\x20-\x7e]*$/)
      const { refs } = LinkHeader.parse(`${header}, ${header}`)
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
  law(test, 'a hidden member leaves its variable in braces', value, (entity) =>
    assert.is(expandLinkPath(path, entity, (name) => name === 'a').split('/')[2], '{a}'),
  )
  test('reserved and invalid characters of the template are percent-encoded', () => {
    const literal = linkPath('/a?b#c d', new Map(), sources)
    assert.is(expandLinkPath(literal, {}, notHidden), '/a%3Fb%23c%20d')
  })
  for (const [name, entity] of [
    ['null', null],
    ['undefined', undefined],
    ['a string', 'a'],
    ['an array', ['a']],
    ['an object of another type', { a: 1, b: 'x' }],
  ] as const)
    test(`${name} leaves all variables in braces`, () =>
      assert.is(expandLinkPath(path, entity, notHidden), '/x/{a}/{b}/{c}'))
})
