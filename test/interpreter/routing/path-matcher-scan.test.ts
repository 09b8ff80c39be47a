/** The matcher against the obvious way to match, which is slow: every template by itself, segment by segment. */
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Path from '../../../src/http/path.ts'
import type { PathCapture } from '../../../src/interpreter/routing/path-captures.ts'
import type { SegmentPattern } from '../../../src/endpoint/internal/path-pattern.ts'
import { describe, law } from '../../support/describe.ts'
import { among, formsOf, patternFor } from '../../support/path-matching.ts'

/** Templates with what their variables took, the best first. */
type Scanned = ReadonlyArray<readonly [template: string, captures: ReadonlyArray<PathCapture>]>

/** The obvious way: every template by itself, every way to share out the segments, the longest first. */
const scan = (templates: ReadonlyArray<string>, path: string): Scanned | undefined => {
  const segments = Path.split(path)
  return segments === undefined
    ? undefined
    : templates.toSorted(byPrecedence).flatMap((template) => {
        const captures = share(patternFor(template).segments, segments)
        return captures === undefined ? [] : [[template, captures] as const]
      })
}

const share = (
  [pattern, ...others]: ReadonlyArray<SegmentPattern>,
  segments: ReadonlyArray<Path.Segment>,
): ReadonlyArray<PathCapture> | undefined => {
  if (pattern === undefined)
    return segments.length === 0 || (segments.length === 1 && segments[0]?.raw === '')
      ? []
      : undefined
  for (let length = segments.length; length > 0; length--) {
    const own = taken(pattern, segments.slice(0, length))
    const rest = own && share(others, segments.slice(length))
    if (own !== undefined && rest !== undefined) return [...own, ...rest]
  }
  return undefined
}

const taken = (
  pattern: SegmentPattern,
  segments: ReadonlyArray<Path.Segment>,
): ReadonlyArray<PathCapture> | undefined => {
  const texts = segments.map(({ text }) => text)
  const raws = segments.map(({ raw }) => raw)
  const all = { text: texts.join('/'), raw: raws.join('/'), segments: texts, rawSegments: raws }
  switch (pattern._tag) {
    case 'Text':
      return segments.length === 1 && all.text === pattern.text ? [] : undefined
    case 'One':
      return segments.length === 1 && all.raw !== '' ? [all] : undefined
    case 'Rest':
      return raws.includes('') ? undefined : [all]
    case 'Expression': {
      if (segments.length > 1 && !pattern.spans) return undefined
      const own = ownGroups(pattern.expression.exec(all.text))
      const received = ownGroups(pattern.expression.exec(all.raw))
      return own?.map((text, index) => {
        const raw = received?.[index] ?? text
        return text === all.text
          ? all
          : { text, raw, segments: text.split('/'), rawSegments: raw.split('/') }
      })
    }
  }
}

const ownGroups = (result: RegExpExecArray | null): ReadonlyArray<string> | undefined =>
  result?.groups &&
  Object.entries(result.groups)
    .filter(([name]) => name.startsWith('espalier'))
    .map(([, text]) => text)

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

const agrees = ([all, one]: readonly [ReadonlyArray<string>, string]): void =>
  assert.equal(
    among(all)
      .match(one)
      ?.matches.map(({ value: site, captures }) => [site, captures.map(formsOf)]),
    scan(all, one),
  )

describe('matcher against a scan of all templates', (test) => {
  const part = fc.constantFrom(
    'a',
    'b',
    'ab',
    '%61',
    'a%2Fb',
    '%C3%A9',
    'a;b',
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
    '{x:[^/]*}',
  )
  const template = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`)
  const templates = fc.uniqueArray(template, { selector: (one) => patternFor(one).key })
  const piece = fc.oneof(
    fc.constantFrom('a', 'b', 'ab', 'aa', 'a-b', '', 'c'),
    fc.constantFrom('a%2Fb', '%61', '%2F', '%C3%A9', '%61%2Fb-%C3%A9', 'a%3Bb'),
    fc.constantFrom('b;m=1', ';m=1', '%61;m;n=%zz', 'a;'),
  )
  const path = fc
    .array(piece, { minLength: 1, maxLength: 6 })
    .map((pieces) => `/${pieces.join('/')}`)
  const malformed = fc
    .tuple(path, fc.constantFrom('%', 'a%C3', '%A9/b', '%zz;m', '%2'))
    .map(([beginning, end]) => `${beginning}/${end}`)
  /** A path that some of the templates may well match: what is put for their variables, and something behind it. */
  const fitting = fc
    .tuple(template, fc.array(piece, { minLength: 1 }), fc.constantFrom('', '/', '/a', '//', ';m'))
    .map(([one, pieces, end]) => {
      const put = one.replace(/\{[^}]*\}/g, ({ length }) => pieces[length % pieces.length] ?? '')
      return `${put}${end}`
    })
  const paths = fc.oneof(path, fitting, malformed)

  law(test, 'finds the same', fc.tuple(templates, paths), agrees)
  law(
    test,
    'finds the same among many',
    fc.tuple(
      fc.uniqueArray(template, { selector: (one) => patternFor(one).key, minLength: 30 }),
      paths,
    ),
    agrees,
  )
  law(test, 'what is found exactly is the best', fc.tuple(templates, paths), ([all, one]) => {
    const exact = among(all).findExact(one)
    if (exact !== undefined) assert.equal(scan(all, one)?.[0], [exact, []])
  })
})
