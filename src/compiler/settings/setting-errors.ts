/**
 * Creates configuration errors for settings and expressions. The error for an unknown name suggests the most similar known
 * name.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import { expressionRemedy, type ExpressionError } from './resolve-expressions.ts'
import { formatValue, isSecret, mask } from './setting.ts'
import type { InvalidSetting } from './settings.ts'
import type { SourceEntry } from './setting-source.ts'

/** Returns the Levenshtein distance between two strings, in UTF-16 code units. */
export const editDistance = (a: string, b: string): number => {
  // cell `j` is the distance between the characters of `a` so far and the first `j` characters of `b`
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const character of a.split('')) {
    const above = row
    row = [(above[0] ?? 0) + 1]
    for (const [j, other] of b.split('').entries()) {
      const [replaced = 0, inserted = 0] = above.slice(j)
      row.push(Math.min(inserted + 1, (row[j] ?? 0) + 1, replaced + (other === character ? 0 : 1)))
    }
  }
  return row.at(-1) ?? 0
}

/**
 * Returns the candidate most similar to `name`. If multiple candidates are equally similar, the first of them is returned. Returns
 * `none` if more than a third of the characters differ.
 */
export const nearestName =
  (candidates: ReadonlyArray<string>) =>
  (name: string): O.Option<string> =>
    pipe(
      candidates
        .map((candidate) => ({ candidate, changes: editDistance(name, candidate) }))
        .toSorted((a, b) => a.changes - b.changes)
        .at(0),
      O.fromNullable,
      O.filter(({ candidate, changes }) => changes * 3 <= Math.max(name.length, candidate.length)),
      O.map(({ candidate }) => candidate),
    )

/**
 * Creates the error for a reserved name that is not a setting. The name is not repeated if the origin already ends with it, as it
 * does for environment variables.
 */
export const unknownSetting =
  (settingNames: ReadonlyArray<string>) =>
  ({ name, origin }: SourceEntry): ConfigurationIssue => ({
    code: 'FW-CONF-001',
    concerns: [origin.endsWith(` ${name}`) ? origin : `${name} (from ${origin})`],
    remedy: pipe(
      name,
      nearestName(settingNames),
      O.match(
        () => 'remove it',
        (nearest) => `did you mean ${nearest}?`,
      ),
    ),
  })

/** Creates the error for an invalid value. `value` is the value of the entry with its expressions resolved. */
export const invalidSetting = (
  { name, expected }: InvalidSetting,
  { text, origin }: SourceEntry,
  value: unknown,
): ConfigurationIssue => {
  const shown = isSecret(`${name} ${text}`) ? mask : formatValue(value)
  return {
    code: 'FW-CONF-002',
    concerns: [`${name} = ${shown} (from ${origin})`],
    remedy: `expected ${expected}`,
  }
}

/** Creates the error for an unresolvable expression. `concern` formats the name of a property together with its origin. */
export const unresolvableExpression =
  (concern: (property: string) => string) =>
  (error: ExpressionError): ConfigurationIssue => ({
    code: 'FW-CONF-003',
    concerns: error.properties.map(concern),
    remedy: expressionRemedy(error),
  })
