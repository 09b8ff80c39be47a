/** Compares the path matcher with a slow reference implementation, which matches each template on its own. */
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Path from '../../../src/http/path.ts'
import type { PathCapture } from '../../../src/interpreter/routing/path-matcher.ts'
import type { SegmentPattern } from '../../../src/endpoint/definition/path-pattern.ts'
import { describe, law } from '../../support/describe.ts'
import { matcherOf, plainCapture, patternFor } from './path-matching.ts'

/** Templates with the values of their parameters, the best match first. */
type ScanResult = ReadonlyArray<readonly [template: string, captures: ReadonlyArray<PathCapture>]>

/** Matches each template on its own, with every assignment of segments to patterns, the longest first. */
const scan = (templates: ReadonlyArray<string>, path: string): ScanResult | undefined => {
  const segments = Path.split(path)
  return segments === undefined
    ? undefined
    : templates.toSorted(byPrecedence).flatMap((template) => {
        const captures = assignSegments(patternFor(template).segments, segments)
        return captures === undefined ? [] : [[template, captures] as const]
      })
}

const assignSegments = (
  [pattern, ...others]: ReadonlyArray<SegmentPattern>,
  segments: ReadonlyArray<Path.Segment>,
): ReadonlyArray<PathCapture> | undefined => {
  if (pattern === undefined)
    return segments.length === 0 || (segments.length === 1 && segments[0]?.raw === '')
      ? []
      : undefined
  for (let length = segments.length; length > 0; length--) {
    const captures = captureSegments(pattern, segments.slice(0, length))
    const rest = captures && assignSegments(others, segments.slice(length))
    if (captures !== undefined && rest !== undefined) return [...captures, ...rest]
  }
  return undefined
}

const captureSegments = (
  pattern: SegmentPattern,
  segments: ReadonlyArray<Path.Segment>,
): ReadonlyArray<PathCapture> | undefined => {
  const segmentTexts = segments.map(({ text }) => text)
  const rawSegments = segments.map(({ raw }) => raw)
  const all = {
    text: segmentTexts.join('/'),
    raw: rawSegments.join('/'),
    segments: segmentTexts,
    rawSegments,
  }
  switch (pattern._tag) {
    case 'Text':
      return segments.length === 1 && all.text === pattern.text ? [] : undefined
    case 'One':
      return segments.length === 1 && all.raw !== '' ? [all] : undefined
    case 'Rest':
      return rawSegments.includes('') ? undefined : [all]
    case 'Expression': {
      if (segments.length > 1 && !pattern.spans) return undefined
      const texts = parameterGroups(pattern.expression.exec(all.text))
      const rawTexts = parameterGroups(pattern.expression.exec(all.raw))
      return texts?.map((text, index) => {
        const raw = rawTexts?.[index] ?? text
        return text === all.text
          ? all
          : { text, raw, segments: text.split('/'), rawSegments: raw.split('/') }
      })
    }
  }
}

const parameterGroups = (result: RegExpExecArray | null): ReadonlyArray<string> | undefined =>
  result?.groups &&
  Object.entries(result.groups)
    .filter(([name]) => name.startsWith('espalier'))
    .map(([, text]) => text)

const byPrecedence = (a: string, b: string): number => {
  const [first, second] = [patternFor(a).precedence, patternFor(b).precedence]
  return (
    second.literals - first.literals ||
    (first.variables === 0 ? -1 : 0) - (second.variables === 0 ? -1 : 0) ||
    second.variables - first.variables ||
    second.expressions - first.expressions ||
    (a < b ? -1 : 1)
  )
}

const assertSameMatches = ([templates, path]: readonly [ReadonlyArray<string>, string]): void =>
  assert.equal(
    matcherOf(templates)
      .match(path)
      ?.matches.map(({ value, captures }) => [value, captures.map(plainCapture)]),
    scan(templates, path),
  )

describe('path matcher compared with a scan of all templates', (test) => {
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
  const templates = fc.uniqueArray(template, { selector: (text) => patternFor(text).key })
  const segment = fc.oneof(
    fc.constantFrom('a', 'b', 'ab', 'aa', 'a-b', '', 'c'),
    fc.constantFrom('a%2Fb', '%61', '%2F', '%C3%A9', '%61%2Fb-%C3%A9', 'a%3Bb'),
    fc.constantFrom('b;m=1', ';m=1', '%61;m;n=%zz', 'a;'),
  )
  const path = fc
    .array(segment, { minLength: 1, maxLength: 6 })
    .map((segments) => `/${segments.join('/')}`)
  const malformed = fc
    .tuple(path, fc.constantFrom('%', 'a%C3', '%A9/b', '%zz;m', '%2'))
    .map(([start, end]) => `${start}/${end}`)
  /** A path that probably matches one of the templates: values for its parameters, and a suffix. */
  const matching = fc
    .tuple(
      template,
      fc.array(segment, { minLength: 1 }),
      fc.constantFrom('', '/', '/a', '//', ';m'),
    )
    .map(([pattern, values, suffix]) => {
      const start = pattern.replace(
        /\{[^}]*\}/g,
        ({ length }) => values[length % values.length] ?? '',
      )
      return `${start}${suffix}`
    })
  const paths = fc.oneof(path, matching, malformed)

  law(
    test,
    'returns the same matches for up to 10 templates',
    fc.tuple(templates, paths),
    assertSameMatches,
  )
  law(
    test,
    'returns the same matches for at least 30 templates',
    fc.tuple(
      fc.uniqueArray(template, { selector: (text) => patternFor(text).key, minLength: 30 }),
      paths,
    ),
    assertSameMatches,
  )
  law(test, 'findExact returns the best match', fc.tuple(templates, paths), ([all, text]) => {
    const exact = matcherOf(all).findExact(text)
    if (exact !== undefined) assert.equal(scan(all, text)?.[0], [exact, []])
  })
})
