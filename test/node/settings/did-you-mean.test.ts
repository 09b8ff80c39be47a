import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Settings from '../../../src/compiler/settings/settings.ts'
import * as Suggestion from '../../../src/node/settings/did-you-mean.ts'
import { describe, law, table } from '../../support/describe.ts'

describe('editDistance', (test) => {
  table(
    test,
    [
      ['', '', 0],
      ['', 'abc', 3],
      ['abc', '', 3],
      ['kitten', 'sitting', 3],
      ['flaw', 'lawn', 2],
      ['port', 'prot', 2],
    ] as const,
    (a, b, expected) => assert.is(Suggestion.editDistance(a, b), expected),
  )

  const text = fc.string({ maxLength: 12 })
  law(test, 'is a metric', fc.tuple(text, text, text), ([a, b, c]) => {
    const { editDistance } = Suggestion
    assert.is(editDistance(a, b) === 0, a === b)
    assert.is(editDistance(a, b), editDistance(b, a))
    assert.ok(editDistance(a, c) <= editDistance(a, b) + editDistance(b, c))
  })
})

describe('nearestName', (test) => {
  table(
    test,
    [
      ['fw.http.limit.max-form-attribute-size', O.some('fw.http.limits.max-form-attribute-size')],
      ['fw.http.max-body-size', O.some('fw.http.limits.max-body-size')],
      ['fw.http.prot', O.some('fw.http.port')],
      ['fw.http.ports', O.some('fw.http.port')],
      ['fw.rest.fail-on-duplicates', O.some('fw.rest.fail-on-duplicate')],
      ['fw.audit.file', O.none],
      ['fw.graphql.schema', O.none],
      ['fw.', O.none],
    ] as const,
    (name, expected) => assert.equal(Suggestion.nearestName(Settings.settingNames)(name), expected),
  )

  test('returns the first of two equally near names', () =>
    assert.equal(Suggestion.nearestName(['abcd', 'abce'])('abcf'), O.some('abcd')))
  test('returns none without known names', () =>
    assert.equal(Suggestion.nearestName([])('x'), O.none))
})
