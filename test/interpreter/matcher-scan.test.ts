/** The matcher against the obvious way to match, which is slow: every template by itself, segment by segment. */
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Path from '../../src/http/path.ts'
import type { SegmentPattern } from '../../src/interpreter/pattern.ts'
import { describe, law } from '../support/describe.ts'
import type { Finds } from '../support/matching.ts'
import { among, finds, patternFor } from '../support/matching.ts'

/** The obvious way: every template by itself, every way to share out the segments, the longest first. */
const scan = (templates: ReadonlyArray<string>, path: string): Finds | undefined => {
  const segments = Path.split(path)
  return segments === undefined
    ? undefined
    : templates.toSorted(byPrecedence).flatMap((template) => {
        const texts = share(patternFor(template).segments, segments)
        return texts === undefined ? [] : [[template, ...texts] as const]
      })
}

const share = (
  [pattern, ...others]: ReadonlyArray<SegmentPattern>,
  segments: ReadonlyArray<Path.Segment>,
): ReadonlyArray<string> | undefined => {
  if (pattern === undefined)
    return segments.length === 0 || (segments.length === 1 && segments[0]?.raw === '')
      ? []
      : undefined
  for (let length = segments.length; length > 0; length--) {
    const own = texts(pattern, segments.slice(0, length))
    const rest = own && share(others, segments.slice(length))
    if (own !== undefined && rest !== undefined) return [...own, ...rest]
  }
  return undefined
}

const texts = (
  pattern: SegmentPattern,
  segments: ReadonlyArray<Path.Segment>,
): ReadonlyArray<string> | undefined => {
  const text = segments.map((segment) => segment.text).join('/')
  const isFull = segments.every(({ raw }) => raw !== '')
  switch (pattern._tag) {
    case 'Text':
      return segments.length === 1 && text === pattern.text ? [] : undefined
    case 'One':
      return segments.length === 1 && isFull ? [text] : undefined
    case 'Rest':
      return isFull ? [text] : undefined
    case 'Expression': {
      if (segments.length > 1 && !pattern.spans) return undefined
      const groups = pattern.expression.exec(text)?.groups
      return groups === undefined ? undefined : ownGroups(groups)
    }
  }
}

const ownGroups = (groups: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(groups)
    .filter(([name]) => name.startsWith('espalier'))
    .map(([, taken]) => taken)

const byPrecedence = (a: string, b: string): number => {
  const [one, other] = [patternFor(a).precedence, patternFor(b).precedence]
  return (
    other.literals - one.literals ||
    (one.variables === 0 ? -1 : 0) - (other.variables === 0 ? -1 : 0) ||
    other.variables - one.variables ||
    other.expressions - one.expressions ||
    (a < b ? -1 : 1)
  )
}

describe('matcher against a scan of all templates', (test) => {
  const part = fc.constantFrom(
    'a',
    'b',
    'ab',
    '%61',
    'a%2Fb',
    '{x}',
    '{rest}',
    'a{x}',
    '{x}-{y}',
    '{x:a+}',
    '{x:[ab]}',
    'a{x:b*}',
    '{x:.*}',
    '{x:.+/.+}',
    '{x:a|a/b}b{y}',
  )
  const template = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`)
  const templates = fc.uniqueArray(template, { selector: (one) => patternFor(one).key })
  const piece = fc.constantFrom('a', 'b', 'ab', 'aa', 'a-b', '', 'a%2Fb', '%61', 'b;m=1')
  const path = fc
    .array(piece, { minLength: 1, maxLength: 6 })
    .map((pieces) => `/${pieces.join('/')}`)

  law(test, 'finds the same', fc.tuple(templates, path), ([all, one]) =>
    assert.equal(finds(all, one), scan(all, one)),
  )
  law(test, 'what is found exactly is the best', fc.tuple(templates, path), ([all, one]) => {
    const exact = among(all).exactly(one)
    if (exact !== undefined) assert.equal(scan(all, one)?.[0], [exact])
  })
})
