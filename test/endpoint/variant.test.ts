import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { ok, selectVariant, variant } from '../../src/index.ts'
import type { Variant } from '../../src/index.ts'
import { testContext } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

/** Returns the selected variant and the added headers. */
const select = (variants: ReadonlyArray<Variant>, ...headers: ReadonlyArray<string>) => {
  const added: string[] = []
  const context = testContext({
    request: { headers },
    addHeader: (name, value) => added.push(name, value),
  })
  return [O.toUndefined(selectVariant(context, variants)), added]
}

describe('selectVariant', (test) => {
  test('returns the selected element of the list', () => {
    const variants = [{ language: 'en' }, { language: 'de' }]
    assert.is(select(variants, 'Accept-Language', 'de')[0], variants[1])
  })
  test('adds the distinguishing headers to Vary, also if no variant is acceptable', () => {
    assert.equal(select([{ encoding: 'br' }], 'Accept-Encoding', 'gzip'), [
      undefined,
      ['Vary', 'Accept-Encoding'],
    ])
    assert.equal(select([{}]), [{}, []])
  })
  test('identity is no content coding', () =>
    assert.equal(select([{ encoding: 'identity' }], 'Accept-Encoding', 'gzip'), [
      { encoding: 'identity' },
      [],
    ]))
  test('qs is the weight of the server', () => {
    const types = [{ mediaType: 'text/html;qs=0.5' }, { mediaType: 'text/plain' }]
    assert.is(select(types)[0], types[1])
  })
  table(
    test,
    [
      ['an empty list', [], 'missing variants: expected at least one'],
      ['a malformed language tag', [{ language: 'de_CH' }], 'invalid language tag "de_CH"'],
      ['a malformed media type', [{ mediaType: 'html' }], 'invalid media type "html"'],
      ['a media range', [{ mediaType: 'text/*' }], 'invalid media type "text/*"'],
      ['a malformed qs', [{ mediaType: 'a/b;qs=2' }], 'invalid media type "a/b;qs=2"'],
      ['a malformed content coding', [{ encoding: 'g zip' }], 'invalid content coding "g zip"'],
    ] as const,
    (_, variants, message) =>
      assert.throws(
        () => select(variants),
        (error: Error) => error instanceof TypeError && error.message === message,
      ),
  )
})

describe('variant', (test) => {
  table(
    test,
    [
      [{ mediaType: 'text/css;qs=0.5' }, ['Content-Type', 'text/css']],
      [{ language: 'de' }, ['Content-Language', 'de']],
      [{ encoding: 'br' }, ['Content-Encoding', 'br']],
      [{ encoding: 'identity' }, []],
      [{}, []],
    ] as const,
    (selected, headers) => assert.equal(variant(selected)(ok('')).headers, headers),
  )
  test('replaces headers of the reply', () =>
    assert.equal(pipe(ok(''), variant({ language: 'de' }), variant({ language: 'en' })).headers, [
      'Content-Language',
      'en',
    ]))
  test('rejects a malformed language tag', () =>
    assert.throws(() => variant({ language: '?' }), TypeError))
})
