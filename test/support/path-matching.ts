/** Path matchers over templates, with matches as plain values. */
import * as E from 'fp-ts/lib/Either.js'
import * as Template from '../../src/endpoint/internal/path-template.ts'
import type { PathCapture } from '../../src/interpreter/routing/path-captures.ts'
import type { PathMatcher } from '../../src/interpreter/routing/path-matcher.ts'
import { pathMatcher } from '../../src/interpreter/routing/path-matcher.ts'
import type { Pattern } from '../../src/endpoint/internal/path-pattern.ts'
import { compilePattern } from '../../src/endpoint/internal/path-pattern.ts'

/** A variable called `rest` takes several segments. */
export const patternFor = (template: string): Pattern => {
  const parsed = Template.parse(template)
  if (E.isLeft(parsed)) throw new Error(parsed.left)
  return compilePattern(parsed.right, new Set(['rest']))
}

/** A matcher whose sites are the templates themselves. */
export const among = (templates: ReadonlyArray<string>): PathMatcher<string> =>
  pathMatcher(
    templates.map((template) => ({ template, pattern: patternFor(template), value: template })),
  )

/** What is found, the best first: each template with what its variables took, decoded. */
export type Finds = ReadonlyArray<readonly [template: string, ...texts: ReadonlyArray<string>]>

export const finds = (templates: ReadonlyArray<string>, path: string): Finds | undefined =>
  among(templates)
    .match(path)
    ?.matches.map(({ value: site, captures }) => [site, ...captures.map(({ text }) => text)])

/** A capture as a plain value. */
export const formsOf = ({ text, raw, segments, rawSegments }: PathCapture): PathCapture => ({
  text,
  raw,
  segments,
  rawSegments,
})
