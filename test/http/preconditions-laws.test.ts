import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { EntityTag } from '../../src/http/entity-tag.ts'
import * as EntityTags from '../../src/http/entity-tag.ts'
import * as HttpDate from '../../src/http/http-date.ts'
import type { Decision } from '../../src/http/preconditions.ts'
import * as Preconditions from '../../src/http/preconditions.ts'
import { describe, law } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

/** A request and a representation with parsed values, for a model of RFC 9110, 13.2.2. */
interface Model {
  readonly method: string
  readonly match: ReadonlyArray<EntityTag> | '*' | undefined
  readonly unmodified: number | undefined
  readonly noneMatch: ReadonlyArray<EntityTag> | '*' | undefined
  readonly modified: number | undefined
  readonly exists: boolean
  readonly etag: EntityTag | undefined
  readonly lastModified: number | undefined
}

/** Follows the steps of RFC 9110, 13.2.2. */
const evaluateModel = (m: Model): Decision => {
  const matches = (list: Model['match'], isStrong: boolean): boolean =>
    m.exists &&
    (list === '*' ||
      (list ?? []).some(
        (listed) =>
          m.etag?.opaque === listed.opaque && (!isStrong || (!listed.weak && !m.etag.weak)),
      ))
  const lastModified = m.exists ? m.lastModified : undefined
  const steps: ReadonlyArray<() => Decision | undefined> = [
    () => (m.match !== undefined && !matches(m.match, true) ? 412 : undefined),
    () =>
      m.match === undefined &&
      m.unmodified !== undefined &&
      lastModified !== undefined &&
      lastModified > m.unmodified
        ? 412
        : undefined,
    () =>
      m.noneMatch !== undefined && matches(m.noneMatch, false)
        ? m.method === 'PUT'
          ? 412
          : 304
        : undefined,
    () =>
      m.noneMatch === undefined &&
      m.method !== 'PUT' &&
      m.modified !== undefined &&
      lastModified !== undefined &&
      lastModified <= m.modified
        ? 304
        : undefined,
  ]
  for (const step of steps) {
    const decision = step()
    if (decision !== undefined) return decision
  }
  return 'proceed'
}

const maybe = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.option(arbitrary, { nil: undefined })
const tag = fc.record(
  { weak: fc.boolean(), opaque: fc.constantFrom('a', 'b', 'a,b', '') },
  { noNullPrototype: true },
)
const tags = maybe(fc.oneof(fc.constant('*' as const), fc.array(tag, { maxLength: 3 })))
const second = maybe(fc.constantFrom(0, 1, 2))
const model: fc.Arbitrary<Model> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'PUT'),
  match: tags,
  unmodified: second,
  noneMatch: tags,
  modified: second,
  exists: fc.boolean(),
  etag: maybe(tag),
  lastModified: second,
})

const tagHeader = (name: string, list: Model['match']): ReadonlyArray<string> =>
  list === undefined ? [] : [name, list === '*' ? '*' : list.map(EntityTags.format).join(', ')]
const dateHeader = (name: string, at: number | undefined): ReadonlyArray<string> =>
  at === undefined ? [] : [name, HttpDate.format(new Date(at * 1000))]

describe('Preconditions.evaluate', (test) => {
  law(test, 'agrees with a model of RFC 9110, 13.2.2', model, (m) => {
    const headers = [
      ...dateHeader('If-Modified-Since', m.modified),
      ...tagHeader('If-None-Match', m.noneMatch),
      ...dateHeader('If-Unmodified-Since', m.unmodified),
      ...tagHeader('If-Match', m.match),
    ]
    const lastModified =
      m.lastModified === undefined ? undefined : new Date(m.lastModified * 1000 + 999)
    const current = m.exists ? { etag: m.etag, lastModified } : undefined
    assert.is(Preconditions.evaluate(m.method, headers, current), evaluateModel(m))
  })
  law(
    test,
    'never throws',
    fc.record({
      name: fc.constantFrom('If-Match', 'If-Modified-Since'),
      text: unicodeString,
    }),
    ({ name, text }) =>
      assert.ok(
        Preconditions.evaluate('GET', [name, text], {
          etag: { weak: false, opaque: 'a' },
          lastModified: new Date(0),
        }) !== undefined,
      ),
  )
})
