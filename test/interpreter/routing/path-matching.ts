/** Path matchers over templates, with matches as plain values. */
import * as E from 'fp-ts/lib/Either.js'
import * as Template from '../../../src/endpoint/definition/path-template.ts'
import type { PathCapture, PathMatcher } from '../../../src/interpreter/routing/path-matcher.ts'
import { pathMatcher } from '../../../src/interpreter/routing/path-matcher.ts'
import type { Pattern } from '../../../src/endpoint/definition/path-pattern.ts'
import { compilePattern } from '../../../src/endpoint/definition/path-pattern.ts'

/** Compiles a template. A parameter named `rest` spans segments. */
export const patternFor = (template: string): Pattern => {
  const parsed = Template.parse(template)
  if (E.isLeft(parsed)) throw new Error(parsed.left)
  return compilePattern(parsed.right, new Set(['rest']))
}

/** Creates a matcher whose values are the templates. */
export const matcherOf = (templates: ReadonlyArray<string>): PathMatcher<string> =>
  pathMatcher(
    templates.map((template) => ({ template, pattern: patternFor(template), value: template })),
  )

/** The matches, the best one first: each template with the decoded values of its parameters. */
export type Matches = ReadonlyArray<readonly [template: string, ...texts: ReadonlyArray<string>]>

export const matchesOf = (templates: ReadonlyArray<string>, path: string): Matches | undefined =>
  matcherOf(templates)
    .match(path)
    ?.matches.map(({ value, captures }) => [value, ...captures.map(({ text }) => text)])

/** Returns a capture as a plain object. */
export const plainCapture = ({ text, raw, segments, rawSegments }: PathCapture): PathCapture => ({
  text,
  raw,
  segments,
  rawSegments,
})
