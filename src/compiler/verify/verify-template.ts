/** Verifies the path templates of routes: their syntax, and the regular expressions that they are matched with. */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Template from '../../endpoint/definition/path-template.ts'
import type { PatternSegment } from '../../endpoint/definition/path-pattern.ts'
import { splitSegments, compositeExpressions } from '../../endpoint/definition/path-pattern.ts'
import { withPrefixCodecs } from '../../endpoint/tree/prefix-variables.ts'
import * as RedosCheck from '../../regex-safety/redos-check.ts'
import type { Route } from '../flatten.ts'
import { maxSpannedSegments } from '../path-groups.ts'

/** Reports the errors in the path template of a route. */
export const verifyTemplate = (
  route: Route,
  report: (code: 'FW-ROUTE-001' | 'FW-ROUTE-003', remedy: string) => void,
): void => {
  const { template: path, parsed, prefixVariables, definition } = route
  const codecs = withPrefixCodecs(prefixVariables, definition.parameters.path)
  if (isLeft(parsed)) return report('FW-ROUTE-001', parsed.left)
  if (!parsed.right.some((part) => part._tag === 'Variable')) return
  const segments = splitSegments(parsed.right)
  if (segments.every(isPlainSegment)) return
  const spanning = segments.map((parts) =>
    parts.some(
      (part) =>
        part._tag === 'Variable' &&
        (part.regex !== undefined || codecs.get(part.name)?._tag === 'SegmentsType'),
    ),
  )
  segments.forEach((parts, index) => {
    const isLast = index === segments.length - 1
    const ends = !spanning[index] ? 1 : isLast ? 2 : maxSpannedSegments
    const times = spanning.slice(0, index).includes(true) ? ends * maxSpannedSegments : ends
    const ownRisks = Template.variables(parts).flatMap(({ name, regex }) =>
      regex === undefined ? none : redosRisks(`{${name}:${regex}}`, regex, times),
    )
    // expressions that are safe individually can be unsafe when one segment combines them
    const risks =
      ownRisks.length > 0
        ? ownRisks
        : compositeExpressions(parts).flatMap((source) => redosRisks(path, source, times))
    risks.forEach((risk) => report('FW-ROUTE-003', risk))
  })
}

/** Whether a segment is matched without a regular expression: it is literal text or a single variable. */
const isPlainSegment = (parts: ReadonlyArray<PatternSegment>): boolean =>
  parts.every((part) => part._tag === 'Literal' || part.regex === undefined) && parts.length === 1

const none: ReadonlyArray<never> = []

/**
 * Describes the ReDoS risk of a regular expression that is matched up to `times` times per request. Returns an empty array if the
 * regular expression is safe.
 */
const redosRisks = (written: string, source: string, times: number): ReadonlyArray<string> =>
  O.match(
    () => [],
    (diagnostic: RedosCheck.RegexDiagnostic) => [
      `${written}: ${RedosCheck.remedy(diagnostic)}${RedosCheck.format(diagnostic)}`,
    ],
  )(RedosCheck.checkTemplate(source, times))
